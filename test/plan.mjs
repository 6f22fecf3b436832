/** Which test files run together in a process, on which databases, and in what order. */

/** The folders whose files mostly wait: for processes that they start, stop, freeze and kill. */
const WAITING = ['faults', 'e2e'];

/**
 * The slowest files and folders, in this order; the others follow. So none of them runs alone at the end, while a processor
 * has nothing to do.
 */
const SLOWEST = [
  'e2e/pages',
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
  'e2e',
  'faults',
  'fuzz',
  'hostile/regex',
  'hostile/image',
  'routers/access-matrix',
  'rest/order',
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

/** Whether the tests of a file run on each database. */
export const runsOnEach = (file) =>
  ON_EACH_DATABASE.includes(folderOf(file)) && !ON_ONE_DATABASE.includes(nameOf(file));

/**
 * All runs of these files, the slowest first, in two queues: those that mostly wait, and those that keep a processor busy.
 * `databases` are those of the tests that run on each.
 */
export function planRuns(files, { jobs, databases }) {
  const once = files.filter((file) => !runsOnEach(file));
  const twice = files.filter(runsOnEach);
  // The others count as run on SQLite, wherever their tests go.
  const [first, ...more] = databases;
  const runs = [
    ...together(first === 'sqlite' ? files : once, jobs).map((files) => ({ files, database: 'sqlite' })),
    ...(first === 'sqlite' ? more : databases).flatMap((database) =>
      together(twice, jobs).map((files) => ({ files, database })),
    ),
  ].sort((a, b) => rankOf(a) - rankOf(b));
  return { waiting: runs.filter(isWaiting), busy: runs.filter((run) => !isWaiting(run)) };
}

const isWaiting = ({ files: [file] }) =>
  WAITING.includes(folderOf(file)) && sharedFolderOf(file) === undefined;

const rankOf = ({ files }) =>
  Math.min(...files.map((file) => SLOWEST.findIndex((path) => file.startsWith(path)) >>> 0));

/** Groups of files for one process each, small enough that every job has work. */
function together(files, jobs) {
  const isAlone = (file) => ALONE.includes(nameOf(file));
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

const nameOf = (file) => file.replace('.test.ts', '');
const sharedFolderOf = (file) => SHARING.find((folder) => file.startsWith(`${folder}/`));

/** The folder of tests that a file belongs to. */
export const folderOf = (file) => file.split('/')[0];
