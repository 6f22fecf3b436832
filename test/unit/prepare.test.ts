/**
 * What runs before a start: a checkout is built without disturbing the running one, or reports why it cannot
 * be.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/root.js';
import { canMount, mountDisk } from '../support/servers/small-disk.js';

const mounting = canMount();

/** Replaces the build: creates files named like the text of the source, and requires the previous build. */
const BUILD = `
  import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  const out = process.argv[2];
  const name = readFileSync('server/runtime/main.ts', 'utf8');
  if (name === 'wrong' || (name !== 'first' && !existsSync('dist/server/runtime/first.js'))) process.exit(1);
  for (const folder of ['server/runtime', 'shared']) mkdirSync(out + '/' + folder, { recursive: true });
  writeFileSync(out + '/shared/' + name + '.js', name);
  if (name === 'blocked') writeFileSync(out + '/where-a-folder-is', '');
  for (const file of ['main', name]) writeFileSync(out + '/server/runtime/' + file + '.js', name);
`;

const test = suite<{ root: string }>('prepare');

test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'holdall-prepare-'));
});
test.after.each(({ root }) => rm(root, { recursive: true, force: true }));

test('builds beside the current build: nothing is missing meanwhile, and a failure leaves it unchanged', async ({
  root,
}) => {
  await makeCheckout(root);
  const built = () => readdir(join(root, 'dist', 'server', 'runtime')).then((names) => names.sort());
  assert.is(prepare(root).status, 0);
  assert.equal(await built(), ['first.js', 'main.js']);
  await writeFile(join(root, 'server', 'runtime', 'main.ts'), 'second');
  assert.is(prepare(root).status, 0);
  assert.equal(await built(), ['main.js', 'second.js']);
  assert.is(await readFile(join(root, 'dist', 'server', 'runtime', 'main.js'), 'utf8'), 'second');
  await writeFile(join(root, 'server', 'runtime', 'main.ts'), 'wrong');
  assert.match(prepare(root).stderr, 'The sources do not compile');
  assert.equal(await built(), ['main.js', 'second.js']);
});

test('keeps the files that a running server may load later', async ({ root }) => {
  await makeCheckout(root);
  const shared = join(root, 'dist', 'shared');
  const builds = async (text: string) => {
    await writeFile(join(root, 'server', 'runtime', 'main.ts'), text);
    assert.is(prepare(root).status, 0);
    return (await readdir(shared)).sort();
  };
  await builds('first');
  await mkdir(join(root, 'dist', 'where-a-folder-is'));
  await writeFile(join(root, 'server', 'runtime', 'main.ts'), 'blocked');
  assert.is(prepare(root).status, 1, 'broken off while it moves');
  await rm(join(root, 'dist', 'where-a-folder-is'), { recursive: true });
  assert.equal(await builds('second'), ['first.js', 'second.js']);
  await writeFile(join(root, 'dist', 'server', 'runtime', 'first.js'), 'the build needs it');
  assert.equal(await builds('third'), ['second.js', 'third.js']);
});

test('an install with an incomplete record is repeated', async ({ root }) => {
  await makeCheckout(root);
  await writeFile(join(root, 'node_modules', '.package-lock.json'), '');
  const { stdout, stderr } = prepare(root);
  assert.match(stdout + stderr, 'installing packages');
  assert.not.match(stderr, 'SyntaxError');
});

test('an install says what it lacks: a compiler, the headers of Node, or the registry', async ({ root }) => {
  await makeCheckout(root);
  await writeFile(join(root, 'node_modules', '.package-lock.json'), '');
  const gyp =
    'npm error gyp ERR! stack FetchError: request to https://nodejs.org/download/release/v1/node-v1-headers.tar.gz';
  const lost = 'getaddrinfo ENOTFOUND';
  for (const [printed, advice] of [
    [
      `npm error prebuild-install warn install ${lost} github.com\nnpm error gyp http GET https://nodejs.org/download/release/v1/node-v1-headers.tar.gz\n${gyp} failed, reason: ${lost} nodejs.org`,
      'npm_config_nodedir',
    ],
    [
      `npm error gyp http GET https://mirror/node-v1-headers.tar.gz\nnpm error gyp http 403 https://mirror/node-v1-headers.tar.gz\nnpm error gyp ERR! stack Error: 403 response downloading`,
      'npm_config_nodedir',
    ],
    [
      `npm error prebuild-install warn install ${lost} github.com\nnpm error gyp ERR! find Python`,
      'install Python 3',
    ],
    [
      'npm error gyp http GET https://nodejs.org/node-v1-headers.tar.gz\nnpm error gyp http 200 https://nodejs.org/node-v1-headers.tar.gz\nnpm error gyp ERR! stack Error: not found: make',
      'install Python 3',
    ],
    [`npm error ${lost} registry.npmjs.org`, 'npm registry cannot be reached'],
  ] as const) {
    await mkdir(join(root, 'bin'), { recursive: true });
    const script = `#!/bin/sh\necho "nodedir=$npm_config_nodedir" > '${root}/told'\ncat <<'END'\n${printed}\nEND\nexit 1\n`;
    await writeFile(join(root, 'bin', 'npm'), script, { mode: 0o755 });
    const { status, stderr } = prepare(root, `${join(root, 'bin')}:${process.env.PATH}`);
    assert.is(status, 1);
    assert.match(stderr.split('\n\n').at(-1) ?? '', advice, printed);
    const prefix = dirname(dirname(process.execPath));
    const isThere = existsSync(join(prefix, 'include', 'node', 'node.h'));
    assert.match(await readFile(join(root, 'told'), 'utf8'), isThere ? `nodedir=${prefix}\n` : 'nodedir=\n');
  }
});

if (mounting)
  test('explains in a sentence what to do if it may not write', async () => {
    const disk = mountDisk(1024 * 1024);
    try {
      await makeCheckout(disk.folder);
      for (const built of [false, true]) {
        if (built) await mkdir(join(disk.folder, 'dist'));
        disk.protect(true);
        const { status, stderr } = prepare(disk.folder);
        assert.is(status, 1);
        assert.match(
          stderr,
          `cannot write to ${disk.folder} (EROFS): stop the service, run \`npm run build\``,
        );
        assert.not.match(stderr, /^\s+at /m, 'a message, not a stack');
        disk.protect(false);
      }
    } finally {
      disk.remove();
    }
  });

test.run();

/** A checkout that needs a build and no packages. */
async function makeCheckout(root: string): Promise<void> {
  const lock = JSON.stringify({ packages: {} });
  const files = {
    'package.json': JSON.stringify({ engines: { node: '>=20.19' } }),
    'package-lock.json': lock,
    'node_modules/.package-lock.json': lock,
    'server/operations/build/bundle.mjs': BUILD,
    'server/runtime/main.ts': 'first',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const name of ['start.mjs', 'operations/build/prepare'])
    await cp(join(ROOT, 'server', name), join(root, 'server', name), { recursive: true });
}

const prepare = (root: string, path = process.env.PATH) =>
  spawnSync(process.execPath, [join(root, 'server', 'start.mjs'), '--prepare'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, npm_config_nodedir: '' },
  });
