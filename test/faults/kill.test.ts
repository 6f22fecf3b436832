import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runRounds } from './rounds.js';

const test = suite('killed at random moments');

for (const processes of [1, 2]) {
  test(`what was acknowledged is there, the database is sound, no blob is stray (${processes} at once)`, async () => {
    const seed = Date.now() % 2 ** 32;
    assert.ok((await runRounds({ rounds: 3, processes, seed }, console.log)) > 0, 'the load got through');
  });
}

test.run();
