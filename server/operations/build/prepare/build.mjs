import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { run, say } from './run.mjs';

/** The sources of a build; a change to any of these files makes the next start rebuild. */
const SOURCES = [
  'client',
  'db',
  'rest-adapter',
  'routers',
  'server',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Excludes files from editors or `npm pack`. */
const SOURCE_FILE = /\.(tsx?|[cm]js|json|css|svg)$/;

/** Content hash of all sources; null if only a build was delivered. */
export function fingerprint(root) {
  if (!existsSync(join(root, 'server', 'runtime', 'main.ts'))) return null;
  const hash = createHash('sha256');
  const add = (path) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  for (const source of SOURCES) {
    if (!existsSync(join(root, source))) continue;
    if (source.includes('.')) add(source);
    else for (const path of filesBelow(root, source)) add(path);
  }
  return hash.digest('hex');
}

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory())
        return ['node_modules', 'dist'].includes(entry.name) ? [] : filesBelow(root, path);
      return entry.isFile() && SOURCE_FILE.test(entry.name) ? [path] : [];
    });
}

/** Whether the build was made from the sources with this `fingerprint`. */
export function isBuilt(root, wanted) {
  if (wanted === null) return existsSync(join(root, 'dist', 'server', 'runtime', 'main.js'));
  return readStamp(root).fingerprint === wanted;
}

/** The stamp that a build writes last: the fingerprint of its sources and its files. */
function readStamp(root) {
  const path = join(root, 'dist', '.built');
  const [fingerprint = '', ...files] = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return { fingerprint, files };
}

/**
 * Builds next to `dist` and moves the files into it one by one, so that a running server always finds its files and a
 * failed build changes nothing.
 */
export async function build(root, wanted) {
  say('building');
  const draft = `${join(root, 'dist')}.part`;
  rmSync(draft, { recursive: true, force: true });
  const advice = () =>
    'The sources do not compile: use an unchanged copy of Holdall, or fix the errors above.';
  await run(
    root,
    process.execPath,
    [join('server', 'operations', 'build', 'bundle.mjs'), draft],
    'building',
    advice,
  );
  const before = readStamp(root).files;
  const files = moveInto(join(root, 'dist'), draft, before);
  writeFileSync(join(root, 'dist', '.built'), [wanted, ...files].join('\n'));
}

/**
 * Replaces the contents of a folder, except for the lock, with the files of another one, which is removed. Returns
 * their paths. Shared parts of the previous build are kept, because a running server may not have loaded them yet.
 */
function moveInto(folder, draft, before) {
  const filesIn = (base) =>
    readdirSync(base, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(base, join(entry.parentPath, entry.name)));
  // Entry files are moved after the shared parts that they import.
  const made = filesIn(draft).sort().reverse();
  // A partly moved build counts as no build; a server may be running from either.
  writeFileSync(join(folder, '.built'), ['', ...before, ...made].join('\n'));
  for (const path of made) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    renameSync(join(draft, path), join(folder, path));
  }
  const kept = new Set([...made, ...before.filter((path) => dirname(path) === 'shared')]);
  for (const path of filesIn(folder))
    if (!kept.has(path) && !path.startsWith('.lock')) rmSync(join(folder, path), { force: true });
  rmSync(draft, { recursive: true, force: true });
  return made;
}
