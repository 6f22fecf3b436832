/**
 * `npm run release [-- --out=FOLDER] [--uncommitted]`: makes what a release consists of, the same bytes from the
 * same commit: the program, built and without what only its development needs; the client; the documents as a site; the
 * list of packages (CycloneDX); and the sums of all of them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildClient } from '../client/build.mjs';
import { docsSite } from './docs-site.mjs';
import { tarball } from './tarball.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What starts a program that has no sources, and what is to be read about it. */
const DELIVERED = [
  '.npmrc',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'client/README.md',
  'deploy',
  'docs',
  'server/start.cjs',
  'server/start.mjs',
  'server/operations/build/prepare',
  'server/operations/command/holdall.cjs',
];
/** The scripts of package.json that need no sources. */
const SCRIPTS = ['start', 'build', 'sbom'];

const runIn = (cwd, program, ...args) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const git = (...args) => runIn(root, 'git', ...args);
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const json = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
const contents = (base, paths) => paths.map((path) => [path, readFileSync(join(base, path))]);

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'release') },
    uncommitted: { type: 'boolean', default: false },
  },
});
const { name, version } = readJson('package.json');
if (readJson('client/package.json').version !== version)
  throw new Error('package.json and client/package.json differ in their versions');
if (!options.uncommitted && git('status', '--porcelain') !== '')
  throw new Error('a release is made of a commit: commit what has changed');
const madeAt = new Date(Number(git('log', '-1', '--format=%ct')) * 1000);

const files = {
  [`holdall-${version}.tgz`]: await program(),
  [`holdall-client-${version}.tgz`]: await client(),
  [`holdall-docs-${version}.tgz`]: await tarball(`holdall-docs-${version}`, docsSite(version), madeAt),
  [`holdall-${version}.cdx.json`]: billOfMaterials(),
};
const sums = Object.entries(files).map(([file, bytes]) => `${sha256(bytes)}  ${file}\n`);
mkdirSync(options.out, { recursive: true });
for (const [file, bytes] of Object.entries({ ...files, SHA256SUMS: sums.join('') }))
  writeFileSync(join(options.out, file), bytes);
process.stdout.write(sums.join(''));

async function program() {
  const draft = mkdtempSync(join(tmpdir(), 'holdall-program-'));
  try {
    runIn(
      root,
      process.execPath,
      join('server', 'operations', 'build', 'bundle.mjs'),
      join(draft, 'dist'),
      '--no-maps',
    );
    const built = readdirSync(draft, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(draft, join(entry.parentPath, entry.name)));
    const delivered = git('ls-files', '--', ...DELIVERED).split('\n');
    return await tarball(
      `holdall-${version}`,
      [...contents(root, delivered), ...contents(draft, built), ...packageFiles()],
      madeAt,
    );
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** package.json and its lock file, as if there had never been a development dependency. */
function packageFiles() {
  // npm publishes no package that is private, as the checkout is.
  const { devDependencies: _, private: ___, scripts, ...manifest } = readJson('package.json');
  const { packages, ...lock } = readJson('package-lock.json');
  const { devDependencies: __, ...own } = packages[''];
  // `devOptional`: a development dependency that some other package would take if it were there.
  const needed = Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
  const kept = Object.entries(scripts).filter(([script]) => SCRIPTS.includes(script));
  return [
    ['package.json', json({ ...manifest, scripts: Object.fromEntries(kept) })],
    ['package-lock.json', json({ ...lock, packages: { ...Object.fromEntries(needed), '': own } })],
  ];
}

async function client() {
  const dist = mkdtempSync(join(tmpdir(), 'holdall-client-'));
  try {
    await buildClient(dist);
    const built = contents(dist, readdirSync(dist)).map(([path, bytes]) => [`dist/${path}`, bytes]);
    const others = [
      ...contents(root, ['LICENSE']),
      ...contents(join(root, 'client'), ['README.md', 'package.json']),
    ];
    return await tarball('package', [...built, ...others], madeAt);
  } finally {
    rmSync(dist, { recursive: true, force: true });
  }
}

/** npm's own list of what the lock file of the release names, without what differs each time it is printed. */
function billOfMaterials() {
  // npm takes the name of the folder for that of the program.
  const folder = join(mkdtempSync(join(tmpdir(), 'holdall-sbom-')), name);
  try {
    mkdirSync(folder);
    for (const [path, bytes] of packageFiles()) writeFileSync(join(folder, path), bytes);
    const { serialNumber: _, ...bill } = JSON.parse(runIn(folder, 'npm', 'run', '-s', 'sbom'));
    bill.metadata.timestamp = madeAt.toISOString();
    return json(bill);
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true });
  }
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
