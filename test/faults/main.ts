/** `npm run test:faults [-- --rounds=50 --processes=1 --seed=N]`: the kill test at length. */
import { parseArgs } from 'node:util';
import { runRounds } from './rounds.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    processes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
  },
});

const plan = {
  rounds: Number(values.rounds),
  processes: Number(values.processes),
  seed: Number(values.seed),
};
const acknowledged = await runRounds(plan, console.log);
console.log(`${acknowledged} operations were acknowledged, and all of them hold`);
