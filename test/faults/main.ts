/**
 * `npm run test:faults [-- --long] [-- --rounds=N] [-- --seed=N]`: more rounds of `kill.test.ts`, 200 or with
 * `--long` 3,000; every third with two concurrent processes. The other faults are tested completely by `npm
 * test -- faults`.
 */
import { parseArgs } from 'node:util';
import { runRounds } from './rounds.js';

const { values } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
  },
});

const rounds = Number(values.rounds ?? (values.long ? 3_000 : 200));
const seed = Number(values.seed);
const pairs = Math.floor(rounds / 3);
let acknowledged = await runRounds({ rounds: rounds - pairs, processes: 1, seed }, console.log);
acknowledged += await runRounds({ rounds: pairs, processes: 2, seed }, console.log);
console.log(`${rounds} rounds: ${acknowledged} operations were acknowledged, and all of them hold`);
