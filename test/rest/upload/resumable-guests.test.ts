// on both databases
/** Files that guests send in parts by a request link (contract §6, Request links). */
import { randomBytes } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { pathOf, tusOf } from '../../support/uploads/tus.js';

let server: TestServer;
let owner: TestAccount;
let tus: ReturnType<typeof tusOf>;
test.before(async () => {
  server = await startServer({ MAX_UPLOAD_BYTES: String(1024 * 1024) });
  owner = await server.account();
  tus = tusOf(server);
});
test.after(() => server.close());

const link = async (fields: Record<string, unknown> = {}): Promise<string> => {
  const json = { title: 'Send me', ...fields };
  return (await server.request('POST', '/request/create', { key: owner.key, json })).body.message.uniqueId;
};
const change = (id: string, json: Record<string, unknown>) =>
  server.request('PATCH', `/request/get/${id}`, { key: owner.key, json });
const forLink = (id: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-request-id': id, ...headers },
});
const begin = (id: string, length: number | null, fields: Record<string, string> = {}, key?: string) =>
  tus.create(key, length, { filename: 'notes.bin', ...fields }, forLink(id));
const received = async (id: string) =>
  (await server.request('GET', `/request/get/${id}/files`, { key: owner.key })).body.message.content;

test('a guest without an account sends a file in parts; it becomes a private item of the owner of the link', async () => {
  const id = await link({ maxFiles: 2 });
  const bytes = randomBytes(70_000);
  const begun = await begin(id, bytes.length, { name: 'Ann' });
  assert.is(begun.status, 201, begun.text);
  const path = pathOf(begun);
  assert.is((await tus.patch(path, 0, bytes.subarray(0, 30_000))).status, 204);
  assert.is((await tus.head(path)).headers.get('upload-offset'), '30000');
  assert.is((await tus.patch(path, 30_000, bytes.subarray(30_000))).status, 204);
  const { body } = await tus.settled(path);
  assert.is(body.message.state, 'done', body.message.reason);
  // Guests get a receipt, never the item.
  const { receipt } = body.message.received[0];
  assert.equal(body.message.received, [{ name: 'notes.bin', size: bytes.length, receipt }]);
  assert.equal([body.uniqueId, body.message.image], [null, undefined]);
  const [file] = await received(id);
  assert.equal([file.name, file.size, file.sender], ['notes.bin', bytes.length, 'Ann']);
  const item = await server.request('GET', `/image/info/${file.uniqueId}`, { key: owner.key });
  assert.equal([item.body.message.isPublic, item.body.message.uploader.uid], [false, owner.id]);
  assert.is((await server.request('GET', `/image/get/${file.uniqueId}`)).status, 403);
  assert.is((await tus.settled(path, owner.key)).body.message.image.uniqueId, file.uniqueId);
  assert.is((await server.request('GET', `/request/open/${id}`)).body.message.remaining, 1);
});

test('a link that is closed, over, full or unknown is 404 before and between the parts', async () => {
  assert.is((await begin('NOPE1234', 10)).status, 404);
  const id = await link({ maxFiles: 1 });
  const path = pathOf(await begin(id, 10));
  await change(id, { closed: true });
  assert.is((await begin(id, 10)).status, 404);
  assert.is((await begin(id, 10, {}, owner.key)).status, 404, 'it is not taken as an upload of the caller');
  assert.is((await tus.patch(path, 0, randomBytes(4))).status, 404);
  await change(id, { closed: false });
  assert.is((await tus.patch(path, 0, randomBytes(4))).status, 204);
});

test('a locked link asks for its password at the beginning: in the metadata, as a header or as a ticket', async () => {
  const id = await link({ password: 'sesame' });
  assert.is((await begin(id, 10)).status, 403);
  assert.is((await begin(id, 10, { password: 'wrong' })).status, 403);
  assert.is((await begin(id, 10, { password: 'sesame' })).status, 201);
  assert.is((await tus.create(undefined, 10, {}, forLink(id, { 'x-password': 'sesame' }))).status, 201);
  const { ticket } = (await server.request('POST', `/request/open/${id}`, { json: { password: 'sesame' } }))
    .body.message;
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '10', 'x-request-id': id };
  assert.is(
    (await server.request('POST', `/image/upload/resumable?ticket=${ticket}`, { headers })).status,
    201,
  );
});

test('the limits of a link are exact for files in parts: types, bytes, names and number', async () => {
  const id = await link({ maxBytes: 100, types: ['.pdf'], askName: true });
  assert.is((await begin(id, 10)).status, 400);
  assert.is((await begin(id, 101, { name: 'Ann' })).status, 413);
  const wrong = pathOf(await begin(id, 20, { name: 'Ann' }));
  await tus.patch(wrong, 0, randomBytes(20));
  const failed = (await tus.settled(wrong)).body.message;
  assert.equal([failed.state, failed.reason], ['failed', 'Only these types of files are taken here: .pdf']);
  const one = await link({ maxFiles: 1 });
  const paths = [pathOf(await begin(one, 9)), pathOf(await begin(one, 9)), pathOf(await begin(one, 9))];
  await Promise.all(paths.map((path) => tus.patch(path, 0, randomBytes(9))));
  const states = await Promise.all(paths.map(async (path) => (await tus.settled(path)).body.message.state));
  assert.is(states.filter((state) => state === 'done').length, 1, states.join());
  assert.is((await received(one)).length, 1);
});

test('guests cannot use up the uploads that the owner of a link may begin', async () => {
  const { key } = await server.account();
  const made = await server.request('POST', '/request/create', { key, json: { title: 'Send me' } });
  const id = made.body.message.uniqueId;
  const most = 1024 * 1024;
  for (let n = 0; n < 32; n++) assert.is((await begin(id, most)).status, 201);
  assert.is((await begin(id, most)).status, 429);
  assert.is((await tus.create(key, most)).status, 201);
});

test('what one network has begun and sent nothing of for a minute makes way for its other guests', async () => {
  const { key, id: ownerId } = await server.account();
  const made = await server.request('POST', '/request/create', { key, json: { title: 'Send me' } });
  const id = made.body.message.uniqueId;
  const most = 1024 * 1024;
  for (let n = 0; n < 32; n++) assert.is((await begin(id, most)).status, 201);
  assert.is((await begin(id, most)).status, 429);
  const { db } = server.app.services;
  await db.write((trx) => trx('uploads').where('owner_id', ownerId).decrement('expires_at', 60_000));
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await begin(id, most)).status));
  assert.is(statuses.filter((status) => status === 201).length, 32, 'and those not for each other');
  const left = await db.read('uploads').where('owner_id', ownerId);
  assert.is(left.length, 32);
});

test('one network cannot take the places of other guests, whatever it announces', async () => {
  const proxied = await startServer({ MAX_UPLOAD_BYTES: String(1024 * 1024), TRUST_PROXY: 'true' });
  try {
    const { key } = await proxied.account();
    const at = tusOf(proxied);
    const made = await proxied.request('POST', '/request/create', { key, json: { title: 'Send me' } });
    const id = made.body.message.uniqueId;
    const from = (n: number, body?: Uint8Array) =>
      at.create(
        undefined,
        1024 * 1024,
        {},
        {
          ...(body === undefined ? {} : { body }),
          headers: { 'x-request-id': id, 'x-forwarded-for': `10.${n >> 8}.${n & 255}.7` },
        },
      );
    // At once, and with a byte each: exact under concurrency, and announced bytes take no space.
    const one = Buffer.from('x');
    const greedy = await Promise.all(Array.from({ length: 60 }, (_, n) => from(1, n % 2 ? one : undefined)));
    const statuses = greedy.map(({ status }) => status);
    assert.is(statuses.filter((status) => status === 201).length, 32, statuses.join());
    assert.is(statuses.filter((status) => status === 429).length, 28, statuses.join());
    const honest = await from(2);
    assert.is(honest.status, 201);
    // All places taken by many networks: what sends nothing makes way, what has begun to send stays.
    assert.is((await at.patch(pathOf(honest), 0, Buffer.alloc(10))).status, 204);
    for (let n = 3; n < 34; n++) {
      const more = await Promise.all(Array.from({ length: 32 }, () => from(n)));
      assert.ok(more.every(({ status }) => status === 201));
    }
    const late = await from(1_000);
    assert.is(late.status, 201);
    assert.is((await at.patch(pathOf(late), 0, Buffer.alloc(1024 * 1024))).status, 204);
    assert.is((await at.patch(pathOf(honest), 10, Buffer.alloc(1024 * 1024 - 10))).status, 204);
    assert.is((await at.create(key, 1024 * 1024)).status, 201, 'the owner is not affected');
  } finally {
    await proxied.close();
  }
});

test('the unfinished bytes of guests together are bounded, however many arrive at once', async () => {
  const { key } = await server.account();
  const made = await server.request('POST', '/request/create', { key, json: { title: 'Send me' } });
  const id = made.body.message.uniqueId;
  const most = 1024 * 1024;
  const paths: string[] = [];
  for (let n = 0; n < 12; n++) paths.push(pathOf(await begin(id, most)));
  const sent = await Promise.all(paths.map((path) => tus.patch(path, 0, Buffer.alloc(most - 1))));
  const stored = sent.filter(({ status }) => status === 204).length;
  assert.is(stored, 8, sent.map(({ status }) => status).join());
  assert.ok(sent.every(({ status }) => status === 204 || status === 403));
});

test('what guests announce takes no room from the owner of a link, what they have sent does', async () => {
  const { key, id: uid } = await server.account();
  const limits = async (storageBytes: number | null) => {
    const json = { limits: { TOTAL: { storageBytes } } };
    const set = await server.request('PUT', `/admin/limits/users/${uid}`, { key: server.owner.key, json });
    assert.is(set.status, 200, set.text);
  };
  const made = await server.request('POST', '/request/create', { key, json: { title: 'Send me' } });
  const id = made.body.message.uniqueId;
  await limits(100_000);
  const paths = [pathOf(await begin(id, 90_000)), pathOf(await begin(id, 90_000))];
  assert.is((await tus.create(key, 90_000)).status, 201, 'the announcements of two guests count nothing');
  await limits(200_000);
  assert.is((await tus.patch(paths[0] ?? '', 0, randomBytes(80_000))).status, 204);
  assert.is((await tus.create(key, 40_000)).status, 403, '90,000 begun by the owner, 80,000 sent by a guest');
  assert.is((await tus.create(key, 20_000)).status, 201);
  const full = await begin(id, 90_000);
  assert.is(full.status, 403);
  assert.match(full.text, 'There is no room for this file here at the moment');
  assert.not.match(full.text, 'limit 200000');
  await limits(null);
});

test('a file of a guest without a length ends where there is no room, without a word on the limits of the owner', async () => {
  const { key, id: uid } = await server.account();
  const json = { limits: { TOTAL: { storageBytes: 1_000 } } };
  await server.request('PUT', `/admin/limits/users/${uid}`, { key: server.owner.key, json });
  const made = await server.request('POST', '/request/create', { key, json: { title: 'Send me' } });
  const path = pathOf(await begin(made.body.message.uniqueId, null));
  assert.is((await tus.patch(path, 0, randomBytes(600))).status, 204);
  const full = await tus.patch(path, 600, randomBytes(500));
  assert.equal([full.status, full.body.message], [403, 'There is no room for this file here at the moment']);
  assert.is((await tus.head(path)).headers.get('upload-offset'), '600');
});

test('a file of a guest without a length ends where the link ends', async () => {
  const id = await link({ maxBytes: 100 });
  const path = pathOf(await begin(id, null));
  assert.is((await tus.patch(path, 0, randomBytes(60))).status, 204);
  assert.is((await tus.patch(path, 60, randomBytes(60))).status, 413);
  const said = { 'upload-length': '120' };
  assert.is((await tus.patch(path, 60, randomBytes(0), said)).status, 413);
  assert.is((await tus.patch(path, 60, randomBytes(40), { 'upload-length': '100' })).status, 204);
  assert.is((await tus.settled(path)).body.message.state, 'done');
});

test('an upload of a caller keeps its password, whatever a proxy calls the request', async () => {
  const headers = { headers: { 'x-request-id': 'req-1' } };
  const begun = await tus.create(owner.key, 5, { filename: 'a.bin', password: 'sesame' }, headers);
  await tus.patch(pathOf(begun), 0, randomBytes(5));
  const { uniqueId } = (await tus.settled(pathOf(begun), owner.key)).body.message.image;
  assert.is((await server.request('GET', `/image/get/${uniqueId}`)).status, 403);
  assert.is((await server.request('GET', `/image/get/${uniqueId}?password=sesame`)).status, 200);
});

test('a link that is named in the query is never taken as an upload of the caller', async () => {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '10', 'x-request-id': '6f1c9a52-of-a-proxy' };
  const ask = (id: string, key?: string) =>
    server.request('POST', `/image/upload/resumable?request=${id}`, { headers, key });
  assert.is((await ask('NOPE1234', owner.key)).status, 404);
  assert.is((await ask(await link())).status, 201);
});

test('a password that an item could not have is just a wrong one of a link', async () => {
  const id = await link({ password: 'sesame' });
  assert.is((await begin(id, 10, { password: 'ab' })).status, 403);
  const own = await tus.create(owner.key, 10, { password: 'ab' });
  assert.is(own.status, 400);
  assert.match(own.text, 'password: use 3 to 100 characters');
});

test('whatever a key of a guest may do otherwise, it answers a link; it uploads as its account only with its scope', async () => {
  const named = { name: 'reader', scopes: ['stats:read'] };
  const made = await server.request('POST', '/user/get/@me/keys', { key: owner.key, json: named });
  const { key } = made.body.message;
  const begun = await begin(await link(), 5, {}, key);
  assert.is(begun.status, 201, begun.text);
  const sent = { 'x-api-key': key };
  assert.is((await tus.patch(pathOf(begun), 0, randomBytes(5), sent)).status, 204);
  assert.is((await tus.settled(pathOf(begun))).body.message.state, 'done');
  const own = await tus.create(key, 5);
  assert.is(own.status, 403);
  assert.match(own.text, 'This key lacks the scope images:write');
});

test('a key that may only create uploads at the addresses that it was given', async () => {
  const named = { name: 'tool', scopes: ['images:write'], createOnly: true };
  const made = await server.request('POST', '/user/get/@me/keys', { key: owner.key, json: named });
  const { key } = made.body.message;
  const json = { contentType: 'text/plain', size: 1 };
  const reserved = await server.request('POST', '/image/generate-upload-url', { key, json });
  const headers = { 'x-api-key': key, 'content-type': 'text/plain' };
  assert.is((await fetch(reserved.body.url, { method: 'PUT', body: 'a', headers })).status, 200);
  const registered = { uniqueId: reserved.body.uid };
  assert.is((await server.request('POST', '/image/register', { key, json: registered })).status, 200);
  const begun = pathOf(await tus.create(key, 1));
  assert.is((await tus.patch(begun, 0, randomBytes(1), { 'x-api-key': key })).status, 204);
});

test('a header that proxies use for their own ids changes nothing for callers with a key', async () => {
  for (const own of [
    'NOPE1234',
    '6f1c9a52-5a54-4f58-9d7b-0a4d4e0f4b0c',
    '0123456789abcdef0123456789abcdef',
  ]) {
    const begun = await begin(own, 5, {}, owner.key);
    assert.is(begun.status, 201, own);
    await tus.patch(pathOf(begun), 0, randomBytes(5));
    assert.is((await tus.settled(pathOf(begun), owner.key)).body.message.image.uploader.uid, owner.id);
  }
  assert.is((await begin('0123456789abcdef0123456789abcdef', 5)).status, 401);
});

test.run();
