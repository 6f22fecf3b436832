// on both databases
/** Reports by anybody, and what moderators make of them (docs/api.md, Order). */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { jpegPhoto, movie } from '../../support/media/media-fixtures.js';

interface World {
  server: TestServer;
  holder: TestAccount;
  moderator: TestAccount;
}
const test = suite<World>('reports');

test.before.each(async (world) => {
  world.server = await startServer();
  world.holder = await world.server.account();
  world.moderator = await world.server.account('MODERATOR');
});
test.after.each(({ server }) => server.close());

const report = (server: TestServer, json: object, headers: Record<string, string> = {}) =>
  server.request('POST', '/report', { json: { reason: 'abuse', ...json }, headers });
const reports = async (server: TestServer, key: string, query = '') =>
  (await server.request('GET', `/admin/reports${query}`, { key })).body.message;
const resolve = (server: TestServer, key: string, id: number, json: object) =>
  server.request('POST', `/admin/reports/${id}/resolve`, { key, json });
const paste = async (server: TestServer, { key }: TestAccount, json: object = {}): Promise<string> =>
  (await server.request('POST', '/paste/create', { key, json: { text: 'a text', ...json } })).body.uniqueId;

/** Reports an item; returns the id of the report. */
async function reported(server: TestServer, { key }: TestAccount, kind: string, uniqueId: string) {
  assert.is((await report(server, { kind, uniqueId })).status, 200);
  const { content } = await reports(server, key);
  return content[0].id as number;
}

test('anybody can report, and learns nothing by it', async ({ server, holder, moderator }) => {
  const uniqueId = await paste(server, holder);
  const hidden = await paste(server, holder, { private: true });
  const answers = await Promise.all(
    [uniqueId, hidden, 'NOTHING1'].map((id) =>
      report(server, { kind: 'paste', uniqueId: id, details: 'look', email: 'me@example.com' }),
    ),
  );
  const told = ({ status, body }: Answer) => [status, body.message, body.uniqueId];
  for (const answer of answers) assert.equal(told(answer), [200, 'Thank you, the report was received', null]);
  const { content, totalElements } = await reports(server, moderator.key, '?status=open');
  assert.is(totalElements, 2);
  const of = content.find((entry: { uniqueId: string }) => entry.uniqueId === uniqueId);
  assert.equal([of.kind, of.reason, of.details, of.email], ['paste', 'abuse', 'look', 'me@example.com']);
  assert.equal([of.status, of.owner.uid, of.item.quarantine], ['open', holder.id, null]);
  for (const wrong of [
    {},
    { kind: 'paste' },
    { kind: 'song', uniqueId },
    { kind: 'paste', uniqueId, reason: '' },
  ])
    assert.is((await report(server, wrong)).status, 400);
});

test('a flood of reports from one network hides no other report', async () => {
  const server = await startServer({ TRUST_PROXY: 'true' });
  try {
    const [holder, moderator] = [await server.account(), await server.account('MODERATOR')];
    const uniqueId = await paste(server, holder);
    const send = (address: string, reason: string) =>
      report(server, { kind: 'paste', uniqueId, reason }, { 'x-forwarded-for': address });
    await send('198.51.100.1', 'the first true one');
    for (let count = 0; count < 25; count += 1) await send('203.0.113.9', `junk ${count}`);
    await send('198.51.100.2', 'the last true one');
    const { content } = await reports(server, moderator.key);
    assert.equal(
      content.map(({ reason }: { reason: string }) => reason),
      ['the last true one', 'junk 0', 'the first true one'],
    );
    assert.equal(
      content.map(({ times }: { times: number }) => times),
      [1, 25, 1],
      'what one person of a network wrote is not replaced, but counted',
    );
    for (let count = 0; count < 110; count += 1) await send(`192.0.2.${count}`, 'more');
    assert.is((await reports(server, moderator.key)).totalElements, 100);
  } finally {
    await server.close();
  }
});

test('a flood of reports from one network ends', async () => {
  const limited = await startServer({ RATE_LIMIT: 'on' });
  try {
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1)
      statuses.push((await report(limited, { kind: 'paste', uniqueId: 'NOTHING1' })).status);
    assert.is(statuses.at(-1), 429);
  } finally {
    await limited.close();
  }
});

test('a page of reports and of blocks has at most 100 entries', async ({ server }) => {
  const { key } = server.owner;
  for (const path of ['/admin/reports', '/admin/blocks']) {
    const sized = async (size: number) =>
      (await server.request('GET', `${path}?size=${size}`, { key })).status;
    assert.equal([await sized(100), await sized(101), await sized(0)], [200, 400, 400], path);
  }
});

test('quarantine hides a file on every path, except from its owner and moderators', async ({
  server,
  holder,
  moderator,
}) => {
  const { key } = holder;
  const upload = async (bytes: Uint8Array, name: string) => {
    const answer = await server.request('POST', '/image/upload', { key, form: fileForm(bytes, name) });
    return answer.body.uniqueId as string;
  };
  const image = await upload(await jpegPhoto(), 'a.jpg');
  const video = await upload(movie(), 'a.mp4');
  const list = await server.request('PUT', '/image/playlist/get/mine/images', {
    key,
    json: { imagesUids: [image, video] },
  });
  assert.is(list.status, 200, list.text);
  const paths = [
    `/image/get/${image}`,
    `/image/get/${image}.jpg`,
    `/image/get/${image}?width=64`,
    `/image/get/${image}?format=preview`,
    `/image/get/${image}?base64=true`,
    `/image/get/${image}?info=true`,
    `/image/info/${image}`,
    `/image/get/${video}`,
    `/image/get/video/${video}`,
    `/image/get/poster/${video}`,
    `//r/${image}`,
    `//web/image-render/${image}`,
    `//web/site/render/${image}`,
    `//web/oembed?url=${encodeURIComponent(`${server.origin}/web/image-render/${image}`)}`,
  ];
  const statuses = (as?: string) =>
    Promise.all(paths.map(async (path) => (await server.request('GET', path, { key: as })).status));
  const before = await statuses();
  // This video may have no poster; in quarantine nobody can tell.
  for (const [index, path] of paths.entries())
    assert.ok((before[index] ?? 0) < 400 || path.includes('poster'), `${path}: ${before[index]}`);
  for (const uniqueId of [image, video]) {
    const id = await reported(server, moderator, 'image', uniqueId);
    const done = await resolve(server, moderator.key, id, { action: 'quarantine', note: 'not here' });
    assert.equal([done.status, done.body.message.item.quarantine], [200, 'not here'], done.text);
  }
  const gone = paths.map(() => 404);
  assert.equal(await statuses(), gone);
  const stranger = await server.account();
  assert.equal(await statuses(stranger.key), gone);
  const seen = (await server.request('GET', '/image/playlist/get/mine')).body.message.images;
  assert.equal(seen, []);
  const unlocked = await server.request('POST', `/image/get/${image}`, { json: { password: 'x' } });
  assert.is(unlocked.status, 404);
  const zip = await server.request('GET', '/image/playlist/get/mine/download');
  assert.not.match(zip.text, /a\.jpg/);
  for (const as of [key, moderator.key]) {
    assert.is((await server.request('GET', `/image/get/${image}`, { key: as })).status, 200);
    const info = await server.request('GET', `/image/info/${image}`, { key: as });
    assert.is(info.body.message.quarantine, 'not here');
  }
});

test('a paste and a link in quarantine are gone for others, and come back', async ({
  server,
  holder,
  moderator,
}) => {
  const text = await paste(server, holder);
  const json = { url: 'https://example.com/' };
  const link = (await server.request('POST', '/url/create', { key: holder.key, json })).body.uniqueId;
  const paths = [
    `/paste/get/${text}`,
    `/paste/get/${text}?raw=true`,
    `//web/paste-render/${text}`,
    `//r/${text}`,
    `/url/r/${link}`,
    `/url/get/${link}`,
    `//r/${link}`,
    `//web/url-render/${link}`,
  ];
  const statuses = async () =>
    new Set(await Promise.all(paths.map(async (path) => (await server.request('GET', path)).status)));
  const ids = [
    await reported(server, moderator, 'paste', text),
    await reported(server, moderator, 'url', link),
  ];
  for (const id of ids) await resolve(server, moderator.key, id, { action: 'quarantine' });
  assert.equal(await statuses(), new Set([404]));
  for (const as of [holder.key, moderator.key]) {
    const own = await server.request('GET', `/url/get/${link}`, { key: as });
    assert.is(own.body.message.quarantine, 'abuse', 'without a note the reason of the report');
    assert.is(
      (await server.request('GET', `/paste/get/${text}`, { key: as })).body.message.quarantine,
      'abuse',
    );
    for (const [id, page] of [
      [text, `/web/paste-render/${text}`],
      [link, `/web/url-render/${link}`],
    ]) {
      const followed = await server.request('GET', `//r/${id}`, { key: as });
      assert.match(followed.headers.get('location') ?? '', page ?? '', 'the page says why it is hidden');
    }
    for (const method of ['GET', 'HEAD']) {
      const visited = await server.request(method, `/url/r/${link}`, { key: as });
      assert.match(visited.headers.get('location') ?? '', `/web/url-render/${link}`, method);
    }
  }
  for (const id of ids) await resolve(server, moderator.key, id, { action: 'none' });
  for (const status of await statuses()) assert.ok(status < 400, String(status));
});

test('a playlist, a collection and what share links open are hidden as a whole, and come back', async ({
  server,
  holder,
  moderator,
}) => {
  const { key } = holder;
  const file = await server.request('POST', '/image/upload', { key, form: fileForm('a text', 'a.txt') });
  const items = [{ uniqueId: file.body.uniqueId }];
  const made = await server.request('POST', '/collection', { key, json: { title: 'Papers', items } });
  const { uniqueId } = made.body.message;
  const link = await server.request('POST', `/collection/${uniqueId}/links`, { key, json: {} });
  const secret = new URL(link.body.message.url).pathname.split('/').at(-1);
  const imagesUids = [file.body.uniqueId];
  await server.request('PUT', '/image/playlist/get/mine/images', {
    key,
    json: { imagesUids, title: 'Mine' },
  });
  const paths = [
    `/collection/open/${uniqueId}`,
    `/collection/open/${uniqueId}/zip`,
    `/collection/open/${uniqueId}/files/${file.body.uniqueId}`,
    `/collection/shared/${secret}`,
    `/collection/shared/${secret}/zip`,
    `/collection/shared/${secret}/files/${file.body.uniqueId}`,
    `//web/collection/${uniqueId}`,
    `//web/shared/${secret}`,
    '/image/playlist/get/mine',
    '/image/playlist/get/mine/download',
    '//web/collection/mine',
  ];
  const statuses = (as?: string) =>
    Promise.all(paths.map(async (path) => (await server.request('GET', path, { key: as })).status));
  const before = await statuses();
  const ids = [
    await reported(server, moderator, 'collection', uniqueId),
    await reported(server, moderator, 'playlist', 'mine'),
  ];
  const { content } = await reports(server, moderator.key, '?status=open');
  assert.equal(
    content.map((entry: { kind: string; item: { name: string } }) => [entry.kind, entry.item.name]),
    [
      ['collection', 'Mine'],
      ['collection', 'Papers'],
    ],
  );
  const queue = await server.request('GET', '//web/moderation', { key: moderator.key });
  assert.match(queue.text, `/web/collection/${uniqueId}`);
  for (const id of ids) {
    const done = await resolve(server, moderator.key, id, { action: 'quarantine', note: 'not here' });
    assert.equal([done.status, done.body.message.item.quarantine], [200, 'not here'], done.text);
  }
  assert.equal(
    await statuses(),
    paths.map((_, index) => ((before[index] ?? 0) < 400 ? 404 : before[index])),
  );
  assert.is((await server.request('GET', `/image/get/${file.body.uniqueId}`)).status, 200, 'its files stay');
  for (const as of [key, moderator.key])
    assert.is((await server.request('GET', `/collection/open/${uniqueId}`, { key: as })).status, 200);
  const own = await server.request('GET', `/collection/${uniqueId}`, { key });
  assert.is(own.body.message.quarantine, 'not here');
  assert.match((await server.request('GET', `//web/collections/${uniqueId}`, { key })).text, 'not here');
  for (const id of ids) await resolve(server, moderator.key, id, { action: 'none' });
  assert.equal(await statuses(), before);

  const [again = 0] = ids;
  assert.is((await resolve(server, moderator.key, again, { action: 'delete' })).status, 200);
  assert.is((await server.request('GET', `/collection/${uniqueId}`, { key })).status, 404);
  assert.is((await server.request('GET', `/image/get/${file.body.uniqueId}`)).status, 200);
});

test('a decision deletes an item or bans its owner, and settles the other reports of it', async ({
  server,
  holder,
  moderator,
}) => {
  const first = await paste(server, holder);
  const second = await paste(server, holder);
  await report(server, { kind: 'paste', uniqueId: first });
  const id = await reported(server, moderator, 'paste', first);
  const done = await resolve(server, moderator.key, id, { action: 'delete', note: 'spam' });
  const { status, action, item, resolvedBy } = done.body.message;
  assert.equal([status, action, item, resolvedBy.uid], ['resolved', 'delete', null, moderator.id]);
  assert.is((await reports(server, moderator.key, '?status=open')).totalElements, 0);
  assert.is((await server.request('GET', `/paste/get/${first}`, { key: holder.key })).status, 404);
  const other = await reported(server, moderator, 'paste', second);
  assert.is((await resolve(server, moderator.key, other, { action: 'ban' })).status, 200);
  assert.is((await server.request('GET', '/user/get/@me', { key: holder.key })).status, 403);
  assert.is((await server.request('GET', `/paste/get/${second}`)).status, 404);
  const log = await server.request('GET', '/admin/system/auditlog', { key: server.owner.key });
  const events = log.body.message.map(({ event }: { event: string }) => event);
  assert.equal(events.slice(0, 3), ['report.resolved', 'account.changed', 'report.resolved']);
});

test('a decision deletes an item that its owner has put into the trash', async ({
  server,
  holder,
  moderator,
}) => {
  const uniqueId = await paste(server, holder);
  const id = await reported(server, moderator, 'paste', uniqueId);
  assert.is((await server.request('DELETE', `/paste/get/${uniqueId}`, { key: holder.key })).status, 200);
  const restore = () =>
    server.request('POST', `/user/get/@me/trash/paste/${uniqueId}/restore`, { key: holder.key });
  assert.is((await resolve(server, moderator.key, id, { action: 'delete' })).status, 200);
  assert.is((await restore()).status, 404);
  assert.is((await server.request('GET', `/paste/get/${uniqueId}`, { key: holder.key })).status, 404);
});

test('moderators ban only accounts below them', async ({ server, moderator }) => {
  const uniqueId = await paste(server, server.owner);
  const id = await reported(server, moderator, 'paste', uniqueId);
  assert.is((await resolve(server, moderator.key, id, { action: 'ban' })).status, 403);
  assert.is((await reports(server, moderator.key, '?status=open')).totalElements, 1);
  assert.is((await resolve(server, moderator.key, 99_999, { action: 'none' })).status, 404);
  assert.is((await resolve(server, moderator.key, id, { action: 'forgive' })).status, 400);
});

test('with an account its reports go, and nothing that names a reporter stays', async ({
  server,
  holder,
  moderator,
}) => {
  const reporter = await server.account();
  const uniqueId = await paste(server, holder);
  const json = { kind: 'paste', uniqueId, reason: 'abuse', details: 'mine', email: 'me@example.com' };
  await server.request('POST', '/report', { key: reporter.key, json });
  const mine = await server.request('GET', '//trpc/order.mine?input={}', { key: reporter.key });
  assert.match(mine.text, /"details":"mine"/);
  await server.request('DELETE', `/user/get/@me?password=${encodeURIComponent(reporter.password)}`, {
    key: reporter.key,
  });
  const { content } = await reports(server, moderator.key);
  assert.equal([content[0].reporter, content[0].details, content[0].email], [null, null, null]);
  await server.request('DELETE', `/admin/user/${holder.id}`, { key: server.owner.key });
  assert.is((await reports(server, moderator.key)).totalElements, 0);
});

test.run();
