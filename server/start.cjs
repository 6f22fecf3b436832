/**
 * What `npm start` runs. Database, file and password work shares one pool of threads, whose size counts only before
 * the first of it begins. In Node 20 loading an ES module is such work; hence this file, which is none.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';
import('./start.mjs');
