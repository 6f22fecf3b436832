import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What one of the databases alone uses. */
const OF_ONE_DATABASE = /^db\/(migrations\/|(\w+\/)*(sqlite|postgres)[\w-]*\.ts$|engine\/)/;

/** What the tests reach by chance, or on SQLite alone. */
const EXEMPT = new Set([
  // Only an upload that takes long renews its lock.
  'db/content/upload/upload-lock.ts: keepUploadLock',
  // Rows are kept on SQLite only (docs/adr/0007).
  'db/loaders.ts: always',
]);

/**
 * The functions of `db/` that the files below one folder of coverage have run and those below the other have not, as
 * `db/content/link/link.ts: visitsOf`. Both folders hold what NODE_V8_COVERAGE makes.
 */
export function missingFunctions(sqlite, postgres) {
  const there = calledFunctions(postgres);
  return [...calledFunctions(sqlite)].filter((name) => !there.has(name) && !EXEMPT.has(name)).sort();
}

function calledFunctions(folder) {
  const called = new Set();
  const bundles = new Map();
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    for (const { url, functions } of resultsIn(join(folder, file))) {
      if (!url.startsWith('file://') || !url.includes('/dist/test/')) continue;
      const path = fileURLToPath(url);
      if (!bundles.has(path)) bundles.set(path, modulesOf(readFileSync(path, 'utf8')));
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, count }] = ranges;
        const module = bundles.get(path).findLast(({ start }) => start <= startOffset)?.name;
        if (functionName === '' || count === 0 || !module?.startsWith('db/')) continue;
        // esbuild numbers names that several modules of a bundle use.
        if (!OF_ONE_DATABASE.test(module)) called.add(`${module}: ${functionName.replace(/\d+$/, '')}`);
      }
    }
  }
  return called;
}

/** What one process has run; nothing if it was killed while it wrote that down, as some tests do with servers. */
function resultsIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).result;
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Where the modules of a bundle begin: esbuild puts a comment with its path before each. */
const modulesOf = (text) =>
  [...text.matchAll(/^\/\/ (\S+\.tsx?)$/gm)].map(({ index, 1: name }) => ({ start: index, name }));
