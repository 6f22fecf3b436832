// on both databases
/** The collection of a request link, while it is in the trash. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { sessionOf } from '../support/accounts/accounts.js';

const test = suite('the collection of a request link');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer({ TRASH_DAYS: '7' });
  user = await server.account();
});
test.after(() => server.close());

test('a collection in the trash stays that of the request, whatever else of it is changed', async () => {
  const { key } = user;
  const { uniqueId } = (await server.request('POST', '/collection', { key, json: { title: 'Inbox' } })).body;
  const json = { title: 'Your photos', collection: uniqueId };
  const made = (await server.request('POST', '/request/create', { key, json })).body.message;
  const own = () => server.request('GET', `/request/get/${made.uniqueId}`, { key });
  const page = `//web/requests/${made.uniqueId}`;
  assert.is((await server.request('DELETE', `/collection/${uniqueId}`, { key })).status, 200);
  const { collection } = (await own()).body.message;
  assert.is(collection, uniqueId);
  const change = (json: object) =>
    server.request('PATCH', `/request/get/${made.uniqueId}`, { key, json: { title: 'Photos', ...json } });
  assert.is((await change({ collection })).status, 200);
  const cookie = `session_token=${await sessionOf(server, user)}`;
  const shown = await server.request('GET', page, { headers: { cookie } });
  const chosen = /<option[^>]*selected[^>]*>/.exec(shown.text.split('name="collection"')[1] ?? '');
  assert.match(chosen?.[0] ?? '', `value="${uniqueId}"`);
  const form = new URLSearchParams({ action: 'save', title: 'Pictures', collection });
  const saved = await server.request('POST', page, { form, headers: { cookie, origin: server.origin } });
  assert.is(saved.status, 303, saved.text);
  const restored = await server.request('POST', `/user/get/@me/trash/collection/${uniqueId}/restore`, {
    ...{ key, json: {} },
  });
  assert.is(restored.status, 200);
  const now = (await own()).body.message;
  assert.equal([now.title, now.collection], ['Pictures', uniqueId]);
  const sent = fileForm('bytes', 'b.txt');
  await server.request('POST', `/request/open/${made.uniqueId}/files`, { form: sent });
  const held = await server.request('GET', `/collection/${uniqueId}`, { key });
  assert.is(held.body.message.totalFiles, 1);
  for (const other of [null, '']) {
    await server.request('DELETE', `/collection/${uniqueId}`, { key });
    assert.is((await change({ collection: other })).body.message.collection, null);
    assert.is((await change({ collection: uniqueId })).status, 400, 'it cannot be chosen anew');
  }
});

test.run();
