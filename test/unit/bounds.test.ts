/** Bounds for work and memory that callers share. */
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DomainError } from '../../routers/errors.js';
import { createConcurrencyLimit } from '../../server/drivers/limits/concurrency-limit.js';
import { createMemoryBudget } from '../../server/drivers/limits/memory-budget.js';

const limit = suite('concurrent work');

/** Work that lasts until it is released. */
function held() {
  let letGo = () => {};
  const over = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { letGo: () => letGo(), work: () => over };
}

const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DomainError ? error.reason : error),
  );

limit('a caller that waits too long is refused and leaves the line to the others', async () => {
  const gate = createConcurrencyLimit(1, 1, 20);
  const first = held();
  const running = gate(first.work);
  assert.is(await reasonOf(gate(async () => {})), 'UNAVAILABLE');
  // Its place is free again, and no turn is reserved for it.
  const next = reasonOf(gate(async () => {}));
  first.letGo();
  await running;
  assert.is(await next, 'done');
  assert.is(await reasonOf(gate(async () => {})), 'done');
});

limit('a caller whose turn has come is no longer refused, however long the work takes', async () => {
  const gate = createConcurrencyLimit(1, 1, 20);
  const [first, second] = [held(), held()];
  const running = [gate(first.work), gate(second.work)];
  first.letGo();
  await delay(60);
  second.letGo();
  assert.equal(await Promise.all(running.map(reasonOf)), ['done', 'done']);
});

limit.run();

const budget = suite('shared memory');

budget(
  'one holder may use a quarter, all together the whole budget, and a double release counts once',
  () => {
    const { take } = createMemoryBudget(100);
    const one = take(20, 'one');
    assert.ok(one);
    assert.is(take(6, 'one'), null);
    assert.ok(take(5, 'one'));
    for (const holder of ['two', 'three', 'four']) assert.ok(take(25, holder));
    assert.is(take(1, 'five'), null);
    one();
    one();
    assert.ok(take(20, 'five'));
    assert.is(take(1, 'six'), null);
  },
);

budget('a single item is always accepted, however large', () => {
  const { take } = createMemoryBudget(100);
  const large = take(1_000, 'one');
  assert.ok(large);
  assert.is(take(1, 'two'), null);
  large();
  assert.ok(take(1, 'two'));
});

budget.run();
