/** Work that many ask for at the same time, or shortly after one another. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSingleFlight } from '../../server/limits/single-flight.js';
import { until } from '../support/until.js';

const test = suite('work done once for many');

/** Work that tells how often it was done. */
function counted() {
  let times = 0;
  return async () => {
    times += 1;
    return times;
  };
}

test('whoever asks while it is under way shares it, whoever asks later has it done anew', async () => {
  const [once, work] = [createSingleFlight(), counted()];
  assert.equal(await Promise.all([once('a', work), once('a', work), once('b', work)]), [1, 1, 2]);
  assert.is(await once('a', work), 3);
});

test('a failure is shared, and does not stay', async () => {
  const [once, work] = [createSingleFlight(), counted()];
  const fail = () => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([once('a', fail), once('a', work)]);
  assert.equal(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.is(await once('a', work), 1);
});

test('what is kept is told to all who ask meanwhile', async () => {
  const [recent, work] = [createSingleFlight(60_000), counted()];
  for (let asked = 0; asked < 3; asked += 1) assert.is(await recent('a', work), 1);
});

test('what is kept gives way to what is found out next', async () => {
  const [recent, work] = [createSingleFlight(1), counted()];
  assert.is(await recent('a', work), 1);
  await until(async () => (await recent('a', work)) === 2);
});

test.run();
