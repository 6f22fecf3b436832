// on both databases
/** The own items of every kind in one list, and tags. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';

interface World {
  server: TestServer;
  user: TestAccount;
  other: TestAccount;
}
const test = suite<World>('own items');
test.before(async (world) => {
  world.server = await startServer();
  world.user = await world.server.account();
  world.other = await world.server.account();
  const { server, user } = world;
  const { key } = user;
  const upload = (text: string, fields: Record<string, string>) =>
    server.request('POST', '/image/upload', { key, form: fileForm(text, 'Bear.txt', fields) });
  await upload('x'.repeat(300), { uniqueId: 'a-file', private: 'true', maxViews: '5' });
  await server.request('POST', '/paste/create', {
    key,
    json: { text: 'x'.repeat(200), title: 'apple', password: 'secret' },
  });
  await server.request('POST', '/url/create', {
    key,
    json: { url: 'https://example.com/Cherry', uniqueId: 'a-link', tags: ['Fruit', 'red'] },
  });
  await server.request('PATCH', '/image/get/a-file', { key, json: { tags: ['fruit'] } });
  await server.request('GET', '/url/r/a-link');
});
test.after(({ server }) => server.close());

const list = async ({ server, user }: World, query = '', key = user.key) =>
  server.request('GET', `/user/get/@me/items${query}`, { key });
const titles = async (world: World, query = '') =>
  (await list(world, query)).body.message.content.map(({ title }: { title: string }) => title);

const CHERRY = 'https://example.com/Cherry';

test('every kind is in one list, with what its owner needs to know', async (world) => {
  const { message } = (await list(world)).body;
  assert.equal(
    [message.totalElements, message.totalPages, message.currentPage, message.pageSize],
    [3, 1, 0, 25],
  );
  const [link, paste, file] = message.content;
  assert.equal([link.kind, link.title, link.visits, link.size], ['url', CHERRY, 1, null]);
  assert.equal(link.tags, ['Fruit', 'red']);
  assert.equal([paste.kind, paste.title, paste.requiresPassword, paste.size], ['paste', 'apple', true, 200]);
  assert.equal(
    [file.kind, file.uniqueId, file.isPublic, file.size, file.views, file.type],
    ['image', 'a-file', false, 300, 0, 'txt'],
  );
  assert.equal(file.tags, ['Fruit'], 'a tag is written as it was first');
  assert.ok(file.urlSet.rawUrl);
  assert.equal((await list(world, '', world.other.key)).body.message.content, []);
  assert.is((await world.server.request('GET', '/user/get/@me/items')).status, 401);
});

test('filters, orders and pages', async (world) => {
  assert.equal(await titles(world, '?sort=oldest'), ['Bear.txt', 'apple', CHERRY]);
  assert.equal(await titles(world, '?sort=size'), ['Bear.txt', 'apple', CHERRY]);
  assert.equal(await titles(world, '?sort=name'), ['apple', 'Bear.txt', CHERRY]);
  assert.equal((await titles(world, '?sort=views'))[0], CHERRY);
  assert.equal(await titles(world, '?kind=paste'), ['apple']);
  assert.equal(await titles(world, '?tag=FRUIT'), [CHERRY, 'Bear.txt']);
  assert.equal(await titles(world, '?tag=fruit&kind=image'), ['Bear.txt']);
  assert.equal(await titles(world, '?tag=none'), []);
  assert.equal(await titles(world, '?visibility=public'), [CHERRY]);
  assert.equal(await titles(world, '?visibility=private'), ['Bear.txt']);
  assert.equal(await titles(world, '?visibility=protected'), ['apple']);
  assert.equal(await titles(world, '?search=cherry'), [CHERRY]);
  assert.equal(await titles(world, '?search=nothing-like-that'), []);
  assert.equal(await titles(world, '?from=2020-01-01&to=2020-01-02'), []);
  assert.is((await titles(world, '?from=2020-01-01')).length, 3);
  const page = (await list(world, '?size=2&page=1')).body.message;
  assert.equal([page.content.length, page.totalElements, page.totalPages, page.currentPage], [1, 3, 2, 1]);
  assert.is((await list(world, '?tag=fruit')).body.message.totalElements, 2);
  for (const query of [
    '?kind=box',
    '?sort=luck',
    '?visibility=some',
    '?size=0',
    '?size=101',
    '?page=-1',
    '?from=soon',
  ])
    assert.is((await list(world, query)).status, 400, query);
  assert.is(
    (await list(world, '?kind=&tag=&search=&visibility=&sort=&from=&to=')).body.message.totalElements,
    3,
  );
});

test('tags are listed, renamed, merged and removed everywhere', async (world) => {
  const { server, user, other } = world;
  const tags = async (key = user.key) =>
    (await server.request('GET', '/user/get/@me/tags', { key })).body.message;
  const rename = (from: string, to: string, key = user.key) =>
    server.request('PATCH', `/user/get/@me/tags/${from}`, { key, json: { tag: to } });
  assert.equal(await tags(), [
    { tag: 'Fruit', count: 2 },
    { tag: 'red', count: 1 },
  ]);
  assert.equal(await tags(other.key), []);
  assert.equal((await rename('RED', 'Dark red')).body.message, { tag: 'Dark red', count: 1 });
  assert.is((await rename('fruit', 'x', other.key)).status, 404);
  assert.is((await rename('fruit', 'a,b')).status, 400);
  assert.equal((await rename('dark%20red', 'FRUIT')).body.message, { tag: 'FRUIT', count: 2 });
  assert.equal(await tags(), [{ tag: 'FRUIT', count: 2 }]);
  assert.is((await server.request('DELETE', '/user/get/@me/tags/fruit', { key: other.key })).status, 404);
  assert.is((await server.request('DELETE', '/user/get/@me/tags/fruit', { key: user.key })).status, 200);
  assert.equal(await tags(), []);
  assert.equal((await server.request('GET', '/url/get/a-link', { key: user.key })).body.message.tags, []);
});

test('the counts of tags are exact, however many items get and lose them at once', async (world) => {
  const { server, user } = world;
  const { key } = user;
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      server.request('POST', '/url/create', {
        key,
        json: { url: 'example.com', uniqueId: `many-${index}`, tags: ['one', 'two'] },
      }),
    ),
  );
  assert.ok(made.every(({ status }) => status === 200));
  await Promise.all([
    ...[0, 1, 2].map((index) =>
      server.request('PATCH', `/url/get/many-${index}`, { key, json: { tags: ['two', 'three'] } }),
    ),
    ...[3, 4].map((index) => server.request('DELETE', `/url/get/many-${index}`, { key })),
  ]);
  const { message } = (await server.request('GET', '/user/get/@me/tags', { key })).body;
  assert.equal(message, [
    { tag: 'one', count: 3 },
    { tag: 'three', count: 3 },
    { tag: 'two', count: 6 },
  ]);
});

test('a named key needs the scope of the account for what is about every kind', async (world) => {
  const { server, user } = world;
  const keyWith = async (scopes: string[]) =>
    (await server.request('POST', '/user/get/@me/keys', { key: user.key, json: { name: 'k', scopes } })).body
      .message.key;
  assert.is((await list(world, '', await keyWith(['account:read']))).status, 200);
  assert.is((await list(world, '', await keyWith(['urls:read', 'images:read']))).status, 403);
});

test('a tag of thousands of items becomes another one, or is taken from all, whatever is in the trash', async ({
  server,
}) => {
  const { key } = await server.account();
  const links = Array.from({ length: 2_100 }, (_, index) => ({
    ...{
      url: 'https://example.org/',
      uniqueId: `tagged-${index}`,
      tags: index === 0 ? ['rest', 'all'] : ['all'],
    },
  }));
  const tagsNow = async () => (await server.request('GET', '/user/get/@me/tags', { key })).body.message;
  const imported = await server.request('POST', '/url/import?format=json', { key, json: links });
  assert.is(imported.status, 200, imported.text.slice(0, 300));
  assert.is((await server.request('DELETE', '/url/get/tagged-5', { key })).status, 200);
  assert.equal(await tagsNow(), [
    { tag: 'all', count: 2_099 },
    { tag: 'rest', count: 1 },
  ]);
  const renamed = await server.request('PATCH', '/user/get/@me/tags/all', { key, json: { tag: 'REST' } });
  assert.equal(renamed.body.message, { tag: 'REST', count: 2_099 });
  assert.equal(await tagsNow(), [{ tag: 'REST', count: 2_099 }]);
  assert.equal((await server.request('GET', '/url/get/tagged-0', { key })).body.message.tags, ['REST']);
  const back = await server.request('PATCH', '/user/get/@me/tags/rest', { key, json: { tag: 'all' } });
  assert.equal(back.body.message, { tag: 'all', count: 2_099 });
  assert.is((await server.request('DELETE', '/user/get/@me/tags/all', { key })).status, 200);
  assert.equal(await tagsNow(), []);
  assert.is((await server.request('DELETE', '/user/get/@me/tags/all', { key })).status, 404);
});

test.run();
