// on both databases
/** Collections of files and their share links (contract §6), by guarantee. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { unzip } from '../support/media/unzip.js';
import { lapse } from '../support/stores/lapse.js';

const test = suite('collections');
let server: TestServer;
let user: TestAccount;
let other: TestAccount;
test.before(async () => {
  server = await startServer();
  user = await server.account();
  other = await server.account();
});
test.after(() => server.close());

let counter = 0;
async function file(fields: Record<string, string> = {}, account = user, name = `file-${++counter}.txt`) {
  const form = fileForm(`content of ${name}`, name, fields);
  const { status, body } = await server.request('POST', '/image/upload', { key: account.key, form });
  assert.is(status, 200, body?.message);
  return body.uniqueId as string;
}
const send = (method: string, path: string, json?: object, key: string | undefined = user.key) =>
  server.request(method, `/collection${path}`, { key, ...(json === undefined ? {} : { json }) });
const made = async (fields: object = {}) => {
  const { status, body, text } = await send('POST', '', { title: 'Papers', ...fields });
  assert.is(status, 200, text);
  return body.message;
};
const linkOf = async (id: string, fields: object = {}) => {
  const { status, body, text } = await send('POST', `/${id}/links`, fields);
  assert.is(status, 200, text);
  return body.message;
};
const at = (url: string) => url.replace(server.origin, `http://127.0.0.1:${server.app.address.port}`);
const get = (url: string, init: RequestInit = {}) => fetch(at(url), { redirect: 'manual', ...init });
const secretOf = (link: { url: string }) => new URL(link.url).pathname.split('/').at(-1) ?? '';

test('a collection is made, listed, changed and deleted; absent fields stay, null clears', async () => {
  const ids = [await file(), await file()];
  const all = await made({
    description: 'About',
    tags: ['Work', 'work', 'paper'],
    password: 'open sesame',
    expiresAt: '2099-01-01',
    maxViews: 5,
    isPublic: false,
    cover: ids[1],
    items: [{ uniqueId: ids[0], path: 'a/b/c.txt' }, { uniqueId: ids[1] }],
  });
  assert.equal(
    [all.title, all.description, all.tags, all.isPublic, all.requiresPassword, all.maxViews, all.cover],
    ['Papers', 'About', ['paper', 'work'], false, true, 5, ids[1]],
  );
  assert.equal(
    all.items.map((item: { path: string }) => item.path),
    ['a/b/c.txt', 'file-2.txt'],
  );
  assert.is(all.expiresAt, '2099-01-01T23:59:59.999Z');
  const kept = (await send('PATCH', `/${all.uniqueId}`, { title: 'Letters' })).body.message;
  assert.equal(
    [kept.title, kept.tags, kept.requiresPassword, kept.maxViews],
    ['Letters', ['paper', 'work'], true, 5],
  );
  assert.ok(kept.updatedAt);
  const cleared = {
    description: null,
    tags: null,
    password: null,
    expiresAt: null,
    maxViews: null,
    cover: '',
  };
  const bare = (await send('PATCH', `/${all.uniqueId}`, { ...cleared, isPublic: true })).body.message;
  assert.equal(
    [
      bare.description,
      bare.tags,
      bare.requiresPassword,
      bare.expiresAt,
      bare.maxViews,
      bare.cover,
      bare.isPublic,
    ],
    [null, [], false, null, null, null, true],
  );
  const list = (await send('GET', '?size=1')).body.message;
  assert.equal([list.content.length, list.currentPage, list.pageSize], [1, 0, 1]);
  assert.equal([list.content[0].totalFiles, list.content[0].uniqueId], [2, all.uniqueId]);
  assert.is((await send('DELETE', `/${all.uniqueId}`)).status, 200);
  assert.is((await send('GET', `/${all.uniqueId}`)).status, 404);
  assert.is((await server.request('GET', `/image/info/${ids[0]}`)).status, 200);
});

test('its files are exchanged as a whole, in order, and only by own ones', async () => {
  const [a, b, c] = [await file(), await file(), await file()];
  const foreign = await file({}, other);
  const { uniqueId } = await made({ items: [{ uniqueId: a, path: 'x/a.txt' }, { uniqueId: b }] });
  const put = (items: object[]) => send('PUT', `/${uniqueId}/items`, { items });
  const swapped = (await put([{ uniqueId: c, path: 'y\\c.txt' }, { uniqueId: a }])).body.message;
  assert.equal(
    swapped.items.map((item: { uniqueId: string; path: string }) => [item.uniqueId, item.path]),
    [
      [c, 'y/c.txt'],
      [a, 'x/a.txt'],
    ],
  );
  for (const items of [
    [{ uniqueId: foreign }],
    [{ uniqueId: 'NOSUCHID' }],
    [{ uniqueId: a }, { uniqueId: a.toLowerCase() }],
    [{ uniqueId: a, path: '../../etc/passwd' }],
    'x',
  ])
    assert.is((await send('PUT', `/${uniqueId}/items`, { items })).status, 400, JSON.stringify(items));
  assert.is((await send('PUT', `/${uniqueId}/items`, { items: [] }, other.key)).status, 401);
  const added = await send('POST', `/${uniqueId}/items`, { items: [{ uniqueId: b }] });
  assert.is(added.body.message.totalFiles, 3);
  assert.is((await send('DELETE', `/${uniqueId}/items/${b}`)).body.message.totalFiles, 2);
  assert.equal((await put([])).body.message.items, []);
});

test('a playlist is a collection, and a collection opens as a playlist under the same rules', async () => {
  const id = await file();
  await server.request('PUT', '/image/playlist/get/Tunes/images', {
    key: user.key,
    json: { imagesUids: [id] },
  });
  const seen = (await send('GET', '/tunes')).body.message;
  assert.equal([seen.kind, seen.uniqueId, seen.totalFiles], ['playlist', 'Tunes', 1]);
  await send('PATCH', '/tunes', { isPublic: false });
  assert.is((await server.request('GET', '/image/playlist/get/tunes')).status, 403);
  assert.is((await server.request('GET', '/image/playlist/get/tunes/download')).status, 403);
  await send('PATCH', '/tunes', { isPublic: true, password: 'open sesame' });
  assert.is((await server.request('GET', '/image/playlist/get/tunes')).status, 403);
  const headers = { 'x-password': 'open sesame' };
  assert.is((await server.request('GET', '/image/playlist/get/tunes', { headers })).status, 200);
});

test('others see what is theirs to see: nothing private, nothing expired, nothing behind a password', async () => {
  const open = await file();
  const hidden = await file({ private: 'true' });
  const locked = await file({ password: 'item secret', desc: 'locked words' });
  const brief = await file();
  const items = [open, hidden, locked, brief].map((uniqueId) => ({ uniqueId }));
  const { uniqueId } = await made({ items });
  await lapse(server, 'images', brief);
  const seen = await server.request('GET', `/collection/open/${uniqueId}`);
  assert.equal(
    seen.body.message.items.map((item: { uniqueId: string; fileUrl: string | null }) => [
      item.uniqueId,
      item.fileUrl === null,
    ]),
    [
      [open, false],
      [locked, true],
    ],
  );
  assert.not.match(seen.text, 'locked words');
  assert.is((await get(seen.body.message.items[0].fileUrl)).status, 200);
  const direct = (id: string) => server.request('GET', `/collection/open/${uniqueId}/files/${id}`);
  assert.is((await direct(hidden)).status, 404);
  assert.is((await direct(locked)).status, 403);
  assert.is((await direct(brief)).status, 404);
  const zip = await get(seen.body.message.zipUrl);
  assert.equal([...(await unzip(Buffer.from(await zip.arrayBuffer()))).keys()], ['file-8.txt']);
  await send('PATCH', `/${uniqueId}`, { isPublic: false });
  for (const path of ['', '/zip', `/files/${open}`])
    assert.is((await server.request('GET', `/collection/open/${uniqueId}${path}`)).status, 403, path);
});

test('a password opens a collection, and its ticket the files until the password is another', async () => {
  const id = await file();
  const { uniqueId } = await made({ password: 'open sesame', items: [{ uniqueId: id }] });
  const open = (password?: string) =>
    server.request('GET', `/collection/open/${uniqueId}`, {
      headers: password === undefined ? {} : { 'x-password': password },
    });
  assert.is((await open()).status, 403);
  assert.is((await open('wrong')).status, 403);
  const { message } = (await open('open sesame')).body;
  const [{ fileUrl }] = message.items;
  assert.is(await (await get(fileUrl)).text(), 'content of file-12.txt');
  assert.is((await get(fileUrl.split('?')[0])).status, 403);
  assert.is((await get(message.zipUrl)).status, 200);
  await send('PATCH', `/${uniqueId}`, { password: 'another' });
  assert.is((await get(fileUrl)).status, 403);
});

test('a share link opens a private collection and its files by its own secret, until it is revoked', async () => {
  const id = await file({ private: 'true' }, user, 'private.txt');
  const { uniqueId } = await made({ isPublic: false, items: [{ uniqueId: id, path: 'deep/private.txt' }] });
  const link = await linkOf(uniqueId, { note: 'for Ada' });
  assert.equal([link.note, link.views, link.requiresPassword], ['for Ada', 0, false]);
  assert.equal((await send('GET', `/${uniqueId}/links`)).body.message.content, [link]);
  const secret = secretOf(link);
  assert.ok(secret.length >= 40);
  const opened = await server.request('GET', `/collection/shared/${secret}`);
  const [item] = opened.body.message.items;
  assert.equal([item.uniqueId, item.path], [id, 'deep/private.txt']);
  assert.match(item.fileUrl, secret);
  assert.is(await (await get(item.fileUrl)).text(), 'content of private.txt');
  assert.is((await server.request('GET', `/image/get/${id}`)).status, 403);
  assert.is((await send('GET', `/${uniqueId}/links`)).body.message.content[0].views, 1);
  assert.is((await send('GET', `/${uniqueId}/links`, undefined, other.key)).status, 401);
  assert.is((await send('DELETE', `/${uniqueId}/links/${link.id}`, undefined, other.key)).status, 401);
  assert.is((await send('DELETE', `/${uniqueId}/links/${link.id}`)).status, 200);
  assert.is((await server.request('GET', `/collection/shared/${secret}`)).status, 404);
  assert.is((await get(item.fileUrl)).status, 404);
  assert.is((await send('DELETE', `/${uniqueId}/links/${link.id}`)).status, 404);
});

test('each share link has its own password, expiry and counter, which can be changed', async () => {
  const id = await file();
  const { uniqueId } = await made({ isPublic: false, items: [{ uniqueId: id }] });
  const link = await linkOf(uniqueId, { password: 'open sesame', maxViews: 1 });
  const free = await linkOf(uniqueId);
  const open = (password?: string) =>
    server.request(
      'GET',
      `/collection/shared/${secretOf(link)}${password === undefined ? '' : `?password=${password}`}`,
    );
  assert.is((await open()).status, 403);
  assert.is((await open('wrong')).status, 403);
  const first = await open('open%20sesame');
  assert.is(first.status, 200);
  const [{ fileUrl }] = first.body.message.items;
  assert.is((await open('open%20sesame')).status, 404);
  assert.is((await get(fileUrl)).status, 200);
  assert.is((await get(fileUrl.split('?')[0])).status, 404);
  const change = (json: object) => send('PATCH', `/${uniqueId}/links/${link.id}`, json);
  assert.is((await change({ maxViews: 2 })).body.message.maxViews, 2);
  assert.is((await open('open%20sesame')).status, 200);
  await change({ maxViews: null, password: null });
  assert.is((await open()).status, 200);
  await change({ expiresAt: '2099-01-01' });
  assert.is((await open()).status, 200);
  await server.app.services.db.write(async (trx) => {
    await trx('share_links').where('id', link.id).update({ expires_at: 1 });
  });
  assert.is((await open()).status, 404);
  assert.is((await server.request('GET', `/collection/shared/${secretOf(free)}`)).status, 200);
});

test('exactly as many guests open a link as it has views, however many come at once', async () => {
  const { uniqueId } = await made({ maxViews: 7, items: [{ uniqueId: await file() }] });
  const link = await linkOf(uniqueId, { maxViews: 25 });
  const guests = (path: string) =>
    Promise.all(Array.from({ length: 200 }, () => server.request('GET', path).then(({ status }) => status)));
  const shared = await guests(`/collection/shared/${secretOf(link)}`);
  assert.is(shared.filter((status) => status === 200).length, 25);
  assert.is(shared.filter((status) => status === 404).length, 175);
  assert.is((await guests(`/collection/open/${uniqueId}`)).filter((status) => status === 200).length, 7);
});

test('whoever counts no view is told no files, and gets no ticket for them', async () => {
  const { uniqueId } = await made({ maxViews: 1, items: [{ uniqueId: await file() }] });
  const secret = secretOf(await linkOf(uniqueId, { maxViews: 1 }));
  for (const [name, asked] of [
    ['open', { uniqueId }],
    ['shared', { secret }],
  ] as const) {
    const input = encodeURIComponent(JSON.stringify({ ...asked, head: true }));
    const { status, body } = await server.request('GET', `//trpc/collection.${name}?input=${input}`);
    assert.is(status, 200);
    const { items, cover, totalFiles, totalSize, zipUrl } = body.result.data;
    assert.equal([items, cover, totalFiles, totalSize, zipUrl], [[], null, 0, 0, null], name);
  }
  const listed = encodeURIComponent(JSON.stringify({ identifier: uniqueId, head: true }));
  const archive = await server.request('GET', `//trpc/playlist.archive?input=${listed}`);
  assert.equal(archive.body.result.data.entries, []);
  const opened = await server.request('GET', `/collection/open/${uniqueId}`);
  const [{ fileUrl }] = opened.body.message.items;
  assert.is((await get(fileUrl)).status, 200, 'the view is still there');
  assert.is((await get(fileUrl.split('?')[0])).status, 404);
  const free = await made({ items: [{ uniqueId: await file() }] });
  const asked = encodeURIComponent(JSON.stringify({ uniqueId: free.uniqueId, head: true }));
  const shown = await server.request('GET', `//trpc/collection.open?input=${asked}`);
  assert.is(shown.body.result.data.items.length, 1, 'nothing is kept back where nothing is counted');
});

test('own collections are found by what their title or description contains, those of others never', async () => {
  const titled = await made({ title: 'Harvest 100%' });
  const described = await made({ title: 'Autumn', description: 'The HARVEST and its people' });
  await send('POST', '', { title: 'Harvest of somebody else' }, other.key);
  const found = async (search: string) =>
    (await send('GET', `?search=${encodeURIComponent(search)}`)).body.message.content.map(
      (one: { uniqueId: string }) => one.uniqueId,
    );
  assert.equal(await found('harvest'), [described.uniqueId, titled.uniqueId]);
  assert.equal(await found('0%'), [titled.uniqueId], 'signs stand for themselves');
  assert.is((await send('GET', `?search=${'x'.repeat(201)}`)).status, 400);
});

test('an expired collection is hidden from all but its owner', async () => {
  const { uniqueId } = await made({ expiresAt: '2099-01-01', items: [{ uniqueId: await file() }] });
  await server.app.services.db.write(async (trx) => {
    await trx('collections').where('unique_id', uniqueId).update({ expires_at: 1 });
  });
  assert.is((await server.request('GET', `/collection/open/${uniqueId}`)).status, 404);
  assert.is((await send('GET', `/open/${uniqueId}`)).status, 200);
  assert.is((await send('GET', `/${uniqueId}`)).status, 200);
});

test.run();
