// on both databases
/** What is beside an image in its owner's library is what its list has beside it, in every order and filter. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';

const test = suite('neighbours in a library');
let server: TestServer;
let user: TestAccount;

test.before(async () => {
  server = await startServer();
  user = await server.account();
  // Equal names and sizes are among them.
  for (const [name, text] of [
    ['b lake.txt', 'xx'],
    ['A.txt', 'yyyy'],
    ['b lake.txt', 'zz'],
    ['c lake.txt', 'wwww'],
    ['Ärger.txt', 'v'],
  ] as const)
    await server.request('POST', '/image/upload', { key: user.key, form: fileForm(text, name) });
});
test.after(() => server.close());

async function call(procedure: string, input: object, key = user.key) {
  const asked = encodeURIComponent(JSON.stringify(input));
  const answer = await server.request('GET', `//trpc/library.${procedure}?input=${asked}`, { key });
  return { status: answer.status, data: JSON.parse(answer.text).result?.data };
}

for (const sort of ['newest', 'oldest', 'largest', 'name']) {
  for (const search of ['', 'lake']) {
    test(`${sort}${search && `, of those with “${search}”`}`, async () => {
      const { data } = await call('images', { sort, search });
      const ids: string[] = data.items.map(({ uniqueId }: { uniqueId: string }) => uniqueId);
      assert.is(ids.length, search === '' ? 5 : 3);
      for (const [index, uniqueId] of ids.entries()) {
        const expected = {
          previous: ids[index - 1] ?? null,
          next: ids[index + 1] ?? null,
          index,
          total: ids.length,
        };
        assert.equal((await call('neighbours', { uniqueId, sort, search })).data, expected);
      }
    });
  }
}

test('of an image of somebody else nothing is told', async () => {
  const { data } = await call('images', {});
  const other = await server.account();
  const answer = await call('neighbours', { uniqueId: data.items[0].uniqueId }, other.key);
  assert.is(answer.status, 401);
  assert.is((await call('neighbours', { uniqueId: 'NOSUCH11' })).status, 404);
});

test.run();
