import { testPromises } from './promise.js';
import { routeOperations } from './routes.js';

testPromises('the REST interface', routeOperations());
