/** What the export of an account has of what is done together: links, members, walls, favourites, and what is told. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { sessionOf } from '../support/accounts/accounts.js';
import { unzip } from '../support/media/unzip.js';
import { PIXEL } from '../support/web/webhook.js';

const test = suite('the export of what is done together');
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

test('it says of each item who is told, and has links and members without what opens them', async () => {
  const [user, other] = [await server.account(), await server.account()];
  const ok = async (method: string, path: string, json: object, key = user.key) => {
    const { status, body, text } = await server.request(method, path, { key, json });
    assert.is(status, 200, `${method} ${path}: ${text}`);
    return body.message;
  };
  const form = fileForm(PIXEL, 'a.png', { notify: 'first' });
  const image = (await server.request('POST', '/image/upload', { key: user.key, form })).body.uniqueId;
  const paste = (await ok('POST', '/paste/create', { text: 'x', notify: 'each' })).uniqueId;
  await ok('POST', '/url/create', { url: 'https://example.org/', notify: 'daily' });
  const collection = (await ok('POST', '/collection', { title: 'Trip', items: [{ uniqueId: image }] }))
    .uniqueId;
  await ok('PATCH', `/collection/${collection}`, { notify: 'each', favourite: true });
  await ok('PUT', `/collection/${collection}/members/${other.username}`, { role: 'adder' });
  const urls = [];
  for (const path of [`/image/get/${image}`, `/paste/get/${paste}`, `/collection/${collection}`])
    urls.push((await ok('POST', `${path}/links`, { label: 'Ada', notify: 'first', maxViews: 3 })).url);
  await ok('POST', '/request/create', { title: 'Wedding', wall: 'approved', notify: 'daily' });
  const session = await sessionOf(server, user);
  const answer = await fetch(`http://127.0.0.1:${server.app.address.port}/web/settings/account/export`, {
    headers: { cookie: `session_token=${session}` },
  });
  assert.is(answer.status, 200);
  const entries = await unzip(Buffer.from(await answer.arrayBuffer()));
  const first = (name: string) => JSON.parse(entries.get(`${name}.jsonl`)?.toString().split('\n')[0] ?? '');
  const [file, text, link, trip, request] = ['files', 'pastes', 'links', 'collections', 'requests'].map(
    first,
  );
  assert.equal(
    [file.notify, text.notify, link.notify, trip.notify, trip.favourite, request.notify, request.wall],
    ['first', 'each', 'daily', 'each', true, 'daily', 'approved'],
  );
  for (const { links } of [file, text, trip])
    assert.equal(
      links.map((one: { label: string; notify: string; maxViews: number; url?: string }) => [
        one.label,
        one.notify,
        one.maxViews,
        one.url,
      ]),
      [['Ada', 'first', 3, undefined]],
    );
  assert.equal(
    trip.members.map(({ username, role }: { username: string; role: string }) => [username, role]),
    [[other.username, 'adder']],
  );
  const all = [...entries.values()].map((content) => content.toString('latin1')).join('\n');
  for (const url of urls) assert.is(all.includes(new URL(url).pathname.split('/').at(-1) ?? ''), false, url);
});

test.run();
