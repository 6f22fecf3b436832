/** Which test files run in which tier, on which databases, and in what order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm test` runs these folders on SQLite, and these files of the others: the journeys of a person in a browser, of a client
 * and of an operator. `npm run test:all` runs every file, and those with `// on both databases` in their first line also on
 * PostgreSQL.
 */
const CORE = ['unit', 'routers', 'rest', 'legacy'];
/** Their files that only `npm run test:all` runs: they compile much of the program. */
const COMPILING = ['unit/new-kind'];
const JOURNEYS = [
  'e2e/boot',
  'e2e/client.test',
  'e2e/cli-client',
  'e2e/pages/collections',
  'e2e/pages/first-hour',
  'e2e/pages/flows',
  'e2e/pages/library',
  'e2e/pages/mail.test',
  'e2e/pages/passkeys',
  'e2e/pages/cross-site',
  'e2e/pages/double-submit',
  'e2e/pages/upload',
  'e2e/pages/viewer',
  'e2e/restore',
];

/** Whether `npm test` runs a file. */
export const isCore = (file) =>
  (CORE.includes(folderOf(file)) && !COMPILING.some((path) => file.startsWith(path))) ||
  JOURNEYS.some((path) => file.startsWith(path));

/** What a file says in its first line if its guarantee lies in a statement, a transaction or a race between changes. */
const ON_BOTH = '// on both databases\n';

/** Whether the tests of a file run on each database. */
export const runsOnEach = (file) => readFileSync(join('test', file), 'utf8').startsWith(ON_BOTH);

/** The folders whose files mostly wait: for processes that they start, stop, freeze and kill. */
const WAITING = ['faults', 'e2e'];

/**
 * The slowest files and folders, in this order; the others follow. So none of them runs alone at the end, while a processor
 * has nothing to do.
 */
const SLOWEST = [
  'faults/stall',
  'e2e/release',
  'e2e/cli',
  'e2e/backup',
  'e2e/boot',
  'e2e/move',
  'e2e/cluster',
  'faults/terminate',
  'faults/clock',
  'faults/kill',
  'fuzz',
  'hostile/regex',
  'hostile/image',
  'e2e/pages',
  'e2e',
  'faults',
  'hostile',
  'routers/access-matrix',
  'rest/upload',
  'rest/mail',
  'unit/media',
  'rest',
  'routers',
  'unit/storage',
  'legacy',
];

/**
 * The folders of which several files share a process, to load and warm up the program once for all of them.
 * Files of the others start programs, inspect the resources of a process, or crash it.
 */
const SHARING = ['e2e/pages', 'legacy', 'rest', 'routers', 'unit'];
/** Their files that need a process in which the program was not loaded before. */
const ALONE = ['unit/durable-names', 'unit/node-internals'];

/** Whether a file may run in a process that has run others. */
export const isSharing = (file) =>
  SHARING.some((folder) => file.startsWith(`${folder}/`)) && !ALONE.includes(file.replace('.test.ts', ''));

/**
 * All runs of these files, the slowest first, in two queues: those that mostly wait, and those that keep a processor busy.
 * Every file runs on the first of the databases; on a second only the files that say so.
 */
export function planRuns(files, databases) {
  const runs = databases.flatMap((database, index) =>
    files
      .filter((file) => index === 0 || runsOnEach(file))
      .map((file) => ({ file, database }))
      .sort((a, b) => rankOf(a) - rankOf(b)),
  );
  return { waiting: runs.filter(isWaiting), busy: runs.filter((run) => !isWaiting(run)) };
}

const isWaiting = ({ file }) => WAITING.includes(folderOf(file)) && !isSharing(file);

const rankOf = ({ file }) => SLOWEST.findIndex((path) => file.startsWith(path)) >>> 0;

/** The folder of tests that a file belongs to. */
export const folderOf = (file) => file.split('/')[0];
