/** Work that many request at the same time, or shortly after one another. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSingleFlight } from '../../server/drivers/limits/single-flight.js';
import { loadedOnce } from '../../server/shared/loaded-once.js';
import { until } from '../support/until.js';

const test = suite('shared work');

/** Work that counts how often it was done. */
function counted() {
  let times = 0;
  return async () => {
    times += 1;
    return times;
  };
}

test('concurrent callers share one run, later callers start a new one', async () => {
  const [once, work] = [createSingleFlight(), counted()];
  assert.equal(await Promise.all([once('a', work), once('a', work), once('b', work)]), [1, 1, 2]);
  assert.is(await once('a', work), 3);
});

test('a failure is shared, but not cached', async () => {
  const [once, work] = [createSingleFlight(), counted()];
  const fail = () => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([once('a', fail), once('a', work)]);
  assert.equal(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.is(await once('a', work), 1);
});

test('a cached result is returned to all who ask meanwhile', async () => {
  const [recent, work] = [createSingleFlight(60_000), counted()];
  for (let asked = 0; asked < 3; asked += 1) assert.is(await recent('a', work), 1);
});

test('a cached result is replaced by the next one', async () => {
  const [recent, work] = [createSingleFlight(1), counted()];
  assert.is(await recent('a', work), 1);
  await until(async () => (await recent('a', work)) === 2);
});

test('what is loaded once is tried again after a failure, and then kept', async () => {
  const work = counted();
  const load = loadedOnce(async () => {
    const times = await work();
    if (times === 1) throw new Error('no');
    return times;
  });
  const both = await Promise.allSettled([load(), load()]);
  assert.equal(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await Promise.all([load(), load()]), [2, 2]);
  assert.is(await load(), 2);
});

test.run();
