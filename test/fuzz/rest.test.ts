// on both databases
import { routeOperations } from './operations/routes.js';
import { testPromises } from './promise.js';

testPromises('the REST interface', routeOperations());
