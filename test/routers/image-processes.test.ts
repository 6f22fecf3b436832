/** Guarantees for images when several servers share one database and one folder. */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keepBlobs, releaseBlobs, removeUnreferenced } from '../../routers/core/blobs/blobs.js';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';

const test = suite('images on several servers');
let first: TestServer;
let second: TestServer;
let key: string;
test.before(async () => {
  first = await startServer();
  key = first.owner.key;
  second = await startServer({ DATA_DIR: first.dataDir });
});
test.after(async () => {
  await second.close();
  await first.close();
});

/** Servers in turn, so that concurrent requests reach different ones. */
const serverOf = (index: number) => (index % 2 === 0 ? first : second);
/** Repeats as needed: if the same bytes are being removed for too long, the client is told to retry. */
async function upload(server: TestServer, bytes: Uint8Array, fields: Record<string, string> = {}) {
  for (;;) {
    const form = fileForm(bytes, 'file', fields);
    const answer = await server.request('POST', '/image/upload', { key, form });
    if (answer.status !== 503) return answer;
  }
}
const blobs = async () =>
  (await readdir(join(first.dataDir, 'blobs'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length;

test('the same bytes, deleted on one and uploaded on the other, are never lost once acknowledged', async () => {
  const bytes = randomBytes(2_000);
  let before = (await upload(first, bytes)).body.uniqueId;
  for (let round = 0; round < 60; round += 1) {
    const [deleted, uploaded] = await Promise.all([
      serverOf(round).request('DELETE', `/image/get/${before}`, { key }),
      upload(serverOf(round + 1), bytes),
    ]);
    assert.equal([deleted.status, uploaded.status], [200, 200], uploaded.text);
    assert.equal(await first.app.services.storage.blobs.stat(uploaded.body.message.sha256), {
      size: bytes.length,
    });
    before = uploaded.body.uniqueId;
  }
});

test('a removal started by one server and completed by another does not block later removals', async () => {
  const { services } = first.app;
  const { services: there } = second.app;
  const { db } = services;
  const staged = await services.storage.blobs.stage(Readable.from([randomBytes(3_000)]), {
    maxBytes: 10_000,
  });
  const { sha256 } = staged;
  await staged.commit();
  let writes = 0;
  const write: typeof db.write = (unit) => {
    writes += 1;
    // The first call claims the removal, the second would complete it.
    return writes === 2 ? Promise.reject(new Error('database or disk is full')) : db.write(unit);
  };
  const here = { ...services, db: { ...db, write } };
  await removeUnreferenced(here, [sha256]);
  // Once the removal is old the other server completes it, and stores the same bytes again.
  await db.write((trx) => trx('blobs').where({ sha256 }).decrement('doomed_at', 3_600_000));
  await removeUnreferenced(there, [sha256]);
  await keepBlobs(there, [staged], async () => undefined);
  await staged.discard();
  await removeUnreferenced(here, await here.db.write((trx) => releaseBlobs(trx, [sha256])));
  assert.is(await services.storage.blobs.stat(sha256), null);
  assert.equal(await db.read('blobs').where({ sha256 }), []);
});

test('a rendition that both make concurrently is stored once', async () => {
  const { uniqueId } = (await upload(first, await jpegPhoto(1, 700, 500))).body;
  const before = await blobs();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      serverOf(index).request('GET', `/image/get/${uniqueId}?width=320&format=webp`),
    ),
  );
  assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
  assert.is(await blobs(), before + 1);
  await second.request('DELETE', `/image/get/${uniqueId}`, { key });
  assert.is(await blobs(), before - 1);
});

test('views and ids are exact across servers', async () => {
  const { uniqueId } = (await upload(first, randomBytes(500), { maxViews: '9' })).body;
  const views = await Promise.all(
    Array.from({ length: 40 }, (_, index) => serverOf(index).request('GET', `/image/get/${uniqueId}`)),
  );
  assert.is(views.filter(({ status }) => status === 200).length, 9);
  const wishes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      upload(serverOf(index), randomBytes(300), { uniqueId: 'shared-wish' }),
    ),
  );
  assert.equal(wishes.map(({ status }) => status).sort(), [200, ...Array(19).fill(400)]);
});

test('a reservation from one is filled and registered on the other, once', async () => {
  const bytes = randomBytes(1_000);
  const { body } = await first.request('POST', '/image/generate-upload-url', {
    key,
    json: { contentType: 'application/octet-stream', size: bytes.length, filename: 'a.bin' },
  });
  const path = new URL(body.url);
  const send = (server: TestServer) =>
    server.request('PUT', `/${path.pathname}${path.search}`, { body: bytes });
  const sent = await Promise.all([send(first), send(second)]);
  assert.equal(sent.map(({ status }) => status).sort(), [200, 403]);
  const register = (server: TestServer) =>
    server.request('POST', '/image/register', { key, json: { uniqueId: body.uid } });
  const registered = await Promise.all([register(first), register(second)]);
  assert.is(registered.filter(({ status }) => status === 200).length, 1);
  const got = await fetch(`http://127.0.0.1:${second.app.address.port}/v1/image/get/${body.uid}`);
  assert.ok(bytes.equals(Buffer.from(await got.arrayBuffer())));
});

test.run();
