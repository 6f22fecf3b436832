/**
 * Makes a checkout ready to run: installs packages and builds, and only what is missing. Plain JavaScript
 * over Node's own modules, because it runs before anything is installed. Several processes may call it at
 * once; one works, the others wait.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { underLock } from './prepare-lock.mjs';

/** What a build is made from; a change in any of these files makes the next start build again. */
const SOURCES = [
  'client',
  'db',
  'rest-adapter',
  'routers',
  'server',
  'knexfile.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Among them: not what an editor, or `npm pack`, leaves beside. */
const SOURCE_FILE = /\.(tsx?|[cm]js|json|css|svg)$/;

/** The checkout cannot be made ready; the message says what to do about it. */
export class CannotPrepare extends Error {}

/**
 * Brings packages and build up to date. `dev` also asks for the packages that only tests need.
 * Throws `CannotPrepare`. Costs some 30 ms when nothing is missing.
 */
export async function prepare(root, { dev }) {
  checkNode(root);
  if (isReady(root, dev)) return;
  try {
    await underLock(join(root, 'dist', '.lock'), say, async () => {
      const wanted = fingerprint(root);
      const mustBuild = !isBuilt(root, wanted);
      const withDev = dev || mustBuild;
      if (packagesMissing(root, withDev)) await install(root, withDev);
      if (mustBuild) await build(root, wanted);
    });
  } catch (error) {
    throw ['EACCES', 'EPERM', 'EROFS'].includes(error.code)
      ? new CannotPrepare(readOnly(root, error))
      : error;
  }
}

const readOnly = (root, { code }) =>
  `Packages or build are missing or out of date, and this process cannot write to ${root} (${code}): stop the ` +
  'service, run `npm run build` there as the owner of the folder, and start again.';

/** One line of progress, apart from the log on standard output. */
export function say(line) {
  process.stderr.write(`holdall: ${line}\n`);
}

function checkNode(root) {
  const range = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node;
  const need = range
    .replace(/[^\d.]/g, '')
    .split('.')
    .map(Number);
  const have = process.versions.node.split('.').map(Number);
  if (have[0] > need[0] || (have[0] === need[0] && have[1] >= need[1])) return;
  throw new CannotPrepare(
    `Holdall needs Node ${range}, this is ${process.version}: install a current Node from https://nodejs.org and start again.`,
  );
}

function isReady(root, dev) {
  return !packagesMissing(root, dev) && isBuilt(root, fingerprint(root));
}

/**
 * Compares the lock file with npm's own record of what it installed, so that an install by hand counts
 * and one that was cut short does not.
 */
function packagesMissing(root, dev) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null)
    throw new CannotPrepare('package-lock.json is missing: take a complete copy of Holdall.');
  if (installed === null) return true;
  return Object.entries(wanted).some(([path, entry]) => {
    if (path === '' || (entry.dev && !dev)) return false;
    const found = installed[path];
    return found === undefined ? !entry.optional && !entry.devOptional : found.version !== entry.version;
  });
}

function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : null;
}

/** Content hash of all sources; null where only a build was delivered. */
function fingerprint(root) {
  if (!existsSync(join(root, 'server', 'main.ts'))) return null;
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

function isBuilt(root, wanted) {
  if (wanted === null) return existsSync(join(root, 'dist', 'server', 'main.js'));
  const stamp = join(root, 'dist', '.built');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

/**
 * As the makers of SQLite build it themselves: a commit then syncs its bytes alone, and not what the file system notes
 * about the file as well (docs/adr/0002).
 */
const COMPILER_FLAGS =
  process.platform === 'linux' ? { CFLAGS: `${process.env.CFLAGS ?? ''} -DHAVE_FDATASYNC=1`.trim() } : {};

async function install(root, withDev) {
  say('installing packages (the first time this takes a minute or two)');
  // Follows the lock file and leaves it alone; unlike `npm ci` it keeps what is there and bears with
  // optional packages of other platforms that a registry does not have. The compiler is a development
  // dependency, so it is asked for by name: NODE_ENV must not keep it out.
  const args = ['install', '--no-save', withDev ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund'];
  await run(root, 'npm', args, 'installing packages', installAdvice, {
    // The compiler uses every processor.
    JOBS: 'max',
    ...COMPILER_FLAGS,
  });
  await run(
    root,
    process.execPath,
    ['-e', 'require("sqlite3")'],
    'loading the SQLite driver',
    () => COMPILER_ADVICE,
  );
}

/**
 * Builds beside `dist` and moves file by file into it: a server that runs from there misses none, and a build that fails
 * leaves the one before it.
 */
async function build(root, wanted) {
  say('building');
  const draft = `${join(root, 'dist')}.part`;
  rmSync(draft, { recursive: true, force: true });
  const advice = () =>
    'The sources do not compile: take an unchanged copy of Holdall, or mend the lines above.';
  await run(root, process.execPath, [join('server', 'build.mjs'), draft], 'building', advice);
  moveInto(join(root, 'dist'), draft);
  writeFileSync(join(root, 'dist', '.built'), wanted);
}

/** Replaces what a folder holds, but for the lock, by the files of another one, which goes. */
function moveInto(folder, draft) {
  const filesIn = (base) =>
    readdirSync(base, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(base, join(entry.parentPath, entry.name)));
  // What is moved half-way counts as no build.
  rmSync(join(folder, '.built'), { force: true });
  const made = new Set(filesIn(draft));
  for (const path of made) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    renameSync(join(draft, path), join(folder, path));
  }
  for (const path of filesIn(folder))
    if (!made.has(path) && !path.startsWith('.lock')) rmSync(join(folder, path), { force: true });
  rmSync(draft, { recursive: true, force: true });
}

const COMPILER_ADVICE =
  'The SQLite driver is not usable: install Python 3, make and a C++ compiler (Debian, Ubuntu: apt-get install -y ' +
  'python3 make g++; Alpine: apk add python3 make g++; macOS: xcode-select --install), run `npm rebuild sqlite3`, ' +
  'and start again.';

function installAdvice(output) {
  if (/ENOSPC/.test(output)) return 'The disk is full: make room and start again.';
  if (/EACCES|EPERM|EROFS/.test(output))
    return 'The folder cannot be written to: make it yours (chown) and start again.';
  if (/ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|E50\d/.test(output) && !/gyp ERR/.test(output)) {
    return "The npm registry cannot be reached: check the network (and npm's `proxy` and `registry` settings) and start again.";
  }
  if (/gyp|prebuild-install/.test(output)) return COMPILER_ADVICE;
  return 'npm could not install the packages: mend what it says above and start again.';
}

/** The lines that say what went wrong: npm names the fault first and prints pages of help after it. */
function telling(output) {
  const lines = output.trimEnd().split('\n');
  const errors = lines.filter((line) => /^npm (error|ERR!) \S/.test(line));
  return (errors.length > 0 ? errors.slice(0, 15) : lines.slice(-30)).join('\n');
}

/** Runs a program quietly; its last lines are shown only when it fails. */
function run(root, command, args, what, advice, env = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      shell: command === 'npm' && process.platform === 'win32',
    });
    const beat = setInterval(
      () => say(`still ${what} (${Math.round((performance.now() - started) / 1000)} s)`),
      20_000,
    );
    const stop = (signal) => child.kill(signal);
    process.once('SIGTERM', stop).once('SIGINT', stop);
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-65_536);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const end = (failure) => {
      clearInterval(beat);
      process.off('SIGTERM', stop).off('SIGINT', stop);
      if (failure === null) resolve();
      else reject(new CannotPrepare(failure));
    };
    child.on('error', (error) =>
      end(
        `${command} cannot be run (${error.message}): install Node with npm from https://nodejs.org and start again.`,
      ),
    );
    child.on('close', (code, signal) => {
      if (code === 0) return end(null);
      if (signal !== null) return end(`Stopped by ${signal} while ${what}.`);
      end(`${telling(output)}\n\n${advice(output)}`);
    });
  });
}
