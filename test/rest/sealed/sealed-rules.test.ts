// on both databases
/** What holds for any item holds for what is sealed: readers who leave, blocks, reports, limits; and what operators see. */
import { createHash, randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import {
  type AgeKey,
  ageFile,
  armored,
  newKey,
  opened,
  sealedNameFor,
} from '../../support/content/sealed.js';

const test = suite('rules of what is sealed');
let server: TestServer;
let user: TestAccount;
let key: AgeKey;
let sealedName: string;
test.before(async () => {
  server = await startServer();
  user = await server.account();
  key = await newKey();
  sealedName = await sealedNameFor(key.recipient, { name: 'cat.txt', title: 'The cat' });
});
test.after(() => server.close());

const upload = (bytes: Uint8Array, fields: Record<string, string> = {}) =>
  server.request('POST', '/image/upload', {
    key: user.key,
    form: fileForm(bytes, 'x.age', { sealed: 'true', sealedName, ...fields }),
  });

test('a reader who leaves in the middle has a part that opens for nobody; the next one has the whole', async () => {
  const content = randomBytes(6 * 1024 * 1024).toString('base64');
  const file = await ageFile(key.recipient, content);
  const { uniqueId } = (await upload(file)).body;
  const leave = new AbortController();
  const answer = await fetch(`${server.base}/image/get/${uniqueId}`, { signal: leave.signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const first = (await reader.read()).value ?? new Uint8Array();
  leave.abort();
  await reader.closed.catch(() => undefined);
  assert.ok(first.length > 0 && first.length < file.length);
  assert.is(await opened(key.identity, first).catch(() => 'refused'), 'refused');
  const whole = await fetch(`${server.base}/image/get/${uniqueId}`);
  assert.is(await opened(key.identity, Buffer.from(await whole.arrayBuffer())), content);
});

test('a sender who leaves in the middle leaves nothing', async () => {
  const file = await ageFile(key.recipient, randomBytes(3 * 1024 * 1024));
  const count = async () =>
    (await server.request('GET', '/user/get/@me/items', { key: user.key })).body.message.totalElements;
  const before = await count();
  const parts = [file.subarray(0, 1024 * 1024)];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.error(new Error('gone'));
      else controller.enqueue(new Uint8Array(part));
    },
  });
  const sent = await fetch(`${server.base}/image/upload?sealed=true&filename=x`, {
    method: 'POST',
    headers: { 'x-api-key': user.key, 'content-type': 'application/age' },
    body,
    duplex: 'half',
  } as RequestInit).then(
    ({ status }) => status,
    () => 0,
  );
  assert.not.equal(sent, 200);
  assert.is(await count(), before);
});

test('a block by hash is of the age file, and keeps it from coming again', async () => {
  const file = await ageFile(key.recipient, 'a cat that nobody wants');
  assert.is((await upload(file)).status, 200);
  const value = createHash('sha256').update(file).digest('hex');
  const json = { kind: 'hash', value };
  const blocked = await server.request('POST', '/admin/blocks', { key: server.owner.key, json });
  assert.is(blocked.status, 200, blocked.text);
  const again = await upload(file);
  assert.is(again.status, 400, again.text);
  const other = await ageFile(key.recipient, 'a cat that nobody wants');
  assert.is((await upload(other)).status, 200, 'sealed again it is another file');
  const text = armored(await ageFile(key.recipient, 'a text that nobody wants'));
  const ofText = { kind: 'hash', value: createHash('sha256').update(text).digest('hex') };
  assert.is(
    (await server.request('POST', '/admin/blocks', { key: server.owner.key, json: ofText })).status,
    200,
  );
  const paste = await server.request('POST', '/paste/create', {
    key: user.key,
    json: { text, sealed: true },
  });
  assert.is(paste.status, 400, paste.text);
});

test('moderators are told that what is reported is sealed, and can only hide and delete it', async () => {
  const admin = server.owner.key;
  const { uniqueId } = (await upload(await ageFile(key.recipient, 'reported'))).body;
  const report = { kind: 'image', uniqueId, reason: 'spam' };
  assert.is((await server.request('POST', '/report', { json: report })).status, 200);
  const listed = await server.request('GET', '/admin/reports', { key: admin });
  const found = listed.body.message.content.find((of: { uniqueId: string }) => of.uniqueId === uniqueId);
  assert.is(found.item.sealed, true);
  assert.not.match(JSON.stringify(found), /cat|sealedName/);
  const json = { action: 'quarantine' };
  const path = `/admin/reports/${found.id}/resolve`;
  assert.is((await server.request('POST', path, { key: admin, json })).status, 200);
  assert.not.equal((await server.request('GET', `/image/get/${uniqueId}`)).status, 200);
});

test('fifty readers at once take exactly the views that a sealed file has', async () => {
  const { uniqueId } = (await upload(await ageFile(key.recipient, 'seven times'), { maxViews: '7' })).body;
  const read = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const answer = await fetch(`${server.base}/image/get/${uniqueId}`);
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    }),
  );
  const got = read.filter(({ status }) => status === 200);
  assert.is(got.length, 7);
  for (const { bytes } of got) assert.is(await opened(key.identity, bytes), 'seven times');
  assert.ok(read.every(({ status }) => status === 200 || status === 404));
});

test('what is at its end, locked or private is closed as any other item is', async () => {
  const file = await ageFile(key.recipient, 'closed');
  const locked = (await upload(file, { password: 'open sesame' })).body.uniqueId;
  const info = async (id: string, headers: Record<string, string> = {}) =>
    (await server.request('GET', `/image/info/${id}`, { headers })).body.message;
  assert.is((await info(locked)).sealedName, null, 'no name without the password');
  assert.is((await server.request('GET', `/image/get/${locked}`)).status, 403);
  const shown = { 'x-password': 'open sesame' };
  assert.is((await server.request('GET', `/image/get/${locked}`, { headers: shown })).status, 200);
  const own = (await upload(file, { private: 'true' })).body.uniqueId;
  assert.is((await server.request('GET', `/image/get/${own}`)).status, 403);
});

test.run();
