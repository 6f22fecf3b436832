// on both databases
/** Files that their senders have encrypted: how they come in, what is refused, and how they are shown. */
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import {
  type AgeKey,
  ageFile,
  ageFileWith,
  armored,
  newKey,
  opened,
  sealedNameFor,
} from '../../support/content/sealed.js';
import { metadataOf, pathOf, tusOf } from '../../support/uploads/tus.js';

const test = suite('sealed files');
let server: TestServer;
let user: TestAccount;
let key: AgeKey;
let file: Buffer;
let sealedName: string;
test.before(async () => {
  server = await startServer();
  user = await server.account();
  key = await newKey();
  file = await ageFile(key.recipient, 'a cat under the table');
  sealedName = await sealedNameFor(key.recipient, { name: 'cat.txt', type: 'text/plain' });
});
test.after(() => server.close());

const upload = (bytes: Uint8Array | string, fields: Record<string, string> = {}, name = 'cat.jpg') =>
  server.request('POST', '/image/upload', {
    key: user.key,
    form: fileForm(bytes, name, { sealed: 'true', ...fields }),
  });
const bytesOf = async (uniqueId: string, key = user.key) =>
  server.request('GET', `/image/get/${uniqueId}`, { key });
const rawOf = async (path: string) =>
  Buffer.from(
    await (await fetch(`${server.base}${path}`, { headers: { 'x-api-key': user.key } })).arrayBuffer(),
  );
const refused = (answer: Answer, why: RegExp) => {
  assert.is(answer.status, 400, answer.text);
  assert.match(answer.body.message, why);
};

test('a sealed file is an attachment of its own type; its name is what the sender sealed', async () => {
  const made = await upload(file, { sealedName, private: 'true' });
  assert.is(made.status, 200, made.text);
  const { message } = made.body;
  assert.is(message.sealed, true);
  assert.is(message.sealedName, sealedName);
  assert.equal(
    [message.type, message.mimeType, message.originalName, message.description, message.size],
    ['age', 'application/age', null, null, file.length],
  );
  assert.equal([message.thumbhash, message.metadata, message.width, message.tags], [null, null, null, []]);
  const got = await bytesOf(message.uniqueId);
  assert.is(got.headers.get('content-type'), 'application/age');
  assert.is(got.headers.get('content-disposition'), `attachment; filename="${message.uniqueId}.age"`);
  assert.is(
    await opened(key.identity, await rawOf(`/image/get/${message.uniqueId}`)),
    'a cat under the table',
  );
  const other = await server.account();
  const info = await server.request('GET', `/image/info/${message.uniqueId}`, { key: other.key });
  assert.equal([info.body.message.sealed, info.body.message.sealedName], [true, null], 'null without access');
});

test('a sealed name is optional, and what is not sealed has none', async () => {
  assert.is((await upload(file)).body.message.sealedName, null);
  const plain = await server.request('POST', '/image/upload', {
    key: user.key,
    form: fileForm(file, 'a.age'),
  });
  assert.equal([plain.body.message.sealed, plain.body.message.sealedName], [false, null]);
  const form = fileForm(file, 'a.age', { sealedName });
  refused(await server.request('POST', '/image/upload', { key: user.key, form }), /^sealedName: only/);
});

test('what is no whole age file is refused, and nothing is kept', async () => {
  const header = file.indexOf('---');
  const stanza = file.indexOf('->');
  const cases: [string, Uint8Array | string][] = [
    ['a text', 'hello'],
    ['a picture', randomBytes(500)],
    ['the armor of one', armored(file)],
    ['a header that is cut', file.subarray(0, header + 10)],
    ['a header alone', file.subarray(0, file.indexOf('\n', header) + 1)],
    [
      'a content that is cut in its only tag',
      file.subarray(0, file.length - (file.length - header - 48) + 8),
    ],
    ['without a stanza', Buffer.concat([file.subarray(0, stanza), file.subarray(header)])],
    ['something before it', Buffer.concat([Buffer.from('\n'), file])],
    ['another version', Buffer.from(file.toString('latin1').replace('/v1', '/v2'), 'latin1')],
    ['a bit flipped in the header', Buffer.from(file.toString('latin1').replace('-> X', '=> X'), 'latin1')],
  ];
  const count = async () => Number((await server.app.services.db.read('images').count('id as n'))[0]?.n);
  const before = await count();
  for (const [what, bytes] of cases) {
    const answer = await upload(bytes);
    assert.is(answer.status, 400, what);
    assert.match(answer.body.message, /age file|Send the file/, what);
  }
  assert.is(await count(), before);
});

test('what would be said of it in the clear is refused, at once and later', async () => {
  const clear = { desc: 'a cat', title: 'a cat', originalName: 'cat.png', tags: 'cat,table' };
  const made = await upload(file);
  const post = (path: string, json: object) => server.request('POST', path, { key: user.key, json });
  const size = file.length;
  for (const [field, value] of Object.entries(clear)) {
    const why = new RegExp(`^${field}: `);
    refused(await upload(file, { [field]: value }), why);
    const named = new URLSearchParams({ sealed: 'true', filename: 'cat.png', [field]: value });
    const bare = await fetch(`${server.base}/image/upload?${named}`, {
      method: 'POST',
      headers: { 'x-api-key': user.key, 'content-type': 'application/age' },
      body: new Uint8Array(file),
    });
    assert.is(bare.status, 400, `${field} in the query`);
    const json = { contentType: 'application/age', size, sealed: true, [field]: value };
    refused(await post('/image/generate-upload-url', json), why);
    refused(await tusOf(server).create(user.key, size, { sealed: 'true', [field]: value }), why);
    const item = { uniqueId: 'f00', fileType: 'x', size, sealed: true, [field]: value };
    refused(await post('/files/register', { items: [item] }), why);
    const url = 'http://127.0.0.1:9/x';
    assert.is((await post('/image/upload/url', { url, sealed: true, [field]: value })).status, 400);
    const form = fileForm(file, 'x', { [field]: value });
    const path = `/image/get/${made.body.uniqueId}`;
    refused(await server.request('PUT', path, { key: user.key, form }), why);
    refused(await server.request('PATCH', path, { key: user.key, json: { [field]: value } }), why);
    const unsealed = await server.request('POST', '/image/upload', {
      key: user.key,
      form: fileForm('hello', 'a.txt', { [field]: value }),
    });
    assert.is(unsealed.status, 200, `${field} of what is not sealed`);
  }
  const zip = fileForm(file, 'x.zip', { sealed: 'true' });
  refused(await server.request('POST', '/image/upload/zip', { key: user.key, form: zip }), /^sealed: /);
  const { uniqueId } = (await upload(file, { desc: '', tags: '', title: '', originalName: '' })).body;
  const change = (json: object) => server.request('PATCH', `/image/get/${uniqueId}`, { key: user.key, json });
  refused(await change({ tags: ['x'] }), /^tags: /);
  const many = { kind: 'image', ids: [uniqueId], tag: 'cat' };
  const tagged = await server.request('POST', '//trpc/library.changeMany', { key: user.key, json: many });
  assert.is(tagged.status, 400, tagged.text);
  assert.is((await change({ desc: '', private: true })).status, 200);
  assert.is((await change({ sealedName })).body.message.sealedName, sealedName);
  assert.is((await change({ sealedName: null })).body.message.sealedName, null);
});

test('a sealed name is an age file in base64 of at most 8 KiB', async () => {
  const of = async (length: number) => {
    const empty = await ageFile(key.recipient, '');
    return (await ageFile(key.recipient, randomBytes(length - empty.length))).toString('base64');
  };
  assert.is((await upload(file, { sealedName: await of(8192) })).status, 200);
  refused(await upload(file, { sealedName: await of(8193) }), /8192 bytes/);
  for (const name of ['cat.txt', Buffer.from('cat.txt').toString('base64'), `${sealedName}=`, armored(file)])
    refused(await upload(file, { sealedName: name }), /^sealedName: /);
});

test('it stays sealed when its bytes are replaced', async () => {
  const { uniqueId } = (await upload(file, { sealedName })).body;
  const put = (bytes: Uint8Array | string, fields: Record<string, string> = {}) =>
    server.request('PUT', `/image/get/${uniqueId}`, {
      key: user.key,
      form: fileForm(bytes, 'x.png', fields),
    });
  assert.is((await put('in the clear')).status, 400);
  const next = await ageFile(key.recipient, 'a dog');
  const replaced = (await put(next)).body.message;
  assert.equal([replaced.sealed, replaced.sealedName, replaced.originalName], [true, sealedName, null]);
  const renamed = await sealedNameFor(key.recipient, { name: 'dog.txt' });
  assert.is((await put(file, { sealedName: renamed })).body.message.sealedName, renamed);
});

test('by a resumable upload, whose metadata are not kept', async () => {
  const tus = tusOf(server);
  const fields = { sealed: 'true', sealedName, filename: 'cat.png', filetype: 'image/png' };
  const begun = await tus.create(user.key, file.length, fields);
  assert.is(begun.status, 201, begun.text);
  const path = pathOf(begun);
  assert.is((await tus.patch(path, 0, file)).status, 204);
  const { image } = (await tus.settled(path)).body.message;
  assert.equal([image.sealed, image.sealedName, image.originalName], [true, sealedName, null]);
  assert.is((await tus.head(path)).headers.get('upload-metadata'), null);
  const bad = await tus.create(user.key, 5, { sealed: 'true' });
  await tus.patch(pathOf(bad), 0, Buffer.from('hello'));
  const failed = (await tus.settled(pathOf(bad))).body.message;
  assert.is(failed.state, 'failed');
  assert.match(JSON.stringify(failed), /age file/);
  refused(await tus.create(user.key, 5, { sealed: 'true', desc: 'a cat' }), /^desc: /);
  assert.ok(metadataOf(fields).includes('sealedName'));
});

test('by a reserved address', async () => {
  const reserve = (more: object) =>
    server.request('POST', '/image/generate-upload-url', {
      key: user.key,
      json: { contentType: 'image/png', size: file.length, filename: 'cat.png', sealed: true, ...more },
    });
  const { uid, url, headers } = (await reserve({ sealedName })).body;
  assert.is(headers['content-type'], 'application/age');
  const put = await fetch(url, { method: 'PUT', body: new Uint8Array(file), headers });
  assert.is(put.status, 200);
  const json = { uniqueId: uid, fileType: 'png', size: file.length };
  const { message } = (await server.request('POST', '/image/register', { key: user.key, json })).body;
  assert.equal(
    [message.sealed, message.sealedName, message.type, message.originalName],
    [true, sealedName, 'age', null],
  );
  refused(await reserve({ sealedName: 'x' }), /^sealedName: /);
});

test('as a file of a pack, whose file name is its id', async () => {
  const put = async (filename: string, bytes: Buffer) => {
    const named = { filename, contentType: 'application/octet-stream' };
    const { url } = (await server.request('POST', '/files/presigned-url/put', { key: user.key, json: named }))
      .body;
    assert.is((await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status, 200);
  };
  const register = (uniqueId: string, size: number, more: object = {}) =>
    server.request('POST', '/files/register', {
      key: user.key,
      json: {
        items: [
          { uniqueId, size, fileName: 'cat.png', fileType: 'image/png', sealed: true, sealedName, ...more },
        ],
      },
    });
  await put('f00d', file);
  refused(await register('f00d', file.length, { description: 'a cat' }), /^description: /);
  const made = await register('f00d', file.length);
  assert.is(made.status, 200, made.text);
  const [of] = made.body.files;
  assert.equal(
    [of.sealed, of.sealedName, of.fileName, of.fileType],
    [true, sealedName, 'f00d', 'application/age'],
  );
  assert.not.match(made.text, /cat\.png|image\/png/);
  await put('clear', Buffer.from('hello'));
  assert.is((await register('clear', 5)).status, 400);
});

test('lists say what is sealed, and are filtered by it', async () => {
  const { request, account } = server;
  const { key: own } = await account();
  const form = fileForm(file, 'x', { sealed: '1', sealedName });
  const { uniqueId } = (await request('POST', '/image/upload', { key: own, form })).body;
  await request('POST', '/image/upload', { key: own, form: fileForm('hello', 'a.txt') });
  await request('POST', '/url/create', { key: own, json: { url: 'https://example.org' } });
  const list = async (query: string) =>
    (await request('GET', `/user/get/@me/items?${query}`, { key: own })).body.message;
  const all = await list('');
  assert.is(all.totalElements, 3);
  const [sealed] = (await list('sealed=true')).content;
  assert.equal(
    [sealed.uniqueId, sealed.sealed, sealed.sealedName, sealed.title],
    [uniqueId, true, sealedName, uniqueId],
  );
  assert.equal(
    [(await list('sealed=true')).totalElements, (await list('sealed=false')).totalElements],
    [1, 2],
  );
  assert.is((await list('sealed=perhaps')).code ?? 400, 400);
  await request('DELETE', `/image/get/${uniqueId}`, { key: own });
  const trash = await request('GET', '/user/get/@me/trash', { key: own });
  if (trash.body.message.content.length > 0) assert.is(trash.body.message.content[0].sealedName, sealedName);
});

test('a passphrase, several recipients and large headers are age files, too', async () => {
  assert.is((await upload(await ageFileWith('correct horse', 'a cat'))).status, 200);
  const whole = await ageFile(key.recipient, randomBytes(200_000));
  assert.is((await upload(whole)).status, 200);
  const at = whole.indexOf('---');
  const stanza = whole.subarray(whole.indexOf('->'), at);
  const many = (n: number) =>
    Buffer.concat([whole.subarray(0, at), ...Array(n).fill(stanza), whole.subarray(at)]);
  assert.is((await upload(many(800))).status, 200);
  assert.is((await upload(many(2_000))).status, 400, 'a header of more than 128 KiB');
});

test('a view of a sealed file counts as one of any other', async () => {
  const { uniqueId } = (await upload(file, { maxViews: '2' })).body;
  const other = await server.account();
  for (const status of [200, 200, 404]) assert.is((await bytesOf(uniqueId, other.key)).status, status);
});

test.run();
