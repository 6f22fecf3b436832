// on both databases
/** Collections that several keep together, by guarantee; who may call what is in the access matrix. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { mailsTo } from '../support/accounts/outbox.js';

const test = suite('members of collections');
let server: TestServer;
let owner: TestAccount;
let editor: TestAccount;
let adder: TestAccount;
let viewer: TestAccount;
test.before(async () => {
  server = await startServer();
  [owner, editor, adder, viewer] = await Promise.all([
    server.account(),
    server.account(),
    server.account(),
    server.account(),
  ]);
});
test.after(() => server.close());

const call = (
  method: string,
  path: string,
  as: TestAccount,
  json?: object,
  headers?: Record<string, string>,
) => server.request(method, path, { key: as.key, ...(json && { json }), ...(headers && { headers }) });
async function ok(method: string, path: string, as: TestAccount, json?: object) {
  const { status, body, text } = await call(method, path, as, json);
  assert.is(status, 200, `${method} ${path}: ${text}`);
  return body.message;
}
const upload = async (as: TestAccount, name: string, fields: Record<string, string> = {}) => {
  const form = fileForm(`content of ${name}`, name, { private: 'true', ...fields });
  return (await server.request('POST', '/image/upload', { key: as.key, form })).body.uniqueId as string;
};
const put = (id: string, member: TestAccount, role: string) =>
  ok('PUT', `/collection/${id}/members/${member.username}`, owner, { role });

/** A private collection with a file of its owner, and a member of each role. */
async function together(): Promise<{ id: string; file: string }> {
  const file = await upload(owner, 'first.txt');
  const made = { title: 'Wedding', isPublic: false, items: [{ uniqueId: file }] };
  const { uniqueId: id } = await ok('POST', '/collection', owner, made);
  await put(id, editor, 'editor');
  await put(id, adder, 'adder');
  await put(id, viewer, 'viewer');
  return { id, file };
}
const names = async (id: string, as: TestAccount) =>
  (await ok('GET', `/collection/open/${id}`, as)).items.map(({ path }: { path: string }) => path);

test('who is made a member is told by mail without the title, finds it, and leaves it', async () => {
  const { id } = await together();
  const told = (await mailsTo(server, viewer.email)).at(-1);
  assert.match(told?.text ?? '', '/web/shared-with-me');
  assert.not.match(told?.text ?? '', 'Wedding');
  const [found] = (await ok('GET', '/collection/shared-with-me', viewer)).content;
  assert.equal(
    [found.uniqueId, found.role, found.offered, found.owner.username],
    [id, 'viewer', false, owner.username],
  );
  const { content } = await ok('GET', `/collection/${id}/members`, viewer);
  assert.equal(
    content.map(({ username, role }: { username: string; role: string }) => [username, role]),
    [
      [editor.username, 'editor'],
      [adder.username, 'adder'],
      [viewer.username, 'viewer'],
    ],
  );
  const before = (await mailsTo(server, viewer.email)).length;
  await put(id, viewer, 'adder');
  assert.is((await mailsTo(server, viewer.email)).length, before, 'another role is no other invitation');
  await ok('DELETE', `/collection/${id}/members/${viewer.username}`, viewer);
  assert.is((await call('GET', `/collection/open/${id}`, viewer)).status, 403);
  assert.is((await call('DELETE', `/collection/${id}/members/${viewer.username}`, owner)).status, 404);
  assert.is(
    (await call('PUT', `/collection/${id}/members/nobody-at-all`, owner, { role: 'viewer' })).status,
    404,
  );
  assert.is(
    (await call('PUT', `/collection/${id}/members/${owner.username}`, owner, { role: 'viewer' })).status,
    400,
  );
  assert.is(
    (await call('PUT', `/collection/${id}/members/${viewer.username}`, owner, { role: 'boss' })).status,
    400,
  );
});

test('a viewer opens it, an adder adds own files and takes those out, an editor edits it; the rest is its owner’s', async () => {
  const { id, file } = await together();
  const [mine, others] = [await upload(adder, 'mine.txt'), await upload(viewer, 'others.txt')];
  assert.equal(await names(id, viewer), ['first.txt']);
  assert.is(
    (await call('POST', `/collection/${id}/items`, viewer, { items: [{ uniqueId: others }] })).status,
    403,
  );
  assert.is(
    (await call('POST', `/collection/${id}/items`, adder, { items: [{ uniqueId: others }] })).status,
    400,
  );
  await ok('POST', `/collection/${id}/items`, adder, { items: [{ uniqueId: mine }] });
  assert.equal(await names(id, owner), ['first.txt', 'mine.txt']);
  assert.equal(await names(id, viewer), ['first.txt', 'mine.txt']);
  assert.is((await call('DELETE', `/collection/${id}/items/${file}`, adder)).status, 403);
  assert.is((await call('PATCH', `/collection/${id}`, adder, { title: 'Mine' })).status, 403);
  const order = { items: [{ uniqueId: mine }, { uniqueId: file }] };
  assert.is((await call('PUT', `/collection/${id}/items`, adder, order)).status, 403);
  const edited = await ok('PATCH', `/collection/${id}`, editor, {
    title: 'Ours',
    tags: ['summer'],
    cover: mine,
  });
  assert.equal([edited.title, edited.tags, edited.cover, edited.role], ['Ours', ['summer'], mine, 'editor']);
  await ok('PUT', `/collection/${id}/items`, editor, order);
  assert.equal(await names(id, adder), ['mine.txt', 'first.txt']);
  for (const theirs of [
    { isPublic: true },
    { password: 'correct horse' },
    { expiresAt: null },
    { maxViews: 3 },
    { favourite: true },
  ])
    assert.is((await call('PATCH', `/collection/${id}`, editor, theirs)).status, 403, JSON.stringify(theirs));
  assert.is((await call('DELETE', `/collection/${id}`, editor)).status, 403);
  assert.is((await call('POST', `/collection/${id}/links`, editor, {})).status, 403);
  assert.is(
    (await call('PUT', `/collection/${id}/members/${viewer.username}`, editor, { role: 'editor' })).status,
    403,
  );
  await ok('DELETE', `/collection/${id}/items/${mine}`, adder);
  await ok('DELETE', `/collection/${id}/items/${file}`, editor);
  assert.is((await ok('GET', `/collection/${id}`, owner)).totalFiles, 0);
  assert.is((await call('GET', `/image/get/${file}`, owner)).status, 200, 'the file stays its owner’s');
});

test('changes by two at once: the second learns by its If-Match that it is not the same any more', async () => {
  const { id, file } = await together();
  const tagOf = async (as: TestAccount) =>
    (await call('GET', `/collection/${id}`, as)).headers.get('etag') ?? '';
  const tag = await tagOf(owner);
  assert.is(tag, await tagOf(editor));
  const change = (as: TestAccount, json: object, ifMatch: string) =>
    call('PATCH', `/collection/${id}`, as, json, { 'if-match': ifMatch });
  const first = await change(editor, { title: 'Second title' }, tag);
  assert.is(first.status, 200);
  assert.is((await change(owner, { title: 'Third title' }, tag)).status, 412);
  const order = { items: [{ uniqueId: file }] };
  assert.is((await call('PUT', `/collection/${id}/items`, owner, order, { 'if-match': tag })).status, 412);
  assert.is((await change(owner, { title: 'Third title' }, first.headers.get('etag') ?? '')).status, 200);
});

test('files of members keep their passwords and ends, count for them, and leave with their account', async () => {
  const { id } = await together();
  const guest = await server.account();
  await put(id, guest, 'adder');
  const plain = await upload(guest, 'plain.txt');
  const locked = await upload(guest, 'locked.txt', { password: 'theirs' });
  await ok('POST', `/collection/${id}/items`, guest, { items: [{ uniqueId: plain }, { uniqueId: locked }] });
  const seen = async (as: TestAccount) =>
    (await ok('GET', `/collection/open/${id}`, as)).items.map(
      ({ fileUrl }: { fileUrl: string | null }) => fileUrl !== null,
    );
  assert.equal(await seen(owner), [true, true, false]);
  assert.equal(await seen(guest), [true, true, true]);
  assert.is((await call('GET', `/collection/open/${id}/files/${locked}`, owner)).status, 403);
  assert.is(
    (await call('GET', `/collection/open/${id}/files/${plain}`, viewer)).text,
    'content of plain.txt',
  );
  assert.is((await call('DELETE', '/user/get/@me', guest, { password: guest.password })).status, 200);
  assert.equal(await names(id, owner), ['first.txt']);
  assert.is((await ok('GET', `/collection/${id}/members`, owner)).totalElements, 3);
});

test('a collection that has ended has no members', async () => {
  const { id } = await together();
  await ok('PATCH', `/collection/${id}`, owner, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
  const { db } = server.app.services;
  await db.write((trx) => trx('collections').where('unique_id', id).update({ expires_at: 1 }));
  assert.is((await call('GET', `/collection/open/${id}`, viewer)).status, 404);
  assert.is((await call('PATCH', `/collection/${id}`, editor, { title: 'x' })).status, 401);
  const { content } = await ok('GET', '/collection/shared-with-me', viewer);
  assert.is(
    content.some(({ uniqueId }: { uniqueId: string }) => uniqueId === id),
    false,
  );
});

test('a collection gets another owner who accepts it; the former one becomes an editor', async () => {
  const { id, file } = await together();
  await ok('PATCH', `/collection/${id}`, owner, { tags: ['ours'], favourite: true });
  assert.is((await call('POST', `/collection/${id}/owner/accept`, viewer)).status, 404);
  await ok('POST', `/collection/${id}/owner`, owner, { username: adder.username });
  await ok('POST', `/collection/${id}/owner`, owner, { username: viewer.username });
  assert.is(
    (await call('POST', `/collection/${id}/owner/accept`, adder)).status,
    404,
    'offered to one at a time',
  );
  const offers = (await ok('GET', '/collection/shared-with-me', viewer)).content;
  assert.is(offers.find(({ uniqueId }: { uniqueId: string }) => uniqueId === id).offered, true);
  assert.is((await call('DELETE', `/collection/${id}/owner`, viewer)).status, 200);
  assert.is((await call('POST', `/collection/${id}/owner/accept`, viewer)).status, 404);
  await ok('POST', `/collection/${id}/owner`, owner, { username: viewer.username });
  const taken = await ok('POST', `/collection/${id}/owner/accept`, viewer);
  assert.equal(
    [taken.role, taken.owner.username, taken.tags, taken.favourite],
    ['owner', viewer.username, ['ours'], false],
  );
  assert.is((await call('PATCH', `/collection/${id}`, owner, { title: 'Still edited' })).status, 200);
  assert.is((await call('DELETE', `/collection/${id}`, owner)).status, 403);
  assert.equal(await names(id, viewer), ['first.txt']);
  assert.is((await call('GET', `/image/get/${file}`, owner)).status, 200);
  assert.is((await call('GET', `/image/get/${file}`, viewer)).status, 403, 'files stay their owners’');
});

test.run();
