import { batchOperations } from './batches.js';
import type { Operation } from './operation.js';
import { pageOperations } from './pages.js';
import { procedureOperations } from './procedures.js';
import { rowOperations } from './rows.js';

/** Everything that can be asked of the server. */
export const allOperations = (): readonly Operation[] => [
  ...rowOperations(),
  ...procedureOperations(),
  ...batchOperations(),
  ...pageOperations(),
];
