/**
 * `npm run test:fuzz [-- --requests=3000] [-- --seed=N] [-- --only=word]`: a longer version of `npm test --
 * fuzz`, on SQLite, or with HOLDALL_TEST_DB=postgres on PostgreSQL. `--only` selects operations by name.
 */
import { parseArgs } from 'node:util';
import { examine } from './examine.js';
import { allOperations } from './operations/index.js';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '3000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string', default: '' },
  },
});

const operations = allOperations().filter(({ name }) => name.includes(values.only));
if (operations.length === 0) throw new Error(`no operation is called ${values.only}`);
await examine(operations, { requests: Number(values.requests), seed: Number(values.seed) }, console.log);
console.log('every promise holds');
