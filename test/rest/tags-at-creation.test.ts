// on both databases
/** Whatever an account makes can have tags from the beginning, by each way; collections share them with items. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { pathOf, tusOf } from '../support/uploads/tus.js';

interface World {
  server: TestServer;
  user: TestAccount;
}
const test = suite<World>('tags at creation');
test.before(async (world) => {
  world.server = await startServer({ TRASH_DAYS: '7' });
  world.user = await world.server.account();
});
test.after(({ server }) => server.close());

const TAGS = ['Ähre', 'two words'];
const tagsAt = async ({ server, user }: World, kind: string, id: string): Promise<string[]> => {
  const path = kind === 'image' ? `/image/info/${id}` : `/${kind}/get/${id}`;
  return (await server.request('GET', path, { key: user.key })).body.message.tags;
};
const found = async ({ server, user }: World, search: string): Promise<string[]> =>
  (
    await server.request('GET', `/user/get/@me/items?search=${encodeURIComponent(search)}`, { key: user.key })
  ).body.message.content.map(({ uniqueId }: { uniqueId: string }) => uniqueId);
const tagsOf = async ({ server, user }: World): Promise<{ tag: string; count: number }[]> =>
  (await server.request('GET', '/user/get/@me/tags', { key: user.key })).body.message;

test('a file gets its tags by form, query, upload address and resumable upload', async (world) => {
  const { server, user } = world;
  const { key } = user;
  const upload = (form: FormData, query = '') =>
    server.request('POST', `/image/upload${query}`, { key, form });
  const byForm = await upload(fileForm('a', 'a.txt', { tags: TAGS.join(', ') }));
  const repeated = fileForm('b', 'b.txt');
  for (const tag of TAGS) repeated.append('tags', tag);
  const address = await server.request('POST', '/image/generate-upload-url', {
    key,
    json: { contentType: 'text/plain', size: 1, filename: 'c.txt' },
  });
  const { pathname, search } = new URL(address.body.url);
  const sent = await server.request('PUT', `/${pathname}${search}`, {
    body: 'c',
    headers: { 'content-type': 'text/plain' },
  });
  assert.is(sent.status, 200, sent.text);
  const registered = await server.request('POST', '/image/register', {
    key,
    json: { uniqueId: address.body.uid, size: 1, tags: TAGS },
  });
  const bare = await server.request(
    'POST',
    `/image/upload?filename=d.txt&tags=${encodeURIComponent(TAGS.join(','))}`,
    {
      key,
      body: 'd',
      headers: { 'content-type': 'application/octet-stream' },
    },
  );
  for (const answer of [byForm, await upload(repeated), registered, bare]) {
    assert.is(answer.status, 200, answer.text);
    assert.equal(await tagsAt(world, 'image', answer.body.message.uniqueId), ['two words', 'Ähre']);
  }
  const tus = tusOf(server);
  const begun = await tus.create(key, 1, { filename: 'e.txt', tags: TAGS.join(',') });
  await tus.patch(pathOf(begun), 0, Buffer.from('e'));
  const { image } = (await tus.settled(pathOf(begun), key)).body.message;
  assert.equal(await tagsAt(world, 'image', image.uniqueId), ['two words', 'Ähre']);
  assert.is((await found(world, 'ähre')).length, 5, 'they are found by them');
  assert.equal(await tagsOf(world), [
    { tag: 'two words', count: 5 },
    { tag: 'Ähre', count: 5 },
  ]);
});

test('a paste gets its tags from JSON, a form and a file', async (world) => {
  const { server, user } = world;
  const { key } = user;
  const form = new URLSearchParams([
    ['text', 'x'],
    ['tags', 'p1'],
    ['tags', 'p2'],
  ]);
  for (const options of [
    { json: { text: 'x', tags: ['p1', 'p2'] } },
    { form },
    { form: fileForm('x', 'x.txt', { tags: 'p1,p2' }) },
  ]) {
    const made = await server.request('POST', '/paste/create', { key, ...options });
    assert.is(made.status, 200, made.text);
    assert.equal(await tagsAt(world, 'paste', made.body.message.uniqueId), ['p1', 'p2']);
  }
});

test('wrong tags are refused before anything is stored', async (world) => {
  const { server, user } = world;
  const { key } = user;
  const before = await tagsOf(world);
  for (const tags of [Array.from({ length: 21 }, (_, at) => `t${at}`).join(','), 'x'.repeat(41)]) {
    const image = await server.request('POST', '/image/upload', {
      key,
      form: fileForm('a', 'a.txt', { tags }),
    });
    const paste = await server.request('POST', '/paste/create', {
      key,
      json: { text: 'x', tags: tags.split(',') },
    });
    assert.equal([image.status, paste.status], [400, 400]);
    assert.match(image.body.message, /^tags/);
  }
  assert.equal(await tagsOf(world), before);
});

test('the forms of the pages take tags', async ({ server, user }) => {
  const login = await server.request('POST', '/auth/login', {
    json: { email: user.email, password: user.password },
  });
  const headers = {
    cookie: (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '',
    origin: server.origin,
  };
  const send = (path: string, form: FormData | URLSearchParams) =>
    server.request('POST', `//web/${path}`, { headers, form });
  await send('image-upload', fileForm('page', 'page.txt', { tags: 'by page, other' }));
  await send('paste-create', new URLSearchParams({ text: 'page', tags: 'by page' }));
  await send('url-create', new URLSearchParams({ url: 'https://example.com', tags: 'by page' }));
  const tags = await tagsOf({ server, user });
  assert.is(tags.find(({ tag }) => tag === 'by page')?.count, 3);
});

test('collections share the tags of items: listed, renamed and removed together', async (world) => {
  const { server, user } = world;
  const call = (method: string, path: string, json?: unknown) =>
    server.request(method, path, { key: user.key, ...(json === undefined ? {} : { json }) });
  const { uniqueId } = (await call('POST', '/collection', { title: 'C', tags: ['Shared', 'alone'] })).body
    .message;
  await call('POST', '/paste/create', { text: 'x', tags: ['shared'] });
  const count = async (name: string) => (await tagsOf(world)).find(({ tag }) => tag === name)?.count ?? 0;
  const ofCollection = async () => (await call('GET', `/collection/${uniqueId}`)).body.message.tags;
  assert.equal([await count('Shared'), await count('alone')], [2, 1]);
  const items = (await call('GET', '/user/get/@me/items?tag=shared')).body.message;
  assert.equal([items.totalElements, items.content.length], [1, 1], 'the list of items has no collections');
  await call('PATCH', '/user/get/@me/tags/shared', { tag: 'Ours' });
  assert.equal(await ofCollection(), ['alone', 'Ours']);
  await call('DELETE', `/collection/${uniqueId}`);
  assert.equal([await count('Ours'), await count('alone')], [1, 0]);
  const restored = await call('POST', `/user/get/@me/trash/collection/${uniqueId}/restore`, {});
  assert.is(restored.status, 200, restored.text);
  assert.equal([await count('Ours'), await count('alone')], [2, 1]);
  await call('DELETE', '/user/get/@me/tags/ours');
  assert.equal(await ofCollection(), ['alone']);
  await call('PATCH', `/collection/${uniqueId}`, { tags: '' });
  assert.equal([await ofCollection(), await count('alone')], [[], 0]);
  await call('PATCH', `/collection/${uniqueId}`, { tags: ['again'] });
  await call('DELETE', `/collection/${uniqueId}?permanent=true`);
  assert.is(await count('again'), 0);
});

test('share links are listed in pages', async ({ server, user }) => {
  const { key } = user;
  const { uniqueId } = (await server.request('POST', '/collection', { key, json: { title: 'C' } })).body
    .message;
  for (const note of ['a', 'b', 'c'])
    await server.request('POST', `/collection/${uniqueId}/links`, { key, json: { note } });
  const page = (await server.request('GET', `/collection/${uniqueId}/links?page=1&size=2`, { key })).body
    .message;
  assert.equal(
    [page.totalElements, page.totalPages, page.currentPage, page.pageSize, page.content.length],
    [3, 2, 1, 2, 1],
  );
  assert.is(page.content[0].note, 'a');
  assert.is((await server.request('GET', `/collection/${uniqueId}/links?size=101`, { key })).status, 400);
});

test.run();
