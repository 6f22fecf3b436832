/** The forms of other products' clients. */
import { doorOperations } from './operations/doors.js';
import { testPromises } from './promise.js';

testPromises('the doors', doorOperations());
