// on both databases
import { batchOperations } from './operations/batches.js';
import { procedureOperations } from './operations/procedures.js';
import { testPromises } from './promise.js';

testPromises('procedures, and batches of them', [...procedureOperations(), ...batchOperations()]);
