import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CannotPrepare, run, say } from './run.mjs';

/**
 * Compares the lock file with npm's own record of what it installed, so that a manual install counts and an
 * interrupted one does not.
 */
export function packagesMissing(root, dev) {
  if (!dev && isPackage(root)) return false;
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readRecord(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null)
    throw new CannotPrepare('package-lock.json is missing: use a complete copy of Holdall.');
  if (installed === null) return true;
  return Object.entries(wanted).some(([path, entry]) => {
    if (path === '' || (entry.dev && !dev)) return false;
    const found = installed[path];
    return found === undefined ? !entry.optional && !entry.devOptional : found.version !== entry.version;
  });
}

/**
 * Whether npm has installed Holdall as a package (`npx holdall`, `npm install --global`), and with it what it needs, beside
 * or inside it. A second copy would take minutes, and a place that may not be writable.
 */
function isPackage(root) {
  const around = dirname(root);
  if (basename(around) !== 'node_modules') return false;
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(dependencies).every((name) =>
    [join(root, 'node_modules'), around].some((folder) => existsSync(join(folder, name, 'package.json'))),
  );
}

/** Also null for a truncated record, for example after a power failure. */
function readRecord(path) {
  try {
    return readPackages(path) ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : null;
}

/**
 * The option that SQLite's own builds use: a commit then syncs only the file's data and not its metadata
 * (docs/adr/0002).
 */
const COMPILER_FLAGS =
  process.platform === 'linux' ? { CFLAGS: `${process.env.CFLAGS ?? ''} -DHAVE_FDATASYNC=1`.trim() } : {};

/**
 * The headers of this Node, if they lie beside it: its archive and nvm have them there, Debian has with libnode-dev. A driver
 * that is compiled needs no download from nodejs.org then.
 */
function headersBeside() {
  if (process.env.npm_config_nodedir) return {};
  const prefix = dirname(dirname(process.execPath));
  const file = join(prefix, 'include', 'node', 'node_version.h');
  if (!existsSync(file)) return {};
  const text = readFileSync(file, 'utf8');
  const part = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1];
  const version = `v${['MAJOR', 'MINOR', 'PATCH'].map(part).join('.')}`;
  return version === process.version ? { npm_config_nodedir: prefix } : {};
}

/** Installs the packages in the lock file. Throws `CannotPrepare` with advice. */
export async function install(root, withDev) {
  say('installing packages (the first time this takes a minute or two)');
  // Follows the lock file without changing it. Unlike `npm ci`, this keeps what is there and tolerates missing
  // optional packages of other platforms. The compiler is a development dependency, so it is named explicitly:
  // NODE_ENV must not exclude it.
  const args = ['install', '--no-save', withDev ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund'];
  await run(root, 'npm', args, 'installing packages', installAdvice, {
    // Compile on all CPU cores.
    JOBS: 'max',
    ...COMPILER_FLAGS,
    ...headersBeside(),
  });
  await run(
    root,
    process.execPath,
    ['-e', 'require("sqlite3")'],
    'loading the SQLite driver',
    () => COMPILER_ADVICE,
  );
}

const COMPILER_ADVICE =
  'The SQLite driver is not usable: install Python 3, make and a C++ compiler (Debian, Ubuntu: apt-get install -y ' +
  'python3 make g++; Alpine: apk add python3 make g++; macOS: xcode-select --install), run `npm rebuild sqlite3`, ' +
  'and start again.';

const HEADERS_ADVICE =
  'The SQLite driver could neither be downloaded from github.com nor compiled, because the headers of Node could not be ' +
  'downloaded from nodejs.org. Let this machine reach one of the two (or set `https_proxy`), or set npm_config_nodedir to ' +
  'the folder that has include/node/node.h of this Node (/usr with the package libnode-dev or nodejs-dev; the unpacked ' +
  'archive of Node), and start again.';

const UNREACHABLE = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|E50\d/;

/** Whether node-gyp had everything but the headers: it looks for Python before it asks for them, and for make after. */
const lacksHeaders = (output) =>
  /related to network connectivity/.test(output) ||
  (/gyp http GET \S*headers/.test(output) && !/gyp http 200 \S*headers/.test(output));

function installAdvice(output) {
  if (/ENOSPC/.test(output)) return 'The disk is full: free some space and start again.';
  if (/EACCES|EPERM|EROFS/.test(output))
    return 'The folder is not writable: change its owner (chown) and start again.';
  if (lacksHeaders(output)) return HEADERS_ADVICE;
  if (UNREACHABLE.test(output) && !/gyp ERR/.test(output)) {
    return "The npm registry cannot be reached: check the network (and npm's `proxy` and `registry` settings) and start again.";
  }
  if (/gyp|prebuild-install/.test(output)) return COMPILER_ADVICE;
  return 'npm could not install the packages: fix the errors above and start again.';
}
