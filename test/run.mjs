/**
 * `npm test [-- words…] [--all] [--verbose] [--jobs=N] [--limit=SECONDS]`: prepares the checkout and runs the test files
 * of the first tier (`plan.mjs`), with --all every file, or those whose path contains one of the words, in processes with a
 * time limit. If TEST_DATABASE_URL names a PostgreSQL server, --all and words repeat the files that depend on the database
 * on it; HOLDALL_TEST_DB=sqlite|postgres selects one of the two. The output of failing files is shown. The last line is
 * `N passed, N failed`; with CI=true a skipped test is a failure.
 */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CannotPrepare, prepare } from '../server/operations/build/prepare/index.mjs';
import { compileTests } from './compile.mjs';
import { missingFunctions } from './database-coverage.mjs';
import { isCore, planRuns, runsOnEach } from './plan.mjs';
import { NOTHING, runAll } from './run-all.mjs';
import { killAll } from './test-process.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    // Two more than processors, because many files mostly wait.
    jobs: { type: 'string', default: String(availableParallelism() + 2) },
    limit: { type: 'string', default: '600' },
  },
});
const jobs = Math.max(1, Number(options.jobs));
const strict = process.env.CI === 'true';

const picked = process.env.HOLDALL_TEST_DB;
/** Whether the files that depend on the database run on both: neither one database nor the first tier was asked for. */
const onBoth = picked === undefined && (options.all || words.length > 0);

/** All runs, in two queues. */
function findRuns() {
  const databases = onBoth && process.env.TEST_DATABASE_URL ? ['sqlite', 'postgres'] : [picked ?? 'sqlite'];
  return planRuns(findFiles(), databases);
}

/** Reports the tests that the missing database prevents. */
function missingDatabase() {
  if (!onBoth || process.env.TEST_DATABASE_URL || !findFiles().some(runsOnEach)) return [];
  const line = '# skipped: files on PostgreSQL: TEST_DATABASE_URL is not set';
  return [{ path: 'test/run.mjs', ...NOTHING, failed: strict ? 1 : 0, skipped: [line] }];
}

/** Reports the functions of `db/` that were tried on SQLite alone. */
function untriedOnPostgres(coverage) {
  if (coverage === null) return [];
  const missing = missingFunctions(join(coverage, 'sqlite'), join(coverage, 'postgres'));
  const problem = `no file with \`// on both databases\` runs\n  ${missing.join('\n  ')}`;
  return missing.length === 0 ? [] : [{ path: 'test/database-coverage.mjs', ...NOTHING, failed: 1, problem }];
}

function findFiles() {
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) =>
      words.length === 0 ? options.all || isCore(path) : words.some((word) => path.includes(word)),
    )
    .sort();
}

/** The time by the clock, and of the processor without that of other processes that a file starts. */
const timeOf = ({ seconds, cpuSeconds }) =>
  `${seconds.toFixed(1)} s${cpuSeconds === null ? '' : `, ${cpuSeconds.toFixed(1)} s processor`}`;

function show(result) {
  const { path, passed, failed, skipped, problem, output } = result;
  const word = failed > 0 ? 'FAIL' : 'ok  ';
  const note = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  if (failed > 0 || options.verbose) console.log(output.trimEnd());
  console.log(`${word} ${path} (${passed} passed${note}, ${timeOf(result)})${problem ? `: ${problem}` : ''}`);
}

function summarize(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log('');
  if (results.length > 10) {
    console.log('slowest:');
    const slowest = [...results].sort((a, b) => b.seconds - a.seconds).slice(0, 10);
    for (const result of slowest) console.log(`  ${result.path} (${timeOf(result)})`);
  }
  for (const { path, skipped } of results) for (const line of skipped) console.log(`${line} (${path})`);
  for (const { path, failed, problem } of results)
    if (failed > 0) console.log(`failed: ${path}${problem ? `: ${problem}` : ''}`);
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
  const coverage =
    options.all && onBoth && process.env.TEST_DATABASE_URL
      ? await mkdtemp(join(tmpdir(), 'coverage-'))
      : null;
  try {
    const results = await runAll(findRuns(), { jobs, limitSeconds: Number(options.limit), coverage, show });
    process.exitCode = summarize([...results, ...missingDatabase(), ...untriedOnPostgres(coverage)]);
  } finally {
    if (coverage !== null) await rm(coverage, { recursive: true, force: true });
  }
} catch (error) {
  console.error(error instanceof CannotPrepare ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
