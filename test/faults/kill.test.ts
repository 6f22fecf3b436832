/**
 * A server that is killed (SIGKILL) at any moment. Callers see: connections that break, and after the restart
 * everything they were answered, as they were answered it. What was under way is there as a whole or not at all.
 * The database is sound at the first look, and a sweep leaves no byte on the disk that no row names.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runRounds } from './rounds.js';

const test = suite('killed at random moments');

for (const [rounds, processes] of [
  [14, 1],
  [6, 2],
] as const) {
  test(`${rounds} times, ${processes} at once: what was acknowledged holds, nothing is half done`, async () => {
    const seed = Date.now() % 2 ** 32;
    assert.ok((await runRounds({ rounds, processes, seed }, console.log)) > 0, 'the load got through');
  });
}

test.run();
