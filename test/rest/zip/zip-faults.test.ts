/** Zips with unreadable files: the server keeps running and closes its descriptors. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readlink, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SEEN_MS } from '../../../server/runtime/http/context.js';
import { type Answer, fileForm, startServer, type TestServer } from '../../harness.js';
import { unzip } from '../../support/media/unzip.js';
import { followRequests, justBefore } from '../../support/servers/interleave.js';
import { OWNER, startServer as startProcess } from '../../support/servers/server-process.js';
import { newDataDir } from '../../support/stores/sqlite.js';
import { until } from '../../support/until.js';

interface World {
  server: TestServer;
}
const zips = suite<World>('zips of unreadable files');
zips.before.each(async (world) => {
  world.server = await startServer();
  followRequests(world.server.app.server);
});
zips.after.each(({ server }) => server.close());

const upload = async ({ request, owner }: TestServer, bytes: Uint8Array | string) =>
  (await request('POST', '/image/upload', { key: owner.key, form: fileForm(bytes, 'a.txt') })).body.message;

/** Opens like the file of these bytes, but fails when it is read. */
async function breakFile({ dataDir }: TestServer, sha256: string): Promise<void> {
  const path = join(dataDir, 'blobs', sha256.slice(0, 2), sha256);
  await rm(path);
  await mkdir(path);
}

const sha256Of = async ({ app }: TestServer, uniqueId: string): Promise<string> =>
  (await app.services.db.read('images').where('unique_id', uniqueId))[0].sha256;

/** Whether an answer was refused or cut off. */
const fails = (answer: Promise<Answer>): Promise<boolean> =>
  answer.then(
    ({ status }) => status >= 400,
    () => true,
  );

/** Whether an answer was cut off. */
const isCut = (answer: Promise<Answer>): Promise<boolean> =>
  answer.then(
    () => false,
    () => true,
  );

/** How many stored files this process has open. */
async function openBlobs({ dataDir }: TestServer): Promise<number> {
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(join(dataDir, 'blobs'))).length;
}

zips('a playlist zip is cut off, and everybody else is served', async ({ server }) => {
  const { key } = server.owner;
  const images = [await upload(server, 'one'), await upload(server, 'two')];
  const imagesUids = images.map(({ uniqueId }) => uniqueId);
  const json = { title: 'a list', imagesUids };
  const { uniqueId } = (await server.request('POST', '/image/playlist/create', { key, json })).body;
  await breakFile(server, await sha256Of(server, imagesUids[0]));
  const download = () => server.request('GET', `/image/playlist/get/${uniqueId}/download`);
  for (let round = 0; round < 5; round += 1) assert.ok(await fails(download()));
  assert.is((await server.request('GET', '/status')).status, 200);
  await until(async () => (await openBlobs(server)) === 0);
});

const take = (server: TestServer) =>
  server.request('GET', '//web/settings/account/export', { key: server.owner.key });

/** Requests an export; nothing of it is consumed before its body is read. */
async function ask({ app, owner }: TestServer): Promise<IncomingMessage> {
  const url = `http://127.0.0.1:${app.address.port}/web/settings/account/export`;
  const asked = get(url, { headers: { 'x-api-key': owner.key } });
  const [body] = await once(asked, 'response');
  assert.is(body.statusCode, 200);
  return body;
}

zips('an export is cut off, and everybody else is served', async ({ server }) => {
  const { uniqueId } = await upload(server, 'one');
  assert.is((await take(server)).status, 200);
  await breakFile(server, await sha256Of(server, uniqueId));
  for (let round = 0; round < 5; round += 1) assert.ok(await isCut(take(server)));
  assert.is((await server.request('GET', '/status')).status, 200);
  await until(async () => (await openBlobs(server)) === 0);
});

zips('an export whose lists cannot be read to the end is cut off', async ({ server }) => {
  const { load } = server.app.services;
  await upload(server, 'one');
  assert.is((await take(server)).status, 200);
  for (const after of [1, 2, 4]) {
    let left = after;
    const happen = async (): Promise<void> => {
      if (left === 0) throw new Error('the database is gone');
      left -= 1;
      justBefore(load, 'user', happen);
    };
    justBefore(load, 'user', happen);
    assert.ok(await isCut(take(server)), `after ${after}`);
  }
  assert.is((await take(server)).status, 200);
});

zips('an export starts before any data is read for it', async ({ server }) => {
  const { load } = server.app.services;
  await upload(server, 'one');
  assert.is((await take(server)).status, 200);
  let begun = false;
  const wait = async (): Promise<void> => {
    justBefore(load, 'user', wait);
    await until(() => begun);
  };
  // The first lookup is that of the caller.
  justBefore(load, 'user', async () => justBefore(load, 'user', wait));
  const body = await ask(server);
  begun = true;
  assert.ok((await unzip(await buffer(body))).has('account.json'));
});

zips(
  'an export leaves out what is deleted before its turn, and opens nothing ahead of time',
  async ({ server }) => {
    const { key } = server.owner;
    const gone = await upload(server, 'the first is the last');
    // More than the buffers of a connection hold.
    for (let n = 0; n < 6; n += 1) await upload(server, randomBytes(8 * 1024 * 1024));
    const paste = await server.request('POST', '/paste/create', { key, json: { text: 'a text' } });
    const kept = await server.request('POST', '/paste/create', { key, json: { text: 'another' } });
    const body = await ask(server);
    await until(async () => (await openBlobs(server)) > 0);
    assert.ok((await openBlobs(server)) <= 2);
    for (const path of [`/image/get/${gone.uniqueId}`, `/paste/get/${paste.body.uniqueId}`])
      assert.is((await server.request('DELETE', path, { key })).status, 200);
    const names = [...(await unzip(await buffer(body))).keys()];
    assert.is(names.filter((name) => name.startsWith('files/')).length, 6);
    assert.equal(
      names.filter((name) => name.startsWith('pastes/')),
      [`pastes/${kept.body.uniqueId}.txt`],
    );
  },
);

zips('an export survives the deletion of a file while it is opened', async ({ server }) => {
  const { blobs } = server.app.services.storage;
  const { uniqueId } = await upload(server, 'one');
  assert.is((await take(server)).status, 200);
  justBefore(blobs, 'open', () =>
    server.request('DELETE', `/image/get/${uniqueId}`, { key: server.owner.key }),
  );
  const { status, text } = await take(server);
  assert.is(status, 200);
  assert.ok(text.includes(uniqueId));
  assert.not.ok(text.includes(`files/${uniqueId}`));
});

zips('an export lacks only what is deleted while it is made', async ({ server }) => {
  const { load } = server.app.services;
  const { key } = server.owner;
  const make = () => server.request('POST', '/paste/create', { key, json: { text: 'a text' } });
  const ids = (await Promise.all(Array.from({ length: 130 }, make))).map(({ body }) => body.uniqueId);
  const { body } = await make();
  assert.is((await take(server)).status, 200);
  for (const step of [40, 80]) {
    let left = step;
    const happen = async (): Promise<void> => {
      left -= 1;
      if (left > 0) justBefore(load, 'user', happen);
      else await server.request('DELETE', `/paste/get/${step === 40 ? body.uniqueId : ids.shift()}`, { key });
    };
    justBefore(load, 'user', happen);
    const { text } = await take(server);
    assert.is(left <= 0, true);
    assert.equal(
      ids.filter((id) => !text.includes(`pastes/${id}.txt`)),
      [],
    );
  }
});

zips('deleting an account during its export ends only the export', async ({ server }) => {
  const { load } = server.app.services;
  await take(server);
  for (let step = 1; step <= 8; step += 1) {
    const user = await server.account();
    await server.request('POST', '/paste/create', { key: user.key, json: { text: 'a text' } });
    const form = fileForm(`of ${user.id}`, 'a.txt');
    await server.request('POST', '/image/upload', { key: user.key, form });
    let left = step;
    const happen = async (): Promise<void> => {
      left -= 1;
      if (left > 0) justBefore(load, 'user', happen);
      else await server.request('DELETE', `/admin/user/${user.id}`, { key: server.owner.key });
    };
    justBefore(load, 'user', happen);
    await server.request('GET', '//web/settings/account/export', { key: user.key }).catch(() => undefined);
    assert.is((await server.request('GET', '/status')).status, 200, `step ${step}`);
  }
  await until(async () => (await openBlobs(server)) === 0);
});

zips(
  'an export whose session ends is cut off, and lost bytes are 404, with one line in the log for each',
  async () => {
    const dataDir = await newDataDir('export');
    const server = await startProcess({ dataDir, env: { LOG_LEVEL: 'info' } });
    try {
      const key = OWNER.OWNER_API_KEY;
      const send = (path: string, body: FormData | string, headers: Record<string, string>) =>
        fetch(`${server.origin}/v1${path}`, { method: 'POST', body, headers });
      // More than what is buffered on the way.
      const form = fileForm(Buffer.alloc(32 * 1024 * 1024), 'a.bin');
      assert.is((await send('/image/upload', form, { 'x-api-key': key })).status, 200);
      const login = JSON.stringify({ email: OWNER.OWNER_EMAIL, password: OWNER.OWNER_PASSWORD });
      const signedIn = await send('/auth/login', login, { 'content-type': 'application/json' });
      const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
      const asked = get(`${server.origin}/web/settings/account/export`, { headers: { cookie } });
      const [body] = (await once(asked, 'response')) as [IncomingMessage];
      assert.is(body.statusCode, 200);
      assert.is((await send('/auth/logout', '', { cookie })).status, 200);
      // A caller who was seen counts as signed in for so long.
      await delay(SEEN_MS + 1);
      assert.ok(
        await buffer(body).then(
          () => false,
          () => true,
        ),
      );
      const lost = await send('/image/upload', fileForm('lost', 'b.txt'), { 'x-api-key': key });
      await rm(join(dataDir, 'blobs'), { recursive: true });
      const { uniqueId } = (await lost.json()) as { uniqueId: string };
      assert.is((await fetch(`${server.origin}/v1/image/get/${uniqueId}`)).status, 404);
      await server.stop();
      const lines = server.output().split('\n');
      assert.is(lines.filter((line) => line.includes('"level":40') && line.includes('missing')).length, 1);
      assert.is(lines.filter((line) => line.includes('cut off')).length, 1, server.output());
      assert.not.match(server.output(), /"level":50|"stack"/);
    } finally {
      await server.kill();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

zips.run();
