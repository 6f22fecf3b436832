import { batchOperations } from './batches.js';
import { doorOperations } from './doors.js';
import type { Operation } from './operation.js';
import { pageOperations } from './pages.js';
import { procedureOperations } from './procedures.js';
import { routeOperations } from './routes.js';

/** All operations of the server. */
export const allOperations = (): readonly Operation[] => [
  ...routeOperations(),
  ...procedureOperations(),
  ...batchOperations(),
  ...pageOperations(),
  ...doorOperations(),
];
