/** Bounds for work and memory that callers share. */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DomainError } from '../../routers/base/errors.js';
import { createConcurrencyLimit, createQueuePerHolder } from '../../routers/base/turns.js';
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
  const gate = createConcurrencyLimit({ atOnce: 1, waiting: 1, patienceMs: 20 });
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
  const gate = createConcurrencyLimit({ atOnce: 1, waiting: 1, patienceMs: 20 });
  const [first, second] = [held(), held()];
  const running = [gate(first.work), gate(second.work)];
  first.letGo();
  await delay(60);
  second.letGo();
  assert.equal(await Promise.all(running.map(reasonOf)), ['done', 'done']);
});

limit.run();

const perHolder = suite('queue per holder');

perHolder(
  'a holder runs as many tasks as allowed, the others in their order, and nobody else waits',
  async () => {
    const queue = createQueuePerHolder({ atOnce: 2, waiting: 10 });
    const begun: string[] = [];
    const [first, second, third, other] = [held(), held(), held(), held()];
    const task = (holder: string, name: string, { work }: ReturnType<typeof held>) =>
      queue(holder, async () => {
        begun.push(name);
        await work();
      });
    const all = [
      task('one', 'a', first),
      task('one', 'b', second),
      task('one', 'c', third),
      task('one', 'd', third),
    ];
    const others = task('other', 'o', other);
    assert.equal(begun, ['a', 'b', 'o']);
    second.letGo();
    await all[1];
    await nextTurn();
    assert.equal(begun, ['a', 'b', 'o', 'c']);
    for (const { letGo } of [first, third, other]) letGo();
    await Promise.all([...all, others]);
    assert.equal(begun, ['a', 'b', 'o', 'c', 'd']);
  },
);

perHolder('a failed task gives its turn to the next, and too many waiting are refused', async () => {
  const queue = createQueuePerHolder({ atOnce: 1, waiting: 1 });
  const first = held();
  const failing = queue('one', async () => {
    await first.work();
    throw new DomainError('INVALID');
  });
  const waits = queue('one', async () => {});
  assert.is(await reasonOf(queue('one', async () => {})), 'TOO_MANY_REQUESTS');
  assert.is(await reasonOf(queue('other', async () => {})), 'done');
  first.letGo();
  assert.equal([await reasonOf(failing), await reasonOf(waits)], ['INVALID', 'done']);
  assert.is(await reasonOf(queue('one', async () => {})), 'done');
});

perHolder('a line of short tasks lets other work run in between', async () => {
  const queue = createQueuePerHolder({ atOnce: 1, waiting: 100 });
  let done = 0;
  const all = Array.from({ length: 100 }, () =>
    queue('one', async () => {
      done += 1;
    }),
  );
  await nextTurn();
  await nextTurn();
  assert.ok(done < 50, `${done} tasks in two turns of the event loop`);
  await Promise.all(all);
  assert.is(done, 100);
});

perHolder.run();

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
