/**
 * A server that is killed (SIGKILL) at any moment. Callers see broken connections and, after the restart,
 * everything that was acknowledged, exactly as acknowledged. Requests in progress took effect completely or
 * not at all. The database is intact at the first check, and a sweep leaves no byte on the disk that no row
 * refers to.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runRounds } from './servers/rounds.js';

const test = suite('killed at random moments');

for (const [rounds, processes] of [
  [8, 1],
  [4, 2],
] as const) {
  test(`${rounds} times, ${processes} at once: acknowledged changes persist, nothing is half done`, async () => {
    const seed = Date.now() % 2 ** 32;
    assert.ok((await runRounds({ rounds, processes, seed }, console.log)) > 0, 'the load got through');
  });
}

test.run();
