/**
 * What `npm start` runs. Database, file and password work share one thread pool, whose size must be set before its
 * first use. In Node 20, loading an ES module already uses it, so this file is CommonJS.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';
import('./start.mjs');
