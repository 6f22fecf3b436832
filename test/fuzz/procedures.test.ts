import { batchOperations } from './batches.js';
import { procedureOperations } from './procedures.js';
import { testPromises } from './promise.js';

testPromises('procedures, and batches of them', [...procedureOperations(), ...batchOperations()]);
