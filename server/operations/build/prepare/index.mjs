/**
 * Prepares a checkout for running: installs packages and builds, but only what is missing. Plain JavaScript with Node
 * modules only, because it runs before anything is installed. If several processes call it at once, one works and the
 * others wait.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, fingerprint, isBuilt } from './build.mjs';
import { underLock } from './lock.mjs';
import { install, packagesMissing } from './packages.mjs';
import { CannotPrepare, say } from './run.mjs';

export { CannotPrepare };

/**
 * Brings packages and build up to date. `dev` also installs the packages that only tests need. Throws
 * `CannotPrepare`. Takes about 30 ms if nothing is missing.
 */
export async function prepare(root, { dev }) {
  checkNode(root);
  if (isReady(root, dev)) return;
  if (fingerprint(root) === null && !isBuilt(root, null))
    throw new CannotPrepare(`The build of this release is not complete: unpack it again into ${root}.`);
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
  `The packages or the build are missing or out of date, and this process cannot write to ${root} (${code}): stop the ` +
  'service, run `npm run build` there as the owner of the folder, and start again.';

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
