/** The image cannot be built where tests run, but the files that its Dockerfile names can be checked. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/root.js';

const read = (name: string) => readFile(join(ROOT, name), 'utf8');
const there = (path: string) => existsSync(join(ROOT, path));

const test = suite('container');

test('everything the Dockerfile copies or runs exists after a build', async () => {
  const dockerfile = await read('Dockerfile');
  const named = [...dockerfile.matchAll(/\/app\/([\w./-]+)/g)].map(([, path = '']) => path);
  assert.ok(named.includes('dist') && named.includes('package-lock.json'));
  assert.equal(
    named.filter((path) => !there(path)),
    [],
  );
});

test('a build in the container sees every source file, and no data', async () => {
  const [everything, ...lines] = (await read('.dockerignore')).trim().split('\n');
  assert.is(everything, '*');
  const seen = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  assert.equal(
    seen.filter((path) => !there(path)),
    [],
  );
  // The inputs of a build: the list of `server/operations/build/prepare/build.mjs`.
  const [, sources = ''] =
    /const SOURCES = \[([^\]]*)\]/.exec(await read('server/operations/build/prepare/build.mjs')) ?? [];
  const named = [...sources.matchAll(/'([^']+)'/g)].map(([, path = '']) => path);
  assert.ok(named.includes('server') && named.includes('package-lock.json'));
  assert.equal(
    named.filter((path) => !seen.includes(path)),
    [],
  );
  assert.not.ok(seen.includes('data') || seen.includes('.env'));
});

test('every way to start the server gives V8 and malloc the same room', async () => {
  const starts = [
    'package.json',
    'Dockerfile',
    'deploy/systemd/holdall.service',
    'deploy/catalogues/yunohost/conf/systemd.service',
    'test/support/servers/server-process.ts',
  ];
  const rooms = await Promise.all(
    starts.map(async (name) =>
      [...new Set((await read(name)).match(/--max-semi-space-size=\d+|MALLOC_ARENA_MAX\W+\d+/g))]
        .map((room) => room.replace(/\W+(\d+)$/, '=$1'))
        .sort()
        .join(' '),
    ),
  );
  assert.match(rooms[0] ?? '', /^--max-semi-space-size=\d+ MALLOC_ARENA_MAX=\d+$/);
  assert.equal(
    rooms,
    starts.map(() => rooms[0]),
  );
});

const COMPOSE_FILES = ['compose.yaml', 'compose.postgres-s3.yaml'];

/** The settings of a service in a compose file. */
const serviceIn = async (name: string, service = 'holdall'): Promise<string> =>
  new RegExp(`^ {2}${service}:\\n([\\s\\S]*?)(?=^ {0,2}\\S)`, 'm').exec(await read(name))?.[1] ?? '';

test('the images of the compose files, which contain different programs, have different names', async () => {
  const images = await Promise.all(
    COMPOSE_FILES.map(async (name) => /^ {4}image: (\S+)$/m.exec(await serviceIn(name))?.[1]),
  );
  assert.is(new Set(images).size, COMPOSE_FILES.length);
  assert.not.ok(images.includes(undefined));
});

test('a machine that uses an external database needs no password for the one in the compose file', async () => {
  const compose = await read('compose.postgres-s3.yaml');
  // Compose evaluates every service, also those that are not started.
  assert.match(compose, /\$\{POSTGRES_PASSWORD:-\}/);
  assert.not.match(compose, /\$\{POSTGRES_PASSWORD(?!:-\})/);
});

test('takes every setting from `.env`, except where it listens and stores inside the container', async () => {
  for (const name of COMPOSE_FILES) {
    const service = await serviceIn(name);
    assert.match(service, /env_file:\n +- path: \.env\n +required: false\n/, name);
    for (const line of ['HOST: 0.0.0.0', 'PORT: 8012', 'DATA_DIR: /data']) assert.match(service, line, name);
  }
});

test('requests no unnecessary privileges', async () => {
  const user = /^USER (\w+)$/m.exec(await read('Dockerfile'))?.[1];
  assert.is(user, 'node');
  for (const name of COMPOSE_FILES) {
    const service = await serviceIn(name);
    for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true'])
      assert.match(service, line, name);
  }
});

test('every container has limits, and runs nothing from its temporary files', async () => {
  for (const name of COMPOSE_FILES) {
    const service = await serviceIn(name);
    assert.match(service, /^ {4}mem_limit: \S+$/m, name);
    assert.match(service, /^ {4}pids_limit: \d+$/m, name);
    const [, options = ''] = /^ {4}tmpfs:\n {6}- \/tmp:(\S+)$/m.exec(service) ?? [];
    assert.match(options, /^size=\d+m,/, name);
    for (const option of ['noexec', 'nosuid', 'nodev']) assert.ok(options.split(',').includes(option), name);
  }
});

test('PostgreSQL keeps only the privileges that its start needs', async () => {
  const service = await serviceIn('compose.postgres-s3.yaml', 'postgres');
  for (const line of ['cap_drop: [ALL]', 'no-new-privileges:true', 'pids_limit: '])
    assert.match(service, line);
  assert.match(service, /^ {4}cap_add: \[CHOWN, DAC_OVERRIDE, FOWNER, SETGID, SETUID\]$/m);
});

test.run();
