/**
 * What npm installs: independent of a registry, unchanged, under redistributable licences, and documented.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readLock } from '../support/lock.js';
import { ROOT } from '../support/root.js';

/** Redistributable with anything. */
const FREE = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'ISC',
  'BlueOak-1.0.0',
  'Unlicense',
  'Zlib',
  'Python-2.0',
];
/** Used unchanged, as libraries or separate programs; docs/dependencies.md lists those in production. */
const RECIPROCAL = [
  /^@ffmpeg\/core GPL-2\.0-or-later$/,
  /^@img\/sharp-\S+ LGPL-3\.0-or-later$/,
  /^libheif-js LGPL-3\.0$/,
  /^mediabunny MPL-2\.0$/,
  /^axe-core MPL-2\.0$/,
  /^rollup-plugin-dts LGPL-3\.0-only$/,
];
/** Packages too old to declare their licence where npm looks. */
const SAID_ELSEWHERE: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  'combine-errors': 'MIT',
  streamsearch: 'MIT',
};

const { '': own = {}, ...packages } = await readLock(ROOT);
const locked = Object.entries(packages).map(([path, entry]) => ({
  name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  ...entry,
}));
const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
const direct: Readonly<Record<string, string>> = {
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
};

const test = suite('lock file');

test('names no registry, and has a hash for each package of every platform', () => {
  assert.equal(
    locked.filter(({ resolved, link }) => resolved !== undefined || link === true),
    [],
  );
  assert.equal(
    locked.filter(({ integrity }) => !integrity?.startsWith('sha512-')),
    [],
  );
});

test('matches package.json, as `npm ci` checks it without a network', async () => {
  for (const key of ['dependencies', 'devDependencies', 'optionalDependencies', 'engines'] as const)
    assert.equal(own[key], manifest[key], key);
  const folder = await mkdtemp(join(tmpdir(), 'holdall-lock-'));
  try {
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(join(ROOT, name), join(folder, name));
    await promisify(execFile)('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], { cwd: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('contains only packages under known licences', () => {
  const allowed = (name: string, licence: string) =>
    FREE.includes(licence) || RECIPROCAL.some((pattern) => pattern.test(`${name} ${licence}`));
  const refused = locked.filter(({ name, license = SAID_ELSEWHERE[name] ?? 'none' }) =>
    license
      .replace(/[()]/g, '')
      .split(' AND ')
      .some((all) => !all.split(' OR ').some((licence) => allowed(name, licence))),
  );
  assert.equal(
    refused.map(({ name, license }) => `${name} ${license}`),
    [],
  );
});

test('allows the one install script that the documentation names', () => {
  const scripted = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  assert.equal(scripted.sort(), Object.keys(manifest.allowScripts).sort());
  assert.equal(manifest.allowScripts, { '@gristlabs/sqlite3': true, esbuild: false });
});

test('every production package has its line in docs/dependencies.md: size, licence, state', async () => {
  const page = await readFile(join(ROOT, 'docs', 'dependencies.md'), 'utf8');
  const lines = page.split('\n').filter((line) => line.startsWith('| `'));
  const listed = lines.flatMap((line) => {
    const [, names = '', purpose = '', size = '', licence = '', state = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    assert.ok(purpose && state, line);
    assert.match(size, /^\d+\.\d$/);
    return [...names.replace(/\(.*?\)/g, '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({
      name,
      licence,
    }));
  });
  assert.equal(listed.map(({ name }) => name).sort(), Object.keys(direct).sort());
  for (const { name, licence } of listed)
    assert.ok(licence.startsWith(packages[`node_modules/${name}`]?.license ?? '?'), `${name}: ${licence}`);
});

test('the client has no dependencies, and the version of the server', async () => {
  const client = JSON.parse(await readFile(join(ROOT, 'client', 'package.json'), 'utf8'));
  assert.is(client.version, manifest.version);
  for (const key of ['dependencies', 'optionalDependencies', 'peerDependencies', 'scripts'])
    assert.is(client[key], undefined, key);
});

test.run();
