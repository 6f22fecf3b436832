// on both databases
/** Sealed texts, collections and request links, and the key of an account. */
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
import { unzip } from '../../support/media/unzip.js';
import { pathOf, tusOf } from '../../support/uploads/tus.js';

const test = suite('what is sealed');
let server: TestServer;
let user: TestAccount;
let key: AgeKey;
let file: Buffer;
let sealedName: string;
test.before(async () => {
  server = await startServer({ TRASH_DAYS: '7' });
  user = await server.account();
  key = await newKey();
  file = await ageFile(key.recipient, 'a cat under the table');
  sealedName = await sealedNameFor(key.recipient, { name: 'cat.txt', title: 'The cat' });
});
test.after(() => server.close());

const send = (method: string, path: string, json?: object, as = user.key) =>
  server.request(method, path, { key: as, ...(json === undefined ? {} : { json }) });
const upload = async (bytes: Uint8Array | string, fields: Record<string, string> = {}) =>
  (await server.request('POST', '/image/upload', { key: user.key, form: fileForm(bytes, 'a.txt', fields) }))
    .body.uniqueId;
const refused = (answer: Answer, why: RegExp) => {
  assert.is(answer.status, 400, answer.text);
  assert.match(answer.body.message, why);
};

test('a sealed text is armor alone, and so is each of its revisions', async () => {
  const text = armored(file);
  const made = await send('POST', '/paste/create', { text, sealed: true, sealedName });
  assert.is(made.status, 200, made.text);
  const { uniqueId, message } = made.body;
  assert.equal(
    [message.sealed, message.sealedName, message.title, message.language],
    [true, sealedName, uniqueId, null],
  );
  assert.is(await opened(key.identity, message.content), 'a cat under the table');
  for (const bad of [
    'hello',
    `x${text}`,
    `\n${text}`,
    `${text}\n`,
    `${text}x`,
    text.replace('BEGIN', 'BEGIM'),
    text.slice(0, -40),
    text.replace('YWdl', 'YXdl'),
  ])
    refused(await send('POST', '/paste/create', { text: bad, sealed: true }), /^text: /);
  for (const ending of [text.trimEnd(), text.replaceAll('\n', '\r\n')])
    assert.is((await send('POST', '/paste/create', { text: ending, sealed: true })).status, 200);
  for (const clear of [
    { title: 'x' },
    { language: 'rust' },
    { tags: ['x'] },
    { desc: 'x' },
    { originalName: 'x' },
  ])
    refused(await send('POST', '/paste/create', { text, sealed: true, ...clear }), /in the clear/);
  const path = `/paste/get/${uniqueId}`;
  refused(await send('PATCH', path, { text: 'hello' }), /^text: /);
  for (const field of ['title', 'desc', 'originalName'])
    refused(await send('PATCH', path, { [field]: 'x' }), new RegExp(`^${field}: `));
  const next = armored(await ageFile(key.recipient, 'a dog'));
  const renamed = await sealedNameFor(key.recipient, { title: 'The dog' });
  assert.is(
    (await send('PATCH', path, { text: next, sealedName: renamed })).body.message.sealedName,
    renamed,
  );
  const [, first] = (await send('GET', `${path}/revisions`)).body.message.content;
  assert.equal([first.sealed, first.sealedName], [true, sealedName]);
  const restored = (await send('POST', `${path}/revisions/1/restore`, {})).body.message;
  assert.equal([restored.content, restored.sealedName], [text, sealedName]);
  const fork = (await send('POST', `${path}/fork`, {})).body.message;
  assert.equal([fork.sealed, fork.sealedName], [true, sealedName]);
  const file2 = new File([text], 'cat.txt');
  const form = new FormData();
  form.set('sealed', 'true');
  form.set('file', file2);
  const named = await server.request('POST', '/paste/create', { key: user.key, form });
  assert.is(named.body.message.title, named.body.uniqueId, 'the name of the file is dropped');
});

test('a sealed text is found by nothing, not even its armor; its owner finds it by its id', async () => {
  const { uniqueId } = (await send('POST', '/paste/create', { text: armored(file), sealed: true })).body;
  const found = async (search: string) =>
    (await send('GET', `/user/get/@me/items?search=${encodeURIComponent(search)}`)).body.message.content.map(
      (item: { uniqueId: string }) => item.uniqueId,
    );
  assert.equal(await found('ENCRYPTED'), []);
  assert.equal(await found(uniqueId), [uniqueId]);
  const [item] = (await send('GET', '/user/get/@me/items?sealed=true&kind=paste')).body.message.content;
  assert.equal([item.type, item.sealed], ['age', true]);
});

test('a sealed paste that burns is read once', async () => {
  const { uniqueId } = (
    await send('POST', '/paste/create', { text: armored(file), sealed: true, burn: true })
  ).body;
  const stranger = (method: string) => server.request(method, `/paste/get/${uniqueId}`);
  assert.is((await stranger('GET')).status, 403);
  const read = await Promise.all(Array.from({ length: 5 }, () => stranger('POST')));
  assert.is(read.filter(({ status }) => status === 200).length, 1);
});

test('a sealed collection takes sealed files only, and its zip has their names beside them', async () => {
  const sealed = await upload(file, { sealed: 'true', sealedName });
  const clear = await upload('hello');
  for (const bad of [{ title: 'x' }, { description: 'x' }, { tags: ['x'] }, { originalName: 'x' }])
    refused(await send('POST', '/collection', { sealed: true, ...bad }), /in the clear/);
  refused(await send('POST', '/collection', {}), /title/);
  refused(
    await send('POST', '/collection', { sealed: true, items: [{ uniqueId: clear }] }),
    /sealed files only/,
  );
  const made = await send('POST', '/collection', { sealed: true, sealedName, items: [{ uniqueId: sealed }] });
  assert.is(made.status, 200, made.text);
  const { uniqueId, message } = made.body;
  assert.equal([message.sealed, message.sealedName, message.title], [true, sealedName, uniqueId]);
  assert.is(message.items[0].sealedName, sealedName);
  const path = `/collection/${uniqueId}`;
  refused(await send('POST', `${path}/items`, { items: [{ uniqueId: clear }] }), /sealed files only/);
  refused(
    await send('PUT', `${path}/items`, { items: [{ uniqueId: sealed }, { uniqueId: clear }] }),
    /sealed files only/,
  );
  refused(await send('PUT', `${path}/items`, { items: [{ uniqueId: sealed, path: 'cats/one' }] }), /^path: /);
  refused(await send('PATCH', path, { title: 'Cats' }), /^title: /);
  for (const field of ['description', 'desc', 'originalName'])
    refused(await send('PATCH', path, { [field]: 'Cats' }), /^desc|^originalName/);
  refused(await send('PUT', `/image/playlist/get/${uniqueId}/images`, { images: [clear] }), /./);
  const renamed = await sealedNameFor(key.recipient, { title: 'Dogs' });
  assert.is((await send('PATCH', path, { sealedName: renamed })).body.message.sealedName, renamed);
  assert.is((await send('GET', '/collection')).body.message.content[0].sealedName, renamed);
  const open = (await server.request('GET', `/collection/open/${uniqueId}`)).body.message;
  assert.equal([open.sealed, open.sealedName, open.items[0].sealed], [true, renamed, true]);
  const zip = await fetch(`${server.base}/collection/open/${uniqueId}/zip`);
  const entries = await unzip(Buffer.from(await zip.arrayBuffer()));
  assert.equal([...entries.keys()], [`${sealed}.age`, `${sealed}.name.age`]);
  assert.is(
    await opened(key.identity, entries.get(`${sealed}.age`) ?? Buffer.alloc(0)),
    'a cat under the table',
  );
  assert.match(await opened(key.identity, entries.get(`${sealed}.name.age`) ?? Buffer.alloc(0)), /The cat/);
  await send('DELETE', path);
  const [item] = (await send('GET', '/user/get/@me/trash')).body.message.content;
  assert.equal([item.kind, item.sealed, item.sealedName], ['collection', true, renamed]);
});

test('a sealed request tells its guests the key and takes nothing in the clear', async () => {
  const ask = (json: object) => send('POST', '/request/create', { title: 'Photos', ...json });
  for (const recipient of [
    key.identity,
    'age1',
    `${key.recipient}x`,
    `${key.recipient.slice(0, -1)}${key.recipient.endsWith('q') ? 'p' : 'q'}`,
    'ssh-ed25519 AAAA',
  ])
    refused(await ask({ recipient }), /public key of age/);
  refused(await ask({ recipient: key.recipient, types: ['image/*'] }), /^types: /);
  const made = (await ask({ recipient: key.recipient, askName: true })).body.message;
  assert.is(made.recipient, key.recipient);
  const path = `/request/open/${made.uniqueId}`;
  assert.is((await server.request('GET', path)).body.message.recipient, key.recipient);
  const give = (bytes: Uint8Array | string, fields: Record<string, string>, name = 'cat.png') =>
    server.request('POST', `${path}/files`, { form: fileForm(bytes, name, { name: 'Ann', ...fields }) });
  refused(await give('hello', {}), /age file/);
  for (const field of ['title', 'desc', 'originalName', 'tags']) {
    refused(await give(file, { [field]: 'x' }), new RegExp(`^${field}: `));
    const headers = { 'x-request-id': made.uniqueId };
    const begun = tusOf(server).create(
      undefined,
      file.length,
      { filename: 'x', name: 'Ann', [field]: 'x' },
      { headers },
    );
    refused(await begun, new RegExp(`^${field}: `));
  }
  assert.is((await give(file, {})).status, 200, 'that it is sealed need not be said');
  assert.is((await give(file, { sealed: 'true', sealedName })).status, 200);
  const tus = tusOf(server);
  const headers = { 'x-request-id': made.uniqueId };
  const begun = await tus.create(
    undefined,
    file.length,
    { name: 'Ann', filename: 'cat.png', sealedName },
    { headers },
  );
  assert.is(begun.status, 201, begun.text);
  await tus.patch(pathOf(begun), 0, file);
  assert.is((await tus.settled(pathOf(begun))).body.message.state, 'done');
  const files = (await send('GET', `/request/get/${made.uniqueId}/files`)).body.message.content;
  assert.equal(
    files.map((of: { sealedName: string | null }) => of.sealedName),
    [sealedName, sealedName, null],
  );
  for (const { sealed, name, uniqueId } of files) assert.equal([sealed, name], [true, `${uniqueId}.age`]);
  const { message } = (await send('GET', `/image/info/${files[0].uniqueId}`)).body;
  assert.equal([message.description, message.originalName, message.isPublic], [null, null, false]);
});

test('fifty guests at once leave exactly what a sealed request takes', async () => {
  const json = { title: 'Ten', recipient: key.recipient, maxFiles: 10 };
  const { uniqueId } = (await send('POST', '/request/create', json)).body;
  const sent = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      server.request('POST', `/request/open/${uniqueId}/files`, {
        form: fileForm(index % 2 === 0 ? file : 'in the clear', 'a.txt'),
      }),
    ),
  );
  assert.ok(
    sent.every(({ status }) => [200, 400, 404, 429].includes(status)),
    String(sent.map(({ status }) => status)),
  );
  const { receivedFiles } = (await send('GET', `/request/get/${uniqueId}`)).body.message;
  assert.is(receivedFiles, sent.filter(({ status }) => status === 200).length);
  assert.ok(receivedFiles <= 10);
});

test('a request in the clear takes nothing sealed, and no sealed collection', async () => {
  const { uniqueId } = (await send('POST', '/request/create', { title: 'Any' })).body;
  const form = fileForm(file, 'a.age', { sealed: 'true' });
  refused(await server.request('POST', `/request/open/${uniqueId}/files`, { form }), /^sealed: /);
  const collection = (await send('POST', '/collection', { sealed: true })).body.uniqueId;
  refused(await send('POST', '/request/create', { title: 'x', collection }), /^collection: /);
  refused(await send('PATCH', `/request/get/${uniqueId}`, { collection }), /^collection: /);
  const made = await send('POST', '/request/create', { title: 'x', collection, recipient: key.recipient });
  assert.is(made.status, 200, made.text);
  refused(await send('PATCH', `/request/get/${made.body.uniqueId}`, { recipient: '' }), /^collection: /);
  await server.request('POST', `/request/open/${made.body.uniqueId}/files`, {
    form: fileForm(file, 'cat.png'),
  });
  const { items } = (await send('GET', `/collection/${collection}`)).body.message;
  assert.equal([items.length, items[0]?.path], [1, `${items[0]?.uniqueId}.age`]);
});

test('the key of an account is kept wrapped, and goes with the account', async () => {
  const mine = (method: string, json?: object) => send(method, '/user/get/@me/seal', json);
  assert.is((await mine('GET')).status, 404);
  const wrapped = armored(await ageFileWith('correct horse', key.identity));
  for (const [bad, why] of [
    [{ recipient: key.identity, wrapped }, /secret/],
    [{ wrapped }, /^recipient/],
    [{ recipient: key.recipient }, /^wrapped/],
    [{ recipient: key.recipient, wrapped: key.identity }, /^wrapped/],
    [{ recipient: key.recipient, wrapped: armored(file) }, /^wrapped/],
    [{ recipient: key.recipient, wrapped: `${wrapped}x` }, /^wrapped/],
  ] as const)
    refused(await mine('PUT', bad), why);
  const kept = { recipient: key.recipient, wrapped };
  assert.equal((await mine('PUT', kept)).body.message, kept);
  assert.is((await mine('PUT', kept)).status, 200);
  assert.equal((await mine('GET')).body.message, kept);
  assert.is((await mine('DELETE')).status, 200);
  assert.is((await mine('DELETE')).status, 404);
  await mine('PUT', kept);
  const { db } = server.app.services;
  const gone = await server.account();
  await send('PUT', '/user/get/@me/seal', kept, gone.key);
  assert.is((await send('DELETE', '/user/get/@me', { password: gone.password }, gone.key)).status, 200);
  assert.equal(await db.read('account_seals').pluck('user_id'), [
    (await send('GET', '/user/get/@me')).body.message.uid,
  ]);
});

test.run();
