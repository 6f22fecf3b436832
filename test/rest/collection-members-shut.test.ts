// on both databases
/** Members who may not: those of a lower role, and accounts that are paused, banned or demoted. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';

const test = suite('members who may not');
let server: TestServer;
let admin: TestAccount;
let owner: TestAccount;
let editor: TestAccount;
let adder: TestAccount;
let viewer: TestAccount;
test.before(async () => {
  server = await startServer();
  admin = await server.account('ADMIN');
});
test.after(() => server.close());

/** All are new, because what is done to them stays. */
test.before.each(async () => {
  [owner, editor, adder, viewer] = await Promise.all([
    server.account(),
    server.account(),
    server.account(),
    server.account(),
  ]);
});

const call = (method: string, path: string, as: TestAccount, json?: object) =>
  server.request(method, path, { key: as.key, ...(json && { json }) });
const statusOf = async (method: string, path: string, as: TestAccount, json?: object) =>
  (await call(method, path, as, json)).status;
async function ok(method: string, path: string, as: TestAccount, json?: object) {
  const { status, body, text } = await call(method, path, as, json);
  assert.is(status, 200, `${method} ${path}: ${text}`);
  return body.message;
}
const upload = async (as: TestAccount, name: string) => {
  const form = fileForm(`content of ${name}`, name, { private: 'true' });
  return (await server.request('POST', '/image/upload', { key: as.key, form })).body.uniqueId as string;
};
const add = (id: string, as: TestAccount, file: string) =>
  call('POST', `/collection/${id}/items`, as, { items: [{ uniqueId: file }] });

/** A private collection with a file of its owner and one of its editor, and a member of each role. */
async function together() {
  const [first, second] = [await upload(owner, 'first.txt'), await upload(editor, 'second.txt')];
  const made = { title: 'Wedding', isPublic: false, items: [{ uniqueId: first }] };
  const { uniqueId: id } = await ok('POST', '/collection', owner, made);
  for (const [member, role] of [
    [editor, 'editor'],
    [adder, 'adder'],
    [viewer, 'viewer'],
  ] as const)
    await ok('PUT', `/collection/${id}/members/${member.username}`, owner, { role });
  assert.is((await add(id, editor, second)).status, 200);
  return { id, first, second };
}

/** All that changes a collection, by what it takes to do it. */
const changes = (id: string, file: string, person: string) =>
  ({
    editor: [
      ['PATCH', `/collection/${id}`, { title: 'Theirs' }],
      ['PATCH', `/collection/${id}`, { description: 'x', tags: ['x'], cover: file }],
      ['PUT', `/collection/${id}/items`, { items: [] }],
      ['DELETE', `/collection/${id}/items/${file}`],
    ],
    owner: [
      ['PATCH', `/collection/${id}`, { isPublic: true }],
      ['PATCH', `/collection/${id}`, { password: 'theirs' }],
      ['PATCH', `/collection/${id}`, { notify: 'each' }],
      ['PUT', `/collection/${id}/members/${person}`, { role: 'editor' }],
      ['DELETE', `/collection/${id}/members/${person}`],
      ['POST', `/collection/${id}/owner`, { username: person }],
      ['GET', `/collection/${id}/links`],
      ['POST', `/collection/${id}/links`, {}],
      ['POST', `/collection/${id}/links/send`, { to: ['a@example.com'] }],
      ['DELETE', `/collection/${id}`],
    ],
  }) as const;

test('whoever has too low a role gets 403 for each change, and nothing changes', async () => {
  const { id, second } = await together();
  const theirs = await upload(viewer, 'theirs.txt');
  const before = await ok('GET', `/collection/${id}`, owner);
  const members = await ok('GET', `/collection/${id}/members`, owner);
  const all = changes(id, second, adder.username);
  assert.is((await add(id, viewer, theirs)).status, 403, 'a viewer adds nothing');
  for (const member of [viewer, adder])
    for (const [method, path, json] of all.editor)
      assert.is(await statusOf(method, path, member, json), 403, `${method} ${path} ${JSON.stringify(json)}`);
  const others = changes(id, second, owner.username);
  for (const member of [viewer, editor])
    for (const [method, path, json] of [...all.owner, ...others.owner])
      assert.is(await statusOf(method, path, member, json), 403, `${method} ${path} ${JSON.stringify(json)}`);
  assert.equal(await ok('GET', `/collection/${id}`, owner), before);
  assert.equal(await ok('GET', `/collection/${id}/members`, owner), members);
});

test('an adder takes out own files only, whoever added the others, and none in a new order', async () => {
  const { id, first, second } = await together();
  const mine = await upload(adder, 'mine.txt');
  assert.is((await add(id, adder, mine)).status, 200);
  for (const file of [first, second])
    assert.is(await statusOf('DELETE', `/collection/${id}/items/${file}`, adder), 403, file);
  for (const items of [[], [{ uniqueId: mine }], [{ uniqueId: mine }, { uniqueId: first }]])
    assert.is(await statusOf('PUT', `/collection/${id}/items`, adder, { items }), 403);
  assert.is((await add(id, adder, second)).status, 400, 'another’s file is not theirs to add');
  await ok('DELETE', `/collection/${id}/items/${mine}`, adder);
  assert.is((await ok('GET', `/collection/${id}`, owner)).totalFiles, 2);
});

test('a paused member looks on, changes nothing and takes no ownership until the pause ends', async () => {
  const { id } = await together();
  const mine = await upload(adder, 'mine.txt');
  const later = await upload(adder, 'later.txt');
  assert.is((await add(id, adder, mine)).status, 200);
  await ok('POST', `/admin/limits/users/${adder.id}/pause`, admin, { indefinite: true });
  await ok('POST', `/collection/${id}/owner`, owner, { username: adder.username });
  assert.is(await statusOf('GET', `/collection/open/${id}`, adder), 200);
  assert.is(await statusOf('GET', `/collection/${id}`, adder), 200);
  assert.equal(
    [
      (await add(id, adder, later)).status,
      await statusOf('DELETE', `/collection/${id}/items/${mine}`, adder),
      await statusOf('POST', `/collection/${id}/owner/accept`, adder),
    ],
    [403, 403, 403],
  );
  assert.is((await ok('GET', `/collection/${id}`, owner)).role, 'owner');
  await ok('DELETE', `/admin/limits/users/${adder.id}/pause`, admin);
  assert.is((await add(id, adder, later)).status, 200);
  assert.is((await ok('POST', `/collection/${id}/owner/accept`, adder)).role, 'owner');
});

test('a banned member is out at once and can be named by nobody', async () => {
  const { id } = await together();
  assert.is(await statusOf('PUT', `/admin/user/${editor.id}`, admin, { role: 'BANNED' }), 200);
  for (const [method, path, json] of changes(id, 'NOTHING1', viewer.username).editor)
    assert.ok([401, 403].includes(await statusOf(method, path, editor, json)), `${method} ${path}`);
  assert.is.not(await statusOf('GET', `/collection/open/${id}`, editor), 200);
  assert.is(
    await statusOf('PUT', `/collection/${id}/members/${editor.username}`, owner, { role: 'viewer' }),
    404,
  );
  assert.is(await statusOf('POST', `/collection/${id}/owner`, owner, { username: editor.username }), 404);
  await ok('DELETE', `/collection/${id}/members/${editor.username}`, owner);
});

test('another role holds at once, for the collection and for the account', async () => {
  const { id } = await together();
  const title = (as: TestAccount) => statusOf('PATCH', `/collection/${id}`, as, { title: 'Again' });
  assert.is(await title(editor), 200);
  await ok('PUT', `/collection/${id}/members/${editor.username}`, owner, { role: 'viewer' });
  assert.is(await title(editor), 403);
  await ok('DELETE', `/collection/${id}/members/${editor.username}`, owner);
  assert.equal([await title(editor), await statusOf('GET', `/collection/open/${id}`, editor)], [401, 403]);
  const mine = await upload(adder, 'mine.txt');
  assert.is(await statusOf('PUT', `/admin/user/${adder.id}`, admin, { role: 'GUEST' }), 200);
  assert.is((await add(id, adder, mine)).status, 403);
  assert.is(await statusOf('GET', `/collection/open/${id}`, adder), 200);
});

test('with an account go its memberships, its files in the collection and what was offered to it', async () => {
  const { id, first } = await together();
  await ok('POST', `/collection/${id}/owner`, owner, { username: editor.username });
  await ok('DELETE', '/user/get/@me', editor, { password: editor.password });
  const { items, offeredTo } = await ok('GET', `/collection/${id}`, owner);
  assert.equal([items.map(({ uniqueId }: { uniqueId: string }) => uniqueId), offeredTo], [[first], null]);
  const { content } = await ok('GET', `/collection/${id}/members`, owner);
  assert.is(content.length, 2);
  assert.is(await statusOf('POST', `/collection/${id}/owner/accept`, editor), 401);
});

test('ten changes of the same member at once leave one membership', async () => {
  const { id } = await together();
  const roles = Array.from({ length: 10 }, (_, index) => (['viewer', 'adder', 'editor'] as const)[index % 3]);
  const answers = await Promise.all(
    roles.map((role) => statusOf('PUT', `/collection/${id}/members/${viewer.username}`, owner, { role })),
  );
  assert.equal(new Set(answers), new Set([200]));
  assert.is((await ok('GET', `/collection/${id}/members`, owner)).totalElements, 3);
});

test.run();
