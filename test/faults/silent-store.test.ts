/**
 * An object store that takes connections and never answers. Callers see: `/status` and `/readyz` say within three
 * seconds that the store fails, `/healthz` that the process is alive; redirects, pastes and pages are served. A portal
 * is told with 200, because it hides all its pages for any other status. Uploads and what reads from the store get 503, and
 * what needs no store is done meanwhile: the tools, large answers, the metrics, which count the failures. Also at the end: `/readyz` fails as soon as the
 * server was told to stop, while it still serves what it gets.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm } from '../harness.js';
import { halves } from '../support/media/media-fixtures.js';
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

test('what waits for it is refused in the end, and keeps nothing from what needs no store', async ({
  dataDir,
  store,
  servers,
}) => {
  // What is stored before the store falls silent: pictures, and texts that are large answers.
  const first = await startServer({ dataDir, env: { LOG_LEVEL: 'error' } });
  servers.push(first);
  const key = { 'x-api-key': OWNER.OWNER_API_KEY };
  const upload = async (server: ServerProcess, bytes: Uint8Array | string, name: string) => {
    const body = fileForm(bytes, name);
    const answer = await fetch(`${server.origin}/v1/image/upload`, { method: 'POST', headers: key, body });
    return { status: answer.status, body: (await answer.json()) as { uniqueId: string } };
  };
  const pictures: string[] = [];
  for (const side of [40, 41, 42, 43, 44, 45])
    pictures.push(
      (await upload(first, await halves(side, side).png().toBuffer(), `${side}.png`)).body.uniqueId,
    );
  const long = (await upload(first, 'words '.repeat(70_000), 'long.txt')).body.uniqueId;
  const send = async (server: ServerProcess, method: string, path: string, json: object) =>
    (
      await fetch(`${server.origin}/v1${path}`, {
        method,
        headers: { ...key, 'content-type': 'application/json' },
        body: JSON.stringify(json),
      })
    ).json() as Promise<{ uniqueId: string }>;
  const paste = await send(first, 'POST', '/paste/create', { text: 'line\n'.repeat(40_000) });
  await send(first, 'PATCH', `/paste/get/${paste.uniqueId}`, { text: 'another line\n' });
  assert.is(await first.stop(), 0);

  await rm(join(dataDir, 'blobs'), { recursive: true });
  const server = await startServer({
    dataDir,
    env: { ...storeAt(store), LOG_LEVEL: 'error' },
    serves: '/web/login',
  });
  servers.push(server);
  const statusOf = async (path: string) =>
    (await fetch(`${server.origin}/v1${path}`, { headers: key, redirect: 'manual' })).status;
  // More than there are turns of any kind.
  const waiting = [
    upload(server, 'new', 'new.txt').then(({ status }) => status),
    ...pictures.map((id) => statusOf(`/image/get/${id}?width=64`)),
    ...[1, 2, 3].map(() => fetch(`${server.origin}/web/image-render/${long}`).then(({ status }) => status)),
  ].map((status) => status.catch(() => 0));
  const signal = AbortSignal.timeout(SOON_MS);
  const tool = fileForm(await halves(40, 40).png().toBuffer(), 'own.png', { width: '20' });
  const made = await fetch(`${server.origin}/v1/tools/image/resize`, {
    method: 'POST',
    headers: key,
    body: tool,
    signal,
  });
  assert.is(made.status, 200, await made.text());
  const diff = await fetch(`${server.origin}/v1/paste/get/${paste.uniqueId}/diff`, {
    headers: key,
    signal: AbortSignal.timeout(SOON_MS),
  });
  assert.is(diff.status, 200, await diff.text());
  const metrics = await (
    await fetch(`${server.origin}/metrics`, { signal: AbortSignal.timeout(SOON_MS) })
  ).text();
  assert.match(metrics, 'holdall_store_up 0\n');
  const answers = await Promise.all(waiting);
  assert.equal(answers.slice(0, 1 + pictures.length), Array(1 + pictures.length).fill(503));
  const after = await (await fetch(`${server.origin}/metrics`)).text();
  assert.ok(Number(/^holdall_store_failures_total (\d+)$/m.exec(after)?.[1]) > pictures.length);
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
