import { pageOperations } from './operations/pages.js';
import { testPromises } from './promise.js';

testPromises('pages', pageOperations());
