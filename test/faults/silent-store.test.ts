/**
 * An object store that takes connections and never answers. Callers see: `/status` and `/readyz` say within three
 * seconds that the store fails, `/healthz` that the process is alive; redirects, pastes and pages are served. A portal
 * is told with 200, because it hides all its pages for any other status. Also at the end: `/readyz` fails as soon as the
 * server was told to stop, while it still serves what it gets.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNER, type ServerProcess, startServer } from '../support/servers/server-process.js';
import { printed, until } from '../support/until.js';

/** Longer than the three seconds that are promised, because the machine may be busy; far less than the store's own limits. */
const SOON_MS = 8_000;

const test = suite<{ store: Server; dataDir: string; servers: ServerProcess[] }>('a silent store');

test.before.each(async (given) => {
  given.servers = [];
  given.dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
  given.store = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => given.store.listen(0, '127.0.0.1', resolve));
});

test.after.each(async ({ servers, store, dataDir }) => {
  for (const server of servers) await server.kill();
  store.close();
  await rm(dataDir, { recursive: true, force: true });
});

const storeAt = (store: Server) => ({
  S3_ENDPOINT: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
  S3_REGION: 'us-east-1',
  S3_BUCKET: 'bucket',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
});

const asked = async (server: ServerProcess, path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(server.origin + path, {
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(SOON_MS),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
};

for (const STORAGE of ['s3', 'disk,s3'])
  test(`takes nothing else with it (STORAGE=${STORAGE})`, async ({ dataDir, store, servers }) => {
    const FRONTEND_URL = 'https://portal.example.org';
    const env = { ...storeAt(store), STORAGE, FRONTEND_URL, LOG_LEVEL: 'error' };
    // It never says 200 at `/status`, which the usual start waits for; `/healthz` says it before requests are served.
    const server = await startServer({ dataDir, env, serves: '/web/login' });
    servers.push(server);
    const json = { 'x-api-key': OWNER.OWNER_API_KEY, 'content-type': 'application/json' };
    const create = async (path: string, body: object) =>
      (
        await fetch(`${server.origin}/v1${path}`, {
          method: 'POST',
          headers: json,
          body: JSON.stringify(body),
        })
      ).json();
    const link = (await create('/url/create', { url: 'https://example.com/' })) as { uniqueId: string };
    const paste = (await create('/paste/create', { text: 'hello' })) as { uniqueId: string };

    for (let turn = 0; turn < 3; turn += 1) {
      const { status, body } = await asked(server, '/status');
      assert.equal([status, body.database, body.storage], [503, 'ok', 'failing']);
      const ready = await asked(server, '/readyz');
      assert.equal([ready.status, ready.body.storage, ready.body.stopping], [503, 'failing', false]);
      assert.is((await asked(server, '/healthz', { 'x-api-key': OWNER.OWNER_API_KEY })).status, 200);
    }
    for (const headers of [{ origin: FRONTEND_URL }, { 'access-control-allow-origin': '*' }] as Record<
      string,
      string
    >[]) {
      const { status, body } = await asked(server, '/v1/status', headers);
      assert.equal([status, body.error, body.status], [200, false, 'failing']);
    }
    assert.is((await asked(server, '/status', { origin: 'https://other.example.org' })).status, 503);
    assert.is((await asked(server, `/r/${link.uniqueId}`)).status, 301);
    assert.is((await asked(server, `/v1/paste/get/${paste.uniqueId}`)).status, 200);
  });

for (const WORKERS of ['1', '2'])
  test(`after SIGTERM it is not ready and serves, until STOP_DELAY is over (WORKERS=${WORKERS})`, async ({
    dataDir,
    servers,
  }) => {
    const server = await startServer({ dataDir, env: { STOP_DELAY: '300', WORKERS, LOG_LEVEL: 'info' } });
    servers.push(server);
    await until(async () => (await asked(server, '/readyz')).status === 200);
    const ended = server.stop();
    await printed(server, /stopping; requests are still served/);
    await until(async () => (await asked(server, '/readyz')).body.stopping === true);
    assert.is((await asked(server, '/healthz')).status, 200);
    assert.is((await asked(server, '/status')).status, 200);
    // Nobody at a terminal waits for it.
    server.child.kill('SIGINT');
    assert.is(await ended, 0);
  });

test.run();
