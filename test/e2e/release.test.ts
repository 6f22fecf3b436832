/** The result of `npm run release`, used with nothing but Node, npm and a registry. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Consumer, createConsumer, wronglyAccepted } from '../support/interface/consumer.js';
import { readLock } from '../support/lock.js';
import { ROOT } from '../support/root.js';
import { OWNER, startServer } from '../support/servers/server-process.js';
import { skipping } from '../support/skip.js';

const run = promisify(execFile);

const test = suite('release');
let folder: string;
/** The release folder. */
let made: string;
/** The unpacked program. */
let program: string;
/** A package that has installed the client, and nothing else. */
let consumer: Consumer;
let packed: string;

const release = (out: string, env: NodeJS.ProcessEnv = process.env) =>
  run(process.execPath, ['.ci/release.mjs', '--uncommitted', `--out=${out}`], { cwd: ROOT, env });

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdall-release-'));
  made = join(folder, 'made');
  await release(made);
  const [archive = ''] = (await readdir(made)).filter((name) => /^holdall-\d.*\.tgz$/.test(name));
  program = join(folder, archive.replace(/\.tgz$/, ''));
  await run('tar', ['-xzf', join(made, archive), '-C', folder]);
  consumer = await createConsumer({ target: 'es2022', lib: ['es2022', 'dom'], types: [] });
  packed = join(consumer.folder, 'node_modules', '@holdall', 'client');
  await mkdir(packed, { recursive: true });
  const [client = ''] = (await readdir(made)).filter((name) => name.startsWith('holdall-client-'));
  await run('tar', ['-xzf', join(made, client), '-C', packed, '--strip-components=1']);
});
test.after(async () => {
  await consumer.remove();
  await rm(folder, { recursive: true, force: true });
});

const USE = `
import { createClient, HoldallError, type ShortUrlRecord } from '@holdall/client';
const holdall = createClient({ origin: 'http://localhost' });
export async function main(): Promise<ShortUrlRecord> {
  const link = await holdall.api.url.create.mutate({ url: 'example.com', maxUses: 3 });
  const visits: number = link.visits;
  const image = await holdall.upload(new Blob(['x']), { onProgress: ({ sent }) => console.log(sent, visits) });
  const size: number | null = image.size;
  if (size === 0) throw new HoldallError('x', { status: 400, reason: 'INVALID' });
  return link;
}
`;

test('its checksums match, and it is reproducible in another place', async () => {
  await run('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: made });
  const again = join(folder, 'again');
  const elsewhere = join(folder, 'some', 'where', 'else');
  await mkdir(elsewhere, { recursive: true });
  await release(again, { ...process.env, TMPDIR: elsewhere });
  assert.equal(await readdir(again), await readdir(made));
  assert.is(
    await readFile(join(again, 'SHA256SUMS'), 'utf8'),
    await readFile(join(made, 'SHA256SUMS'), 'utf8'),
  );
});

test('the documents are a site whose links lead to its pages, with a search', async () => {
  const [archive = ''] = (await readdir(made)).filter((name) => name.startsWith('holdall-docs-'));
  await run('tar', ['-xzf', join(made, archive), '-C', folder]);
  const site = join(folder, archive.replace(/\.tgz$/, ''));
  const pages = (await readdir(site, { recursive: true })).filter((name) => name.endsWith('.html'));
  assert.ok(pages.includes('docs/compare.html') && pages.includes('index.html'));
  for (const page of pages) {
    const html = await readFile(join(site, page), 'utf8');
    for (const [, href = ''] of html.matchAll(/href="([^"#:]+\.html)/g))
      assert.ok(existsSync(join(site, dirname(page), href)), `${page}: ${href}`);
  }
  const [index = ''] = (await readFile(join(site, 'search.js'), 'utf8')).split(';\n');
  const sections: string[][] = JSON.parse(index.replace('const INDEX=', ''));
  const found = sections.filter(([, , text]) => text?.includes('traceparent'));
  assert.ok(found.some(([href]) => href === 'docs/operations.html#traces'));
});

test('contains the build and its documents, and nothing for development only', async () => {
  const files = await readdir(program, { recursive: true });
  for (const path of [
    'dist/server/runtime/main.js',
    'dist/assets/manifest.json',
    'LICENSE',
    'docs/operations.md',
  ])
    assert.ok(files.includes(path), path);
  assert.equal(
    files.filter((path) => /\.(tsx?|map)$|(^|\/)(test|node_modules)(\/|$)/.test(path)),
    [],
  );
  const manifest = JSON.parse(await readFile(join(program, 'package.json'), 'utf8'));
  assert.is(manifest.devDependencies, undefined);
  assert.equal(
    Object.values(await readLock(program)).filter(({ dev, devOptional }) => dev || devOptional),
    [],
  );
  for (const path of files.filter((name) => name.endsWith('.md'))) {
    const page = await readFile(join(program, path), 'utf8');
    for (const [, target = ''] of page.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      assert.ok(existsSync(join(program, dirname(path), target)), `${path} -> ${target}`);
  }
});

test('lists each production package in its CycloneDX file', async () => {
  const [name = ''] = (await readdir(made)).filter((file) => file.endsWith('.cdx.json'));
  const { bomFormat, metadata, components } = JSON.parse(await readFile(join(made, name), 'utf8'));
  assert.is(bomFormat, 'CycloneDX');
  assert.is(metadata.component.name, 'holdall');
  const listed = components.map((component: { purl: string }) => decodeURIComponent(component.purl));
  const locked = Object.entries(await readLock(program)).filter(([path]) => path !== '');
  const purlOf = ([path, { name, version }]: (typeof locked)[number]) =>
    `pkg:npm/${name ?? path.split('node_modules/').at(-1)}@${version}`;
  assert.equal([...new Set(listed)].sort(), [...new Set(locked.map(purlOf))].sort());
});

test('installs the production packages, serves with `npm start`, and exits with 0', async () => {
  await run('npm', ['run', 'build'], {
    cwd: program,
    env: { ...process.env, npm_config_prefer_offline: 'true', ...(await builtDriver()) },
  });
  assert.not.ok(existsSync(join(program, 'node_modules', 'esbuild')));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const server = await startServer({ dataDir, command: ['npm', '--prefix', program, 'start'] });
  try {
    const file = join(folder, 'kept.txt');
    await writeFile(file, 'kept bytes');
    const link = await command(['upload', file], server.origin);
    const got = await fetch(`${server.origin}/v1/image/get/${link.split('/').at(-1)}?raw=true`);
    assert.is(await got.text(), 'kept bytes');
    const page = await (await fetch(`${server.origin}/web/login`)).text();
    const style = /href="([^"]+\.css)"/.exec(page)?.[1] ?? '';
    assert.is((await fetch(new URL(style, server.origin))).status, 200, `style sheet ${style}`);
  } finally {
    assert.is(await server.stop(), 0);
  }
});

test('as a package that npm has installed, with what it needs beside it, it serves and installs nothing', async () => {
  const around = join(folder, 'tried', 'node_modules');
  const installed = join(around, 'holdall');
  await mkdir(around, { recursive: true });
  // As `npx` leaves it: packages of a scope are folders in one.
  for (const name of await readdir(join(program, 'node_modules')))
    if (!name.startsWith('.')) await symlink(join(program, 'node_modules', name), join(around, name));
  await cp(program, installed, {
    recursive: true,
    filter: (path) => !path.startsWith(join(program, 'node_modules')),
  });
  const dataDir = join(folder, 'tried-data');
  await mkdir(dataDir);
  const command = [process.execPath, join(installed, 'server', 'operations', 'command', 'holdall.cjs')];
  const server = await startServer({ dataDir, command, env: { npm_command: 'exec' } });
  assert.is(await server.stop(), 0);
  assert.not.ok(existsSync(join(installed, 'node_modules')));
  assert.is(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')).private, undefined);
});

test('the client has no dependencies and no server source', async () => {
  const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'));
  assert.is(manifest.dependencies, undefined);
  assert.equal((await readdir(join(packed, 'dist'))).sort(), [
    'holdall.js',
    'index.d.ts',
    'index.js',
    'sealed.d.ts',
    'sealed.js',
  ]);
  const script = await readFile(join(packed, 'dist/index.js'), 'utf8');
  assert.not.match(script, /from ?"(?!\.)|require\(|knex|koa|sqlite/);
  assert.not.match(await readFile(join(packed, 'dist/index.d.ts'), 'utf8'), /from '|knex/);
});

test('the client type-checks for a consumer without other packages, library declarations included', async () => {
  assert.is(await consumer.check({ 'right.ts': USE }), '');
});

test('a wrong field, a missing field and an unknown procedure of the client do not compile', async () => {
  const wrongs = [
    ["url: 'example.com'", "adress: 'example.com'"],
    ['maxUses: 3', "maxUses: 'three'"],
    ['api.url.create', 'api.url.creat'],
    ['link.visits', 'link.visitors'],
  ] as const;
  assert.equal(await wronglyAccepted(consumer, USE, wrongs), []);
});

test('the client runs in a process without other packages', async () => {
  await writeFile(
    join(consumer.folder, 'run.mjs'),
    "import { createClient } from '@holdall/client'; console.log(typeof createClient({ origin: 'http://x' }).api.url.create.mutate);",
  );
  assert.is((await run(process.execPath, [join(consumer.folder, 'run.mjs')])).stdout.trim(), 'function');
});

// A release is made of a commit.
if (existsSync(join(ROOT, '.git'))) test.run();
else skipping('release: this is no git checkout');

/** Runs the command of the client. */
async function command(args: readonly string[], origin: string): Promise<string> {
  const { stdout } = await run(join(packed, 'dist', 'holdall.js'), args, {
    env: { PATH: process.env.PATH, HOLDALL_ORIGIN: origin, HOLDALL_KEY: OWNER.OWNER_API_KEY },
  });
  return stdout;
}

/**
 * Gives the SQLite driver of this checkout to npm as a prebuilt binary, the way its own install script takes
 * it, to avoid compiling it again.
 */
async function builtDriver(): Promise<Record<string, string>> {
  const driver = join(ROOT, 'node_modules', 'sqlite3');
  const { version } = JSON.parse(await readFile(join(driver, 'package.json'), 'utf8'));
  const name = `sqlite3-v${version}-napi-v6-${process.platform}-${process.arch}.tar.gz`;
  await run('tar', ['-czf', join(folder, name), '-C', driver, 'build/Release/node_sqlite3.node']);
  return { npm_config_gristlabs_sqlite3_local_prebuilds: folder };
}
