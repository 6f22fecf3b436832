import { pageOperations } from './pages.js';
import { testPromises } from './promise.js';

testPromises('pages', pageOperations());
