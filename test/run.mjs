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
import { folderOf, planRuns, runsOnEach } from './plan.mjs';
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

/** All runs, in two queues. */
function findRuns() {
  const picked = process.env.HOLDALL_TEST_DB;
  const hasPostgres = process.env.TEST_DATABASE_URL && picked !== 'sqlite';
  const databases = [...(picked === 'postgres' ? [] : ['sqlite']), ...(hasPostgres ? ['postgres'] : [])];
  return planRuns(findFiles(), { jobs, databases });
}

/** Reports the tests that the missing database prevents. */
function missingDatabase() {
  const folders = [...new Set(findFiles().filter(runsOnEach).map(folderOf))];
  if (folders.length === 0 || process.env.TEST_DATABASE_URL || process.env.HOLDALL_TEST_DB === 'sqlite')
    return [];
  const line = `# skipped: ${folders.join(' and ')} on PostgreSQL: TEST_DATABASE_URL is not set`;
  return [{ path: 'test/run.mjs', passed: 0, failed: strict ? 1 : 0, skipped: [line] }];
}

function findFiles() {
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort();
}

async function runAll({ waiting, busy }) {
  const results = [];
  // Half of the jobs wait while the others keep the processors busy, as long as there is work of both kinds.
  const next = (slot) =>
    slot % 2 === 0 ? (waiting.shift() ?? busy.shift()) : (busy.shift() ?? waiting.shift());
  const worker = async (_, slot) => {
    for (let run = next(slot); run !== undefined; run = next(slot)) {
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
