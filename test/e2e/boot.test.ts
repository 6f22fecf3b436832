import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  freePort,
  launchServer,
  OWNER,
  type ServerProcess,
  startServer,
} from '../support/servers/server-process.js';
import { skipping } from '../support/skip.js';
import { postgresUrl } from '../support/stores/postgres.js';
import { printed } from '../support/until.js';

const NO_OWNER = Object.fromEntries(Object.keys(OWNER).map((name) => [name, undefined]));

const test = suite<{ dataDir: string; servers: ServerProcess[] }>('startup');

test.before.each(async (context) => {
  context.dataDir = await mkdtemp(join(tmpdir(), 'holdall-boot-'));
  context.servers = [];
});

test.after.each(async ({ dataDir, servers }) => {
  await Promise.all(servers.map((server) => server.kill()));
  await rm(dataDir, { recursive: true, force: true });
});

test('prints `listening` with its address, answers /status from then on, and exits with 0 on SIGTERM', async ({
  dataDir,
  servers,
}) => {
  const server = await launchServer({ dataDir });
  servers.push(server);
  const line = await printed(server, /^.*listening.*$/m);
  assert.match(line, server.origin);
  const status = await fetch(`${server.origin}/status`);
  assert.is(status.status, 200);
  assert.is(((await status.json()) as { error: boolean }).error, false);
  assert.is((await fetch(`${server.origin}/v1/status`)).status, 200);
  assert.is(await server.stop(), 0);
});

test('a single process survives SIGUSR2 and explains its purpose', async ({ dataDir, servers }) => {
  const server = await startServer({ dataDir });
  servers.push(server);
  server.child.kill('SIGUSR2');
  await printed(server, /SIGUSR2 .* WORKERS is above 1/);
  assert.is((await fetch(`${server.origin}/status`)).status, 200);
  assert.is(await server.stop(), 0);
});

test('has 16 threads for file, database and password work', async ({ dataDir, servers }) => {
  if (process.platform !== 'linux') return skipping('only Linux tells the threads of a process');
  const server = await startServer({ dataDir });
  servers.push(server);
  // The threads of V8 come on top.
  assert.ok((await readdir(`/proc/${server.pid}/task`)).length > 16);
});

test('creates the owner named in the environment, once', async ({ dataDir, servers }) => {
  for (const start of ['first', 'second']) {
    const server = await startServer({ dataDir });
    servers.push(server);
    const me = await fetch(`${server.origin}/v1/auth/validate`, {
      headers: { 'x-api-key': OWNER.OWNER_API_KEY },
    });
    assert.is(me.status, 200, start);
    const { message } = (await me.json()) as { message: { username: string; role: string } };
    assert.is(message.username, OWNER.OWNER_USERNAME);
    assert.is(message.role, 'OWNER');
    await printed(server, /listening/);
    assert.not.match(server.output(), /^invite /m);
    await server.stop();
  }
});

test('prints an owner invite at every start without an owner; each one works until there is one', async ({
  dataDir,
  servers,
}) => {
  const codes: string[] = [];
  let server: ServerProcess | undefined;
  const register = (inviteCode: string | undefined, username: string) =>
    fetch(`${server?.origin}/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        username,
        email: `${username}@example.org`,
        password: 'long enough',
        inviteCode,
      }),
    });
  for (let start = 0; start < 2; start += 1) {
    if (server !== undefined) assert.is((await register(undefined, 'stranger')).status, 200);
    await server?.stop();
    server = await startServer({ dataDir, env: { ...NO_OWNER, REGISTRATION: 'open' } });
    servers.push(server);
    codes.push(/^invite (\S+)$/m.exec(await printed(server, /^invite \S+$/m))?.[1] ?? '');
    assert.match(server.output(), '/web/register');
  }
  assert.is.not(codes[0], codes[1]);
  const taken = await launchServer({ dataDir, env: { OWNER_USERNAME: 'Stranger' } });
  servers.push(taken);
  assert.is(await taken.ended, 1);
  assert.match(taken.output(), 'OWNER_USERNAME: is already used by another account');
  assert.not.match(taken.output(), /^\s+at /m, 'a message, not a stack');
  assert.is((await register('not-a-code', 'eve')).status, 403);
  assert.is((await register(codes[0], 'alice')).status, 200);
  assert.is((await register(codes[1], 'mallory')).status, 403);

  await server?.stop();
  const later = await startServer({ dataDir, env: NO_OWNER });
  servers.push(later);
  await printed(later, /listening/);
  assert.not.match(later.output(), /^invite /m);
});

test('stops with one message that names every invalid variable', async ({ dataDir, servers }) => {
  const wrong = {
    BASE_URL: 'ftp://x',
    MAX_UPLOAD_BYTES: 'plenty',
    REGISTRATION: 'maybe',
    S3_ENDPOINT: 'http://s3.local',
  };
  const server = await launchServer({ dataDir, env: wrong });
  servers.push(server);
  assert.is(await server.ended, 1);
  for (const name of [...Object.keys(wrong).slice(0, 3)]) assert.match(server.output(), name);
  assert.not.match(server.output(), /^\s+at /m, 'a message, not a stack');
  assert.equal(await readdir(dataDir), [], 'nothing was touched');
});

test('refuses an owner that could not sign in, together with all other errors', async (place) => {
  const { dataDir, servers } = place;
  const wrong = { PORT: 'none', OWNER_USERNAME: 'a b', OWNER_EMAIL: 'nobody', OWNER_PASSWORD: 'short' };
  const refused = await launchServer({ dataDir, env: wrong });
  servers.push(refused);
  assert.is(await refused.ended, 1);
  for (const name of Object.keys(wrong)) assert.match(refused.output(), `${name}: `);
  assert.not.match(refused.output(), /^\s+at /m, 'a message, not a stack');
});

test('names HOST and DATA_DIR if they are the problem', async ({ dataDir, servers }) => {
  const file = join(dataDir, 'file');
  await writeFile(file, '');
  for (const [name, env] of [
    ['HOST', { HOST: '203.0.113.7' }],
    ['DATA_DIR', { DATA_DIR: file }],
    // Where nothing can be created, the system reports the error as a missing parent folder.
    ['DATA_DIR', { DATA_DIR: '/proc/holdall/data' }],
  ] as const) {
    const server = await launchServer({ dataDir, env });
    servers.push(server);
    assert.is(await server.ended, 1);
    assert.match(server.output(), `cannot start: ${name} `);
  }
});

test('names DATABASE_URL if PostgreSQL only reads', async ({ dataDir, servers }) => {
  const url = postgresUrl();
  if (url === null) return skipping('PostgreSQL: TEST_DATABASE_URL is not set');
  const readOnly = new URL(url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  const server = await launchServer({ dataDir, env: { DATABASE_URL: readOnly.href } });
  servers.push(server);
  assert.is(await server.ended, 1);
  assert.match(
    server.output(),
    /DATABASE_URL: PostgreSQL at .*, is read-only \(a standby\): name the primary\n$/,
  );
  assert.not.match(server.output(), /^\s+at /m, 'a message, not a stack');
});

test('names the variables that another one requires', async ({ dataDir, servers }) => {
  const server = await launchServer({ dataDir, env: { S3_ENDPOINT: 'http://s3.local' } });
  servers.push(server);
  assert.is(await server.ended, 1);
  for (const name of ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
    assert.match(server.output(), name);
});

for (const workers of ['1', '2']) {
  test(`reports that its port is taken, and changes nothing: WORKERS=${workers}`, async (place) => {
    const { dataDir, servers } = place;
    const first = await startServer({ dataDir });
    servers.push(first);
    const other = join(dataDir, 'other');
    const env = { ...NO_OWNER, DATA_DIR: other, PORT: new URL(first.origin).port, WORKERS: workers };
    const second = await launchServer({ dataDir, env });
    servers.push(second);
    assert.is(await second.ended, 1);
    assert.match(second.output(), 'PORT');
    assert.not.ok((await readdir(dataDir)).includes('other'));
  });
}

test('of two started together on one port one starts, and only that one prints an invite', async ({
  dataDir,
  servers,
}) => {
  const env = { ...NO_OWNER, PORT: String(await freePort()) };
  const both = await Promise.all([launchServer({ dataDir, env }), launchServer({ dataDir, env })]);
  servers.push(...both);
  const late = await Promise.race(both.map(async (server) => ({ server, code: await server.ended })));
  assert.is(late.code, 1);
  assert.match(late.server.output(), 'PORT');
  assert.not.match(late.server.output(), /^invite /m);
  for (const server of both) if (server !== late.server) await printed(server, /^invite \S+$/m);
});

test('two processes started together over an empty folder both start and agree', async ({
  dataDir,
  servers,
}) => {
  const [first, second] = await Promise.all([startServer({ dataDir }), startServer({ dataDir })]);
  servers.push(first, second);
  const headers = { 'x-api-key': OWNER.OWNER_API_KEY, 'content-type': 'application/json' };
  const body = JSON.stringify({ text: 'seen by both' });
  const created = await fetch(`${first.origin}/v1/paste/create`, { method: 'POST', headers, body });
  assert.is(created.status, 200);
  const { uniqueId } = (await created.json()) as { uniqueId: string };
  const raw = await fetch(`${second.origin}/v1/paste/get/${uniqueId}?raw=true`);
  assert.is(await raw.text(), 'seen by both');
  assert.equal(await Promise.all([first.stop(), second.stop()]), [0, 0]);
});

test('a request in progress at SIGTERM is answered before the exit', async ({ dataDir, servers }) => {
  const server = await startServer({ dataDir });
  servers.push(server);
  const body = JSON.stringify({ text: 'finished in time' });
  const held = request(`${server.origin}/v1/paste/create`, {
    method: 'POST',
    headers: {
      'x-api-key': OWNER.OWNER_API_KEY,
      'content-type': 'application/json',
      'content-length': body.length,
      // The server requests the body once it works on the request.
      expect: '100-continue',
    },
  });
  const answered = once(held, 'response') as Promise<[IncomingMessage]>;
  held.flushHeaders();
  await once(held, 'continue');
  const ended = server.stop();
  await printed(server, /draining/);
  held.end(body);
  const [answer] = await answered;
  answer.resume();
  assert.is(answer.statusCode, 200);
  assert.is(await ended, 0);
});

test.run();
