import { batchOperations } from './batches.js';
import { pageOperations } from './pages.js';
import { procedureOperations } from './procedures.js';
import { testPromises } from './promise.js';

testPromises('procedures, batches of them, and pages', [
  ...procedureOperations(),
  ...batchOperations(),
  ...pageOperations(),
]);
