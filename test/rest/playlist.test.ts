// on both databases
/** Playlists (contract §4, §5), by status. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { unzip } from '../support/media/unzip.js';
import { lapse } from '../support/stores/lapse.js';

const test = suite('playlists');
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
async function image(fields: Record<string, string> = {}, account = user, name = `file-${++counter}.txt`) {
  const form = fileForm(`content of ${name}`, name, fields);
  const { status, body } = await server.request('POST', '/image/upload', { key: account.key, form });
  assert.is(status, 200, body?.message);
  return body.uniqueId as string;
}
const put = (identifier: string, json: object, key: string | undefined = user.key) =>
  server.request('PUT', `/image/playlist/get/${identifier}/images`, { key, json });
const get = (identifier: string, key?: string) =>
  server.request('GET', `/image/playlist/get/${identifier}`, { key });
const idsOf = (answer: { body: { message: { images: { uniqueId: string }[] } } }) =>
  answer.body.message.images.map(({ uniqueId }) => uniqueId);

test('PUT creates a playlist with that identifier, in order, and returns it', async () => {
  const ids = [await image(), await image()];
  const { status, body } = await put('Holiday', {
    imagesUids: ids,
    title: 'Our holiday',
    description: 'Sun',
  });
  assert.is(status, 200);
  assert.is(body.uniqueId, 'Holiday');
  const { message } = body;
  assert.equal([message.uniqueId, message.title, message.description], ['Holiday', 'Our holiday', 'Sun']);
  assert.type(message.id, 'number');
  assert.is(message.owner.username, user.username);
  assert.equal([message.owner.id, message.owner.uid], [user.id, user.id]);
  assert.equal(
    message.images.map((item: { uniqueId: string }) => item.uniqueId),
    ids,
  );
  assert.equal([message.images[0].uploader.id, message.images[0].uploader.uid], [user.id, user.id]);
});

test('GET is public, with the identifier in any case, and counts views by others', async () => {
  const ids = [await image()];
  await put('CaseLess', { imagesUids: ids });
  const first = await get('caseless');
  assert.equal([first.status, first.body.uniqueId, idsOf(first)], [200, 'CaseLess', ids]);
  await get('CASELESS', user.key);
  await fetch(`http://127.0.0.1:${server.app.address.port}/v1/image/playlist/get/caseless`, {
    method: 'HEAD',
  });
  assert.is((await get('caseLESS', other.key)).body.message.views, 2);
  assert.is((await get('caseLESS', user.key)).body.message.views, 2);
});

test('PUT adds to the same playlist in any case, and changes texts only where they are given', async () => {
  const [a, b] = [await image(), await image()];
  await put('Growing', { imagesUids: [a], title: 'One' });
  const grown = await put('GROWING', { imagesUids: [b.toLowerCase()] });
  assert.equal([grown.status, grown.body.message.title, idsOf(grown)], [200, 'One', [a, b]]);
  assert.is((await put('growing', { imagesUids: [], title: 'Two' })).body.message.title, 'Two');
});

test('400 for an unknown, foreign, repeated or already listed image, and then nothing is added', async () => {
  const [a, b] = [await image(), await image()];
  const foreign = await image({}, other);
  await put('Atomic', { imagesUids: [a] });
  for (const imagesUids of [[b, 'NOSUCHID'], [b, a], [b, a.toLowerCase()], [b, b], [b, foreign], 'x', null]) {
    const { status, body } = await put('atomic', { imagesUids });
    assert.equal([status, body.error, typeof body.message], [400, true, 'string'], String(imagesUids));
  }
  assert.is((await put('atomic', {})).status, 400);
  assert.equal(idsOf(await get('atomic')), [a]);
  assert.is((await put('atomic', { imagesUids: [foreign] }, server.owner.key)).status, 401);
  assert.is((await put('NeverMade', { imagesUids: ['NOSUCHID'] })).status, 400);
  assert.is((await get('nevermade')).status, 404);
  assert.is((await put('a b', { imagesUids: [a] })).status, 400);
});

test('401 without a key and for everybody but the owner, 403 for guests, 404 for unknown playlists', async () => {
  const a = await image();
  await put('Owned', { imagesUids: [a] });
  const guest = await server.account('GUEST');
  assert.is((await put('owned', { imagesUids: [await image()] }, '')).status, 401);
  assert.is((await put('owned', { imagesUids: [await image({}, other)] }, other.key)).status, 401);
  assert.is((await put('mine', { imagesUids: [] }, guest.key)).status, 403);
  const drop = (path: string, key?: string) =>
    server.request('DELETE', `/image/playlist/get/${path}`, { key });
  assert.is((await drop(`owned/images/${a}`)).status, 401);
  assert.is((await drop(`owned/images/${a}`, other.key)).status, 401);
  assert.is((await drop('owned', other.key)).status, 401);
  assert.is((await drop('nosuch/images/x', user.key)).status, 404);
  assert.is((await drop('owned/images/NOSUCHID', user.key)).status, 404);
  const { status, body } = await get('nosuch');
  assert.equal([status, body.message, body.uniqueId], [404, 'Resource not found', 'nosuch']);
});

test('private, expired and used-up images are hidden from others, and locked ones show no details', async () => {
  const open = await image();
  const hidden = await image({ private: 'true', desc: 'hidden words' });
  const locked = await image({ password: 'open sesame', desc: 'locked words' });
  const limited = await image({ maxViews: '1' });
  const brief = await image();
  await put('Mixed', { imagesUids: [open, hidden, locked, limited, brief] });
  assert.equal(idsOf(await get('mixed')), [open, locked, limited, brief]);
  await server.request('GET', `/image/get/${limited}`);
  await lapse(server, 'images', brief);
  for (const key of [undefined, other.key]) {
    const seen = await get('mixed', key);
    assert.equal(idsOf(seen), [open, locked]);
    assert.not.match(seen.text, /hidden words|locked words/);
    const [, blank] = seen.body.message.images;
    assert.equal([blank.sha256, blank.size, blank.originalName], [null, null, null]);
    assert.is(blank.uploader, null);
  }
  assert.equal(idsOf(await get('mixed', user.key)), [open, hidden, locked, limited, brief]);
});

test('DELETE of an image removes it from the playlist only; a deleted image leaves its playlists', async () => {
  const [a, b, c] = [await image(), await image(), await image()];
  await put('Shrinking', { imagesUids: [a, b, c] });
  const taken = await server.request('DELETE', `/image/playlist/get/shrinking/images/${b.toLowerCase()}`, {
    key: user.key,
  });
  assert.equal([taken.status, idsOf(taken)], [200, [a, c]]);
  assert.is((await server.request('GET', `/image/get/${b}`)).status, 200);
  await server.request('DELETE', `/image/get/${a}`, { key: user.key });
  assert.equal(idsOf(await get('shrinking')), [c]);
});

test('order, texts and cover can be changed; an absent field stays, "" and null clear', async () => {
  const ids = [await image(), await image(), await image()];
  await put('Sorted', { imagesUids: ids, title: 'Words', description: 'More words' });
  const path = '/image/playlist/get/sorted';
  const order = (imagesUids: string[], key = user.key) =>
    server.request('PUT', `${path}/order`, { key, json: { imagesUids } });
  const turned = ids.toReversed();
  assert.equal(idsOf(await order(turned)), turned);
  assert.equal(idsOf(await get('sorted')), turned);
  assert.is((await order(ids.slice(1))).status, 400);
  assert.is((await order([...ids, await image()])).status, 400);
  assert.is((await order(ids, other.key)).status, 401);
  const change = (json: object, key = user.key) => server.request('PATCH', path, { key, json });
  const covered = await change({ cover: ids[1] });
  assert.equal(
    [covered.body.message.cover, covered.body.message.title, covered.body.message.description],
    [ids[1], 'Words', 'More words'],
  );
  assert.is((await change({ cover: await image() })).status, 400);
  assert.is((await change({ title: 'x'.repeat(201) })).status, 400);
  assert.is((await change({ title: 'Stolen' }, other.key)).status, 401);
  const cleared = (await change({ title: '', description: null, cover: null })).body.message;
  assert.equal([cleared.title, cleared.description, cleared.cover], ['Sorted', null, null]);
});

test("POST create makes a playlist, GET @me lists the caller's, DELETE removes one but no image", async () => {
  const owner = await server.account();
  const a = await image({}, owner);
  const made = await server.request('POST', '/image/playlist/create', {
    key: owner.key,
    json: { title: 'Made', imagesUids: [a] },
  });
  assert.equal([made.status, made.body.message.title], [200, 'Made']);
  assert.match(made.body.uniqueId, /^[A-Z0-9]{8}$/);
  const wished = await server.request('POST', '/image/playlist/create', {
    key: owner.key,
    json: { uniqueId: 'Wished' },
  });
  assert.equal([wished.body.uniqueId, wished.body.message.title], ['Wished', 'Wished']);
  const taken = await server.request('POST', '/image/playlist/create', {
    key: user.key,
    json: { uniqueId: 'wISHED' },
  });
  assert.is(taken.status, 400);
  assert.is((await server.request('POST', '/image/playlist/create', { json: {} })).status, 401);
  const list = await server.request('GET', '/image/playlist/@me', { key: owner.key });
  assert.equal(
    list.body.message.map((item: { uniqueId: string; size: number }) => [item.uniqueId, item.size]),
    [
      ['Wished', 0],
      [made.body.uniqueId, 1],
    ],
  );
  assert.equal([list.body.count, list.body.totalElements], [2, 2]);
  const gone = await server.request('DELETE', '/image/playlist/get/wished', { key: owner.key });
  assert.equal([gone.status, gone.body.uniqueId], [200, 'Wished']);
  assert.is((await get('wished')).status, 404);
  await server.request('DELETE', `/image/playlist/get/${made.body.uniqueId}`, { key: owner.key });
  assert.is((await server.request('GET', `/image/get/${a}`)).status, 200);
});

test('of concurrent PUTs of an image one adds it, of concurrent creators of an identifier one owns it', async () => {
  const a = await image();
  const answers = await Promise.all(Array.from({ length: 20 }, () => put('Contended', { imagesUids: [a] })));
  assert.equal(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(400)]);
  assert.equal(idsOf(await get('contended')), [a]);
  const [mine, theirs] = await Promise.all([
    put('Disputed', { imagesUids: [] }),
    put('disputed', { imagesUids: [] }, other.key),
  ]);
  assert.equal([mine.status, theirs.status].sort(), [200, 401]);
});

test('download is a zip of what the caller may open, with distinct original names', async () => {
  const owner = await server.account();
  const twin = [await image({}, owner, 'naïve.txt'), await image({}, owner, 'NAÏVE.txt')];
  const hidden = await image({ private: 'true' }, owner, 'hidden.txt');
  const locked = await image({ password: 'open sesame' }, owner, 'locked.txt');
  const limited = await image({ maxViews: '1' }, owner, 'limited.txt');
  await put('Zipped', { imagesUids: [...twin, hidden, locked, limited], title: 'Été 2025' }, owner.key);
  const namesIn = async (key?: string) => {
    const url = `http://127.0.0.1:${server.app.address.port}/v1/image/playlist/get/zipped/download`;
    const answer = await fetch(url, { headers: key === undefined ? {} : { 'x-api-key': key } });
    assert.is(answer.status, 200);
    assert.is(answer.headers.get('content-type'), 'application/zip');
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /filename\*=UTF-8''%C3%89t%C3%A9%202025\.zip/,
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.is(answer.headers.get('content-length'), String(bytes.length));
    const files = await unzip(bytes);
    for (const content of files.values()) assert.match(content.toString(), /^content of /);
    return [...files.keys()];
  };
  assert.equal(await namesIn(), ['naïve.txt', 'NAÏVE (2).txt']);
  assert.equal(await namesIn(owner.key), [
    'naïve.txt',
    'NAÏVE (2).txt',
    'hidden.txt',
    'locked.txt',
    'limited.txt',
  ]);
  assert.is((await server.request('GET', `/image/get/${limited}`)).status, 200);
  assert.is((await server.request('HEAD', '/image/playlist/get/zipped/download')).status, 200);
  assert.is((await server.request('GET', '/image/playlist/get/nosuch/download')).status, 404);
  await put('Empty', { imagesUids: [] });
  assert.is((await server.request('GET', '/image/playlist/get/empty/download')).status, 200);
});

test('a zip uses up a view of a playlist, but not HEAD, nor that of its owner', async () => {
  const id = `Counted-${Date.now() % 1e6}`;
  await put(id, { imagesUids: [await image()] });
  const limit = { key: user.key, json: { maxViews: 2 } };
  assert.is((await server.request('PATCH', `/collection/${id}`, limit)).status, 200);
  const zip = (method: string, key?: string) =>
    server.request(method, `/image/playlist/get/${id}/download`, key === undefined ? {} : { key });
  const statuses: number[] = [];
  for (const [method, key] of [['HEAD'], ['GET', user.key], ['GET'], ['GET'], ['GET'], ['HEAD']] as const)
    statuses.push((await zip(method, key)).status);
  assert.equal(statuses, [200, 200, 200, 200, 404, 404]);
});

test('pages of its pictures use up no views of a playlist', async () => {
  const uniqueId = await image();
  const made = await server.request('POST', '/image/playlist/create', {
    key: user.key,
    json: { title: 'Counted', imagesUids: [uniqueId] },
  });
  const id = made.body.uniqueId ?? made.body.message.uniqueId;
  const limit = await server.request('PATCH', `/collection/${id}`, { key: user.key, json: { maxViews: 1 } });
  assert.is(limit.status, 200);
  const headers = { accept: 'text/html' };
  for (let step = 0; step < 3; step += 1) {
    const page = `//web/image-render/${uniqueId}?in=playlist&list=${id}`;
    assert.is((await server.request('GET', page, { headers })).status, 200);
  }
  assert.is((await server.request('GET', `/image/playlist/get/${id}`)).status, 200);
  assert.is((await server.request('GET', `/image/playlist/get/${id}`)).status, 404);
});

test.run();
