/**
 * `npm test [-- words…] [--verbose] [--jobs=N] [--limit=SECONDS]`: prepares the checkout and runs the test
 * files whose path contains one of the words, in processes with a time limit. If TEST_DATABASE_URL names a
 * PostgreSQL server, the tests that depend on the database are repeated on it; HOLDALL_TEST_DB=sqlite|postgres
 * selects one of the two. The output of failing files is shown. The last line is `N passed, N failed`; with
 * CI=true a skipped test is a failure.
 */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CannotPrepare, prepare } from '../server/operations/build/prepare/index.mjs';
import { compileTests } from './compile.mjs';
import { killAll, runFiles } from './test-process.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean', default: false },
    // Two more than processors, because many files mostly wait.
    jobs: { type: 'string', default: String(availableParallelism() + 2) },
    limit: { type: 'string', default: '600' },
  },
});
const jobs = Math.max(1, Number(options.jobs));
const strict = process.env.CI === 'true';

/** The slow folders first, so that no long file runs alone at the end. */
const FOLDERS = ['faults', 'e2e', 'fuzz'];

/**
 * The folders of which several files share a process, to load and warm up the program once for all of them.
 * Files of the others start programs, inspect the resources of a process, or crash it.
 */
const SHARING = ['e2e/pages', 'legacy', 'rest', 'routers', 'unit'];
const MAX_TOGETHER = 6;
/** Their files that need a process in which the program was not loaded before. */
const ALONE = ['unit/durable-names', 'unit/node-internals'];

/** The folders whose tests run on each database. */
const ON_EACH_DATABASE = ['legacy', 'rest', 'routers', 'fuzz'];

/**
 * Their files that run on SQLite only, because what they guarantee is decided before the database is asked or
 * after it has answered: how requests and answers are written, and what happens to the bytes of files. A file
 * whose guarantee lies in a statement, a transaction or a race between changes does not belong here.
 */
const ON_ONE_DATABASE = [
  'fuzz/pages',
  'legacy/image-tools',
  'legacy/rare-formats',
  'rest/body-limits',
  'rest/early-refusal',
  'rest/forms',
  'rest/image/image-archive',
  'rest/image/image-get',
  'rest/image/image-listing',
  'rest/image/image-metadata',
  'rest/image/image-passing',
  'rest/image/image-renditions',
  'rest/image/image-store-faults',
  'rest/image/image-unidentified',
  'rest/image/image-upload',
  'rest/item-address',
  'rest/item-password',
  'rest/mail/mail-corpus',
  'rest/mail/mail-extremes',
  'rest/metrics',
  'rest/security-headers',
  'rest/site',
  'rest/table',
  'rest/ways-of-writing',
  'rest/zip/zip-names',
  'rest/zip/zip-programs',
  'routers/stats-visitors',
];

const runsOnEach = (file) =>
  ON_EACH_DATABASE.includes(folderOf(file)) && !ON_ONE_DATABASE.includes(file.replace('.test.ts', ''));

/** All runs of files, those on SQLite first. */
function findRuns() {
  const files = findFiles();
  const picked = process.env.HOLDALL_TEST_DB;
  const twice = files.filter(runsOnEach);
  const onSqlite = picked === 'postgres' ? files.filter((file) => !twice.includes(file)) : files;
  const onPostgres = process.env.TEST_DATABASE_URL && picked !== 'sqlite' ? twice : [];
  return [
    ...together(onSqlite).map((files) => ({ files, database: 'sqlite' })),
    ...together(onPostgres).map((files) => ({ files, database: 'postgres' })),
  ];
}

/** Groups of files for one process each, small enough that every job has work. */
function together(files) {
  const isAlone = (file) => ALONE.includes(file.replace('.test.ts', ''));
  const sharing = files.filter((file) => sharedFolderOf(file) !== undefined && !isAlone(file));
  const alone = files.filter((file) => !sharing.includes(file));
  const size = Math.max(1, Math.min(MAX_TOGETHER, Math.ceil(sharing.length / (2 * jobs))));
  const groups = SHARING.flatMap((folder) => {
    const mine = sharing.filter((file) => sharedFolderOf(file) === folder);
    return Array.from({ length: Math.ceil(mine.length / size) }, (_, group) =>
      mine.slice(group * size, (group + 1) * size),
    );
  });
  return [...alone.map((file) => [file]), ...groups];
}

const folderOf = (file) => file.split('/')[0];
const sharedFolderOf = (file) => SHARING.find((folder) => file.startsWith(`${folder}/`));

/** Reports the tests that the missing database prevents. */
function missingDatabase() {
  const folders = [...new Set(findFiles().filter(runsOnEach).map(folderOf))];
  if (folders.length === 0 || process.env.TEST_DATABASE_URL || process.env.HOLDALL_TEST_DB === 'sqlite')
    return [];
  const line = `# skipped: ${folders.join(' and ')} on PostgreSQL: TEST_DATABASE_URL is not set`;
  return [{ path: 'test/run.mjs', passed: 0, failed: strict ? 1 : 0, skipped: [line] }];
}

function findFiles() {
  const rank = (path) => FOLDERS.findIndex((folder) => path.startsWith(`${folder}/`)) >>> 0;
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

async function runAll(runs) {
  const results = [];
  const queue = [...runs];
  const worker = async (_, slot) => {
    for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
      const paths = run.files.map((file) => join('test', file));
      const result = await runFiles(paths, {
        limitSeconds: Number(options.limit),
        // Concurrent files look for free ports in separate ranges.
        env: { HOLDALL_TEST_DB: run.database, HOLDALL_TEST_SLOT: `${slot}/${jobs}` },
      });
      result.path = `${paths.join(', ')}${run.database === 'postgres' ? ' on PostgreSQL' : ''}`;
      if (strict && result.failed === 0) result.failed = result.skipped.length;
      show(result);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return results;
}

function show({ path, passed, failed, skipped, problem, seconds, output }) {
  const word = failed > 0 ? 'FAIL' : 'ok  ';
  const note = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  if (failed > 0 || options.verbose) console.log(output.trimEnd());
  console.log(
    `${word} ${path} (${passed} passed${note}, ${seconds.toFixed(1)} s)${problem ? `: ${problem}` : ''}`,
  );
}

function summarize(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log('');
  for (const { path, skipped } of results) for (const line of skipped) console.log(`${line} (${path})`);
  for (const { path, failed } of results) if (failed > 0) console.log(`failed: ${path}`);
  if (results.length === 0) console.log(`no test file has a path with ${words.join(' or ')}`);
  const failed = results.length === 0 ? 1 : sum('failed');
  console.log(`${sum('passed')} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    killAll();
    process.exit(1);
  });
}

try {
  process.chdir(root);
  await prepare(root, { dev: true });
  await compileTests(root);
  process.exitCode = summarize([...(await runAll(findRuns())), ...missingDatabase()]);
} catch (error) {
  console.error(error instanceof CannotPrepare ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
