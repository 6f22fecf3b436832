import { join } from 'node:path';
import { folderOf, isSharing } from './plan.mjs';
import { startTestProcess } from './test-process.mjs';

/** How many files a process runs before another takes its place: their memory adds up. */
const FILES_PER_PROCESS = 12;

/** The result of no test. */
export const NOTHING = { passed: 0, failed: 0, skipped: [], seconds: 0, cpuSeconds: null, output: '' };

/** The folders whose statements are compared between the databases. */
const COVERED = ['legacy', 'rest', 'routers'];

/**
 * Runs the two queues of `planRuns` in several jobs, shows each result as it comes, and returns all. With `coverage`, a
 * folder, what the tests of a database call is noted in a folder there with its name. With CI=true a skip is a failure.
 */
export async function runAll({ waiting, busy }, { jobs, limitSeconds, coverage, show }) {
  const results = [];
  const report = (result) => {
    if (process.env.CI === 'true' && result.failed === 0) result.failed = result.skipped.length;
    show(result);
    results.push(result);
  };
  // Half of the jobs wait while the others keep the processors busy, as long as there is work of both kinds.
  const next = (slot) =>
    slot % 2 === 0 ? (waiting.shift() ?? busy.shift()) : (busy.shift() ?? waiting.shift());

  const job = async (_, slot) => {
    let current = null;
    const retire = async () => {
      const problem = await current?.process.end();
      if (problem) report({ ...NOTHING, path: current.names.join(', '), failed: 1, problem });
      current = null;
    };
    for (let run = next(slot); run !== undefined; run = next(slot)) {
      const { file, database } = run;
      const isCovered = coverage !== null && COVERED.includes(folderOf(file));
      const fits =
        isSharing(file) &&
        current?.database === database &&
        current.isCovered === isCovered &&
        current.names.length < FILES_PER_PROCESS &&
        current.process.isAlive();
      if (!fits) await retire();
      current ??= {
        ...{ database, isCovered, names: [] },
        process: startTestProcess({
          limitSeconds,
          env: {
            HOLDALL_TEST_DB: database,
            // Concurrent files look for free ports in separate ranges.
            HOLDALL_TEST_SLOT: `${slot}/${jobs}`,
            ...(isCovered ? { NODE_V8_COVERAGE: join(coverage, database) } : {}),
          },
        }),
      };
      const path = `test/${file}${database === 'postgres' ? ' on PostgreSQL' : ''}`;
      current.names.push(path);
      report({ path, ...(await current.process.run(join('test', file))) });
      if (!isSharing(file)) await retire();
    }
    await retire();
  };
  await Promise.all(Array.from({ length: jobs }, job));
  return results;
}
