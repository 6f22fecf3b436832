// on both databases
/** The wall of a request link: who sees what came in, what is let through, and what its sender takes back. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { until } from '../support/until.js';
import { listenTo } from '../support/web/web-socket.js';
import { PIXEL } from '../support/web/webhook.js';

const test = suite('walls');
let server: TestServer;
let user: TestAccount;
let other: TestAccount;
test.before(async () => {
  server = await startServer();
  user = await server.account();
  other = await server.account();
});
test.after(() => server.close());

const make = async (fields: object = {}) => {
  const { status, body, text } = await server.request('POST', '/request/create', {
    key: user.key,
    json: { title: 'Wedding', wall: 'all', ...fields },
  });
  assert.is(status, 200, text);
  return body.message;
};
const change = (id: string, json: object) =>
  server.request('PATCH', `/request/get/${id}`, { key: user.key, json });
const give = (id: string, fields: Record<string, string> = {}, query = '') =>
  server.request('POST', `/request/open/${id}/files${query}`, {
    form: fileForm(PIXEL, 'a.png', fields),
  });
const wall = (id: string, query = '') => server.request('GET', `/request/open/${id}/wall${query}`);
const received = async (id: string, query = '') =>
  (await server.request('GET', `/request/get/${id}/files${query}`, { key: user.key })).body.message;
const filesOn = async (id: string) =>
  (await wall(id)).body.message.content.map(({ fileId }: { fileId: string }) => fileId);
const takeBack = (id: string, receipt: string) =>
  server.request('DELETE', `/request/open/${id}/files/${receipt}`);

test('guests see everything that came in, newest first, in pictures only', async () => {
  const made = await make({ message: 'Welcome', blind: true });
  assert.equal([made.wall, made.message, made.ends], ['all', 'Welcome', null]);
  assert.is(made.urlSet.wallUrl, `${server.origin}/web/request/${made.uniqueId}/wall`);
  assert.is((await give(made.uniqueId, { name: 'Ada' })).status, 200);
  await server.request('POST', `/request/open/${made.uniqueId}/files`, { form: fileForm('text', 'b.txt') });
  const { status, body } = await wall(made.uniqueId);
  assert.is(status, 200);
  assert.equal(
    [body.message.title, body.message.message, body.message.totalElements],
    ['Wedding', 'Welcome', 2],
  );
  const [text, picture] = body.message.content;
  assert.equal([text.name, text.url, picture.name, picture.sender], ['b.txt', null, 'a.png', 'Ada']);
  const shown = await fetch(`${picture.url}?width=4000`);
  assert.equal([shown.status, shown.headers.get('content-type')?.startsWith('image/')], [200, true]);
  // A text has no picture, and the item itself stays private.
  assert.is((await server.request('GET', `/request/open/${made.uniqueId}/wall/${text.fileId}`)).status, 404);
  assert.is((await server.request('GET', `/image/get/${picture.fileId}`)).status, 403);
  // What guests may know of others' files is what the wall shows.
  assert.is((await server.request('GET', `/request/open/${made.uniqueId}`)).body.message.received.length, 2);
});

test('a file that waits is shown once it is approved, and no longer if that is taken back', async () => {
  const { uniqueId } = await make({ wall: 'approved' });
  await give(uniqueId);
  assert.equal(await filesOn(uniqueId), []);
  assert.equal((await server.request('GET', `/request/open/${uniqueId}`)).body.message.received, []);
  const [file] = (await received(uniqueId, '?waiting=true')).content;
  assert.is(file.approved, null);
  const picture = `/request/open/${uniqueId}/wall/${file.uniqueId}`;
  assert.is((await server.request('GET', picture)).status, 404);
  const approve = (json: object, key = user.key, fileId = file.uniqueId) =>
    server.request('PUT', `/request/get/${uniqueId}/files/${fileId}`, { key, json });
  assert.is((await approve({ approved: true }, other.key)).status, 401);
  assert.is((await approve({})).status, 400);
  const elsewhere = await server.request('POST', '/image/upload', {
    key: user.key,
    form: fileForm(PIXEL, 'c.png'),
  });
  assert.is((await approve({ approved: true }, user.key, elsewhere.body.uniqueId)).status, 404);
  assert.equal((await approve({ approved: true })).body.message, { fileId: file.uniqueId, approved: true });
  assert.equal(await filesOn(uniqueId), [file.uniqueId]);
  assert.is((await server.request('GET', picture)).status, 200);
  assert.is((await received(uniqueId, '?waiting=true')).totalElements, 0);
  await approve({ approved: false });
  assert.equal(await filesOn(uniqueId), []);
  assert.is((await server.request('GET', picture)).status, 404);
});

test('a wall is closed without one, after its end, when the link is closed, and without the password', async () => {
  const { uniqueId } = await make();
  await give(uniqueId);
  const [fileId] = await filesOn(uniqueId);
  const statuses = async (query = '') => [
    (await wall(uniqueId, query)).status,
    (await server.request('GET', `/request/open/${uniqueId}/wall/${fileId}${query}`)).status,
  ];
  assert.equal(await statuses(), [200, 200]);
  await change(uniqueId, { wall: 'none' });
  assert.equal(await statuses(), [404, 404]);
  await change(uniqueId, { wall: 'all', closed: true });
  assert.equal(await statuses(), [404, 404]);
  const ends = new Date(Date.now() + 1_000).toISOString();
  assert.is((await change(uniqueId, { closed: false, ends })).body.message.ends, ends);
  await until(async () => (await wall(uniqueId)).status === 404);
  assert.equal(await statuses(), [404, 404]);
  assert.is((await give(uniqueId)).status, 404);
  await change(uniqueId, { ends: null, password: 'secret word' });
  assert.equal(await statuses(), [403, 403]);
  assert.equal(await statuses('?password=secret%20word'), [200, 200]);
  await change(uniqueId, { password: null, maxFiles: 1 });
  // It takes nothing more, and still shows what came.
  assert.is((await give(uniqueId)).status, 404);
  assert.equal(await statuses(), [200, 200]);
  for (const json of [{ wall: 'some' }, { message: 'x'.repeat(501) }, { ends: 'soon' }])
    assert.is((await change(uniqueId, json)).status, 400, JSON.stringify(json));
});

test('its socket opens to those alone who see the wall, and closes once they no longer do', async () => {
  const { uniqueId } = await make({ password: 'secret word' });
  const connect = (query: string) => listenTo(server, `/ws/wall${query}`);
  const refused = async (query: string) => (await (await connect(query)).closed).code;
  assert.is(await refused(''), 4001);
  for (const query of [
    '?id=nowhere',
    `?id=${uniqueId}`,
    `?id=${uniqueId}&password=wrong`,
    `?id=${uniqueId}&ticket=1`,
  ])
    assert.is(await refused(query), 4003, query);
  const guest = await connect(`?id=${uniqueId}&password=secret%20word`);
  assert.equal(await guest.next(), { type: 'channel_ready' });
  assert.is((await give(uniqueId, {}, '?password=secret%20word')).status, 200);
  assert.is((await guest.next()).type, 'added');
  await change(uniqueId, { password: 'another word' });
  assert.is((await guest.closed).code, 4003);
  const other = await connect(`?id=${uniqueId}&password=another%20word`);
  await change(uniqueId, { wall: 'none' });
  assert.is((await other.closed).code, 4003);
  assert.is(await refused(`?id=${uniqueId}&password=another%20word`), 4003);
});

test('what its owner deletes or moderators hide is off the wall', async () => {
  const { uniqueId } = await make();
  await give(uniqueId);
  const [fileId] = await filesOn(uniqueId);
  assert.is((await server.request('DELETE', `/image/get/${fileId}`, { key: user.key })).status, 200);
  assert.equal(await filesOn(uniqueId), []);
});

test('a guest takes back what was sent, for good, and its room is free again', async () => {
  const { uniqueId } = await make({ maxFiles: 1 });
  const sent = (await give(uniqueId)).body.message.received[0];
  assert.match(sent.receipt, /^[\w-]{22}$/);
  const [fileId] = await filesOn(uniqueId);
  assert.is((await takeBack(uniqueId, 'A'.repeat(22))).status, 404);
  assert.is((await takeBack(uniqueId, 'short')).status, 400);
  const elsewhere = await make();
  assert.is((await takeBack(elsewhere.uniqueId, sent.receipt)).status, 404);
  assert.is((await takeBack(uniqueId, sent.receipt)).status, 200);
  assert.is((await takeBack(uniqueId, sent.receipt)).status, 404);
  assert.is((await server.request('GET', `/image/info/${fileId}`, { key: user.key })).status, 404);
  assert.equal((await received(uniqueId)).content, []);
  assert.is((await give(uniqueId)).status, 200);
});

test('a file is stored once, however often it is sent with its receipt, also at once', async () => {
  const { uniqueId } = await make();
  const receipt = 'r'.repeat(32);
  const answers = await Promise.all(Array.from({ length: 6 }, () => give(uniqueId, { receipt })));
  assert.equal(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  );
  for (const { body } of answers) assert.is(body.message.received[0].receipt, receipt);
  const list = await received(uniqueId);
  assert.is(list.totalElements, 1);
  const record = (await server.request('GET', `/request/get/${uniqueId}`, { key: user.key })).body.message;
  assert.is(record.receivedFiles, 1);
  const own = await server.request('GET', '/user/get/@me/items?size=100', { key: user.key });
  const items = JSON.stringify(own.body.message);
  assert.is(items.split(list.content[0].uniqueId).length > 1, true);
});

test.run();
