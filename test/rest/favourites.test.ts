// on both databases
/** What accounts mark, and random pictures of collections, by guarantee. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';

const test = suite('favourites');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer();
  user = await server.account();
});
test.after(() => server.close());

const upload = async (content: string | Buffer, name: string, fields: Record<string, string> = {}) => {
  const { body } = await server.request('POST', '/image/upload', {
    key: user.key,
    form: fileForm(content, name, fields),
  });
  return body.uniqueId as string;
};
const post = async (path: string, json: object) => {
  const { status, body, text } = await server.request('POST', path, { key: user.key, json });
  assert.is(status, 200, text);
  return body.message.uniqueId as string;
};
const patch = (path: string, favourite: unknown) =>
  server.request('PATCH', path, { key: user.key, json: { favourite } });
const get = (path: string, key: string | null = user.key) =>
  server.request('GET', path, { key: key ?? undefined });

test('items of every kind are marked, found by it, and unmarked; nobody else learns of it', async () => {
  const image = await upload('one', 'one.txt');
  const other = await upload('two', 'two.txt');
  const paths = [
    `/image/get/${image}`,
    `/paste/get/${await post('/paste/create', { text: 'marked' })}`,
    `/url/get/${await post('/url/create', { url: 'https://example.com/marked' })}`,
  ];
  for (const path of paths) {
    const { status, body } = await patch(path, true);
    assert.equal([status, body.message.favourite], [200, true], path);
  }
  const marked = async (query = '') => (await get(`/user/get/@me/items?favourite=true${query}`)).body.message;
  assert.is((await marked()).content.length, 3);
  assert.is((await marked('&kind=image')).totalElements, 1);
  assert.is((await marked('&search=one')).content[0].uniqueId, image);
  assert.is((await get('/user/get/@me/items')).body.message.totalElements, 4);
  assert.is((await get(`/image/get/${other}?info=true`)).body.message.favourite, false);
  assert.is((await get(`/image/info/${image}`, null)).body.message.favourite, false);
  for (const path of paths) assert.is((await patch(path, false)).body.message.favourite, false);
  assert.is((await marked()).content.length, 0);
  assert.is((await patch(paths[0] ?? '', 'perhaps')).status, 400);
});

test('collections are marked and found by it', async () => {
  const uniqueId = await post('/collection', { title: 'Best' });
  await post('/collection', { title: 'Rest' });
  assert.is((await patch(`/collection/${uniqueId}`, true)).body.message.favourite, true);
  const { content, totalElements } = (await get('/collection?favourite=true')).body.message;
  assert.equal([content[0].uniqueId, content[0].favourite, totalElements], [uniqueId, true, 1]);
  assert.is((await get('/collection')).body.message.totalElements, 2);
  assert.is((await get(`/collection/open/${uniqueId}`, null)).body.message.favourite, undefined);
});

test('a random picture of a collection is one that the caller may open', async () => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#00f' } })
    .png()
    .toBuffer();
  const [shown, hidden, words] = [
    await upload(png, 'a.png'),
    await upload(png, 'b.png', { private: 'true' }),
    await upload('words', 'c.txt'),
  ];
  const items = [shown, hidden, words].map((uniqueId) => ({ uniqueId }));
  const uniqueId = await post('/collection', { title: 'Frame', items });
  const lead = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.app.address.port}/v1${path}`, {
      redirect: 'manual',
    });
    assert.equal([response.status, response.headers.get('cache-control')], [302, 'no-store']);
    return new URL(response.headers.get('location') ?? '');
  };
  const led = await lead(`/collection/open/${uniqueId}/random?width=320`);
  assert.equal([led.pathname.endsWith(`/files/${shown}`), led.search], [true, '?width=320']);
  assert.is((await get(`${led.pathname.replace('/v1', '')}${led.search}`, null)).status, 200);
  const { body } = await server.request('POST', `/collection/${uniqueId}/links`, { key: user.key, json: {} });
  const secret = new URL(body.message.url).pathname.split('/').at(-1);
  const seen = new Set<string>();
  while (seen.size < 2) seen.add((await lead(`/collection/shared/${secret}/random`)).pathname);
  const empty = await post('/collection', { title: 'Empty', items: [{ uniqueId: words }] });
  assert.is((await get(`/collection/open/${empty}/random`, null)).status, 404);
  assert.is((await get(`/collection/open/${uniqueId}/random?width=wide`, null)).status, 400);
});

test.run();
