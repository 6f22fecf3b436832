// on both databases
/** Changes of several items at once: of one's own, all or none. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';

const test = suite('several items at once');
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

const call = (name: string, key: string, json: object) =>
  server.request('POST', `//trpc/library.${name}`, { key, json });

async function paste(key: string, tags: readonly string[] = []): Promise<string> {
  const { body } = await server.request('POST', '/paste/create', { key, json: { content: 'x' } });
  const { uniqueId } = body.message;
  if (tags.length > 0) await server.request('PATCH', `/paste/get/${uniqueId}`, { key, json: { tags } });
  return uniqueId;
}

const read = async (key: string, id: string) =>
  (await server.request('GET', `/paste/get/${id}?info=true`, { key })).body.message;

test('a tag is added once, whatever its case and however often an item is named', async () => {
  const { key } = await server.account();
  const [one, two] = [await paste(key, ['Work']), await paste(key)];
  const ids = [one, two, two.toLowerCase(), 'NOSUCHID'];
  assert.is((await call('changeMany', key, { kind: 'paste', ids, tag: 'work' })).status, 200);
  assert.equal((await read(key, one)).tags, ['Work']);
  assert.equal((await read(key, two)).tags, ['Work']);
  const { body } = await server.request('GET', '/user/get/@me/tags', { key });
  assert.equal(body.message, [{ tag: 'Work', count: 2 }]);
});

test('if one item can have no more tags, none gets it, and none becomes private', async () => {
  const { key } = await server.account();
  const full = await paste(
    key,
    Array.from({ length: 20 }, (_, index) => `tag ${index}`),
  );
  const other = await paste(key);
  const refused = await call('changeMany', key, {
    kind: 'paste',
    ids: [other, full],
    tag: 'more',
    private: true,
  });
  assert.is(refused.status, 400);
  assert.match(refused.text, full);
  assert.equal((await read(key, other)).tags, []);
  assert.is((await read(key, other)).isPublic, true);
});

test('a hundred items get a tag, all of them, or none if the last may not have it', async () => {
  const { key } = await server.account();
  const ids = [];
  for (let made = 0; made < 60; made += 1) ids.push(await paste(key));
  assert.is((await call('changeMany', key, { kind: 'paste', ids, tag: 'many' })).status, 200);
  const { body } = await server.request('GET', '/user/get/@me/tags', { key });
  assert.equal(body.message, [{ tag: 'many', count: ids.length }]);
  const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
  await server.request('PATCH', `/paste/get/${ids.at(-1)}`, { key, json: { tags } });
  assert.is((await call('changeMany', key, { kind: 'paste', ids, tag: 'more' })).status, 400);
  assert.equal((await read(key, ids[0] ?? '')).tags, ['many']);
});

test('long texts get a tag one after another, all of them, or none if one may not have it', async () => {
  const { key } = await server.account();
  const long = async (): Promise<string> => {
    const { body } = await server.request('POST', '/paste/create', {
      key,
      json: { text: 'a long text '.repeat(60_000) },
    });
    return body.message.uniqueId;
  };
  const ids = [await long(), await paste(key), await long(), await long()];
  assert.is((await call('changeMany', key, { kind: 'paste', ids, tag: 'long' })).status, 200);
  for (const id of ids) assert.equal((await read(key, id)).tags, ['long'], id);
  const [, , , last = ''] = ids;
  const many = { tags: Array.from({ length: 20 }, (_, index) => `tag ${index}`) };
  assert.is((await server.request('PATCH', `/paste/get/${last}`, { key, json: many })).status, 200);
  const refused = await call('changeMany', key, { kind: 'paste', ids, tag: 'more', private: true });
  assert.is(refused.status, 400);
  assert.match(refused.text, last);
  for (const id of ids.slice(0, 3)) {
    const { tags, isPublic } = await read(key, id);
    assert.equal([tags, isPublic], [['long'], true], id);
  }
});

test("others' items are neither changed nor deleted, and then none is", async () => {
  const { key } = await server.account();
  const strange = await paste((await server.account()).key);
  const mine = await paste(key);
  const ids = [mine, strange];
  assert.is((await call('changeMany', key, { kind: 'paste', ids, private: true, tag: 'x' })).status, 200);
  assert.is((await read(key, mine)).isPublic, false);
  assert.is((await read(key, strange)).isPublic, true);
  assert.is((await call('discardMany', key, { kind: 'paste', ids })).status, 401);
  assert.is((await read(key, mine)).uniqueId, mine);
  assert.equal((await call('discardMany', key, { kind: 'paste', ids: [mine, mine] })).body.result.data, {
    deleted: 1,
  });
  assert.is((await server.request('GET', `/paste/get/${mine}`, { key })).status, 404);
});

test.run();
