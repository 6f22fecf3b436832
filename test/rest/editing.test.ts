// on both databases
/** Changing items: PATCH, If-Match, former ids, replaced bytes, tags. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blobSize } from '../../db/content/file/blob.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { gifPhoto, halves } from '../support/media/media-fixtures.js';

interface World {
  server: TestServer;
  user: TestAccount;
  other: TestAccount;
}
const test = suite<World>('editing');
test.before(async (world) => {
  world.server = await startServer({ SHORT_URL_URL: 'http://u.example.net' });
  world.user = await world.server.account('ADMIN');
  world.other = await world.server.account();
});
test.after(({ server }) => server.close());

const png = (width: number, height: number) => halves(width, height).png().toBuffer();
const get = ({ server, user }: World, path: string, key: string | undefined = user.key) =>
  server.request('GET', path, { key });
const patch = (
  { server, user }: World,
  path: string,
  json: object,
  more: { key?: string; tag?: string } = {},
) =>
  server.request('PATCH', path, {
    key: more.key ?? user.key,
    json,
    ...(more.tag === undefined ? {} : { headers: { 'if-match': more.tag } }),
  });
async function make(world: World, kind: 'image' | 'paste' | 'url', fields: Record<string, string> = {}) {
  const { server, user } = world;
  const answer = await {
    image: async () =>
      server.request('POST', '/image/upload', {
        key: user.key,
        form: fileForm(await png(8, 8), 'a.png', fields),
      }),
    paste: () =>
      server.request('POST', '/paste/create', { key: user.key, json: { text: 'one\n', ...fields } }),
    url: () =>
      server.request('POST', '/url/create', {
        key: user.key,
        json: { url: 'https://example.com/a', ...fields },
      }),
  }[kind]();
  assert.is(answer.status, 200, answer.text);
  return answer.body.message;
}
const PATHS = { image: '/image/info/', paste: '/paste/get/', url: '/url/get/' } as const;
const KINDS = ['image', 'paste', 'url'] as const;

for (const kind of KINDS) {
  test(`${kind}: the record says its revision, and the owner's has an entity tag`, async (world) => {
    const made = await make(world, kind);
    assert.is(made.revision, 1);
    assert.is(made.updatedAt, null);
    assert.equal(made.tags, []);
    assert.equal(made.aliases, []);
    const own = await get(world, PATHS[kind] + made.uniqueId);
    assert.is(own.headers.get('etag'), `W/"${kind}-${made.uniqueId}-1"`);
    const strange = await get(world, PATHS[kind] + made.uniqueId, world.other.key);
    assert.is(strange.headers.get('etag'), null);
    assert.is(strange.body.message.aliases, undefined);
  });

  test(`${kind}: a change counts the revision, and what changes nothing does not`, async (world) => {
    const { uniqueId } = await make(world, kind);
    const path = `/${kind}/get/${uniqueId}`;
    const first = await patch(world, path, { tags: ['Red', 'red', 'blue green'] });
    assert.is(first.status, 200, first.text);
    assert.is(first.body.message.revision, 2);
    assert.ok(first.body.message.updatedAt);
    assert.equal(first.body.message.tags, ['blue green', 'red']);
    assert.is(first.headers.get('etag'), `W/"${kind}-${uniqueId}-2"`);
    assert.is((await patch(world, path, { tags: ['RED', 'Blue Green'] })).body.message.revision, 2);
    assert.is((await patch(world, path, {})).body.message.revision, 2);
    const strange = await get(world, PATHS[kind] + uniqueId, world.other.key);
    assert.equal(strange.body.message.tags, [], 'tags are for their owner');
  });

  test(`${kind}: the second of two editors is told`, async (world) => {
    const { uniqueId } = await make(world, kind);
    const path = `/${kind}/get/${uniqueId}`;
    const tag = (await get(world, PATHS[kind] + uniqueId)).headers.get('etag') ?? '';
    const both = await Promise.all([
      patch(world, path, { tags: ['a'] }, { tag }),
      patch(world, path, { tags: ['b'] }, { tag }),
    ]);
    assert.equal(both.map(({ status }) => status).sort(), [200, 412]);
    const late = both.find(({ status }) => status === 412);
    assert.is(late?.body.error, true);
    assert.type(late?.body.message, 'string');
    assert.is((await patch(world, path, { tags: ['c'] }, { tag: '*' })).status, 200);
    assert.is((await patch(world, path, { tags: ['d'] }, { tag: 'nonsense' })).status, 412);
  });

  test(`${kind}: only its owner may change it, and bad values are 400`, async (world) => {
    const { uniqueId } = await make(world, kind);
    const path = `/${kind}/get/${uniqueId}`;
    assert.is((await patch(world, path, { tags: [] }, { key: world.other.key })).status, 401);
    assert.is((await patch(world, path, { tags: [] }, { key: world.server.owner.key })).status, 401);
    assert.is((await patch(world, `/${kind}/get/NOTHING9`, { tags: [] })).status, 404);
    for (const json of [
      { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
      { tags: ['x'.repeat(41)] },
      { tags: ['a,b'] },
      { tags: [7] },
      { password: 'ab' },
      { expiresAt: '2020-01-01' },
      { uniqueId: 'a b' },
      { private: 'perhaps' },
    ]) {
      const answer = await patch(world, path, json);
      assert.is(answer.status, 400, JSON.stringify(json));
      assert.type(answer.body.message, 'string');
    }
  });

  test(`${kind}: a former id opens the item everywhere and stays reserved`, async (world) => {
    const { server } = world;
    const { uniqueId: old } = await make(world, kind);
    const next = `${kind}-next`;
    const changed = await patch(world, `/${kind}/get/${old}`, { uniqueId: next });
    assert.is(changed.status, 200, changed.text);
    assert.is(changed.body.message.uniqueId, next);
    assert.equal(changed.body.message.aliases, [old]);
    for (const id of [old, old.toLowerCase(), next]) {
      assert.is((await get(world, PATHS[kind] + id)).body.message.uniqueId, next);
      assert.ok([301, 302].includes((await server.request('GET', `//r/${id}`)).status), id);
      assert.is((await server.request('GET', `//web/${kind}-render/${id}`)).status, 200);
    }
    const raw = { image: '/image/get/', paste: '/paste/get/', url: '/url/r/' }[kind];
    const [a, b] = [await server.request('GET', raw + old), await server.request('GET', raw + next)];
    assert.is(a.status, b.status);
    assert.ok(a.status < 400);
    const taken = {
      image: () => make(world, kind, { uniqueId: old }),
      paste: () => make(world, kind, { uniqueId: old }),
      url: () => make(world, kind, { uniqueId: old }),
    }[kind];
    await taken().then(
      () => assert.unreachable('a former id was given away'),
      (error: Error) => assert.match(error.message, /taken/),
    );
    const { uniqueId: third } = await make(world, kind);
    assert.is((await patch(world, `/${kind}/get/${third}`, { uniqueId: old })).status, 400);
    const back = await patch(world, `/${kind}/get/${next}`, { uniqueId: old });
    assert.is(back.status, 200);
    assert.equal(back.body.message.aliases, [next]);
    assert.is((await server.request('DELETE', `/${kind}/get/${next}`, { key: world.user.key })).status, 200);
    assert.is((await get(world, PATHS[kind] + old)).status, 404);
    assert.is((await get(world, PATHS[kind] + next)).status, 404);
  });

  test(`${kind}: at most ten former ids are kept`, async (world) => {
    let { uniqueId } = await make(world, kind);
    for (let index = 0; index < 10; index += 1) {
      const next = `${kind}-many-${index}`;
      assert.is((await patch(world, `/${kind}/get/${uniqueId}`, { uniqueId: next })).status, 200);
      uniqueId = next;
    }
    const eleventh = await patch(world, `/${kind}/get/${uniqueId}`, { uniqueId: `${kind}-last` });
    assert.is(eleventh.status, 400);
    assert.match(eleventh.body.message, /10 former ids/);
    assert.is((await patch(world, `/${kind}/get/${uniqueId}`, { uniqueId: `${kind}-many-0` })).status, 200);
  });

  test(`${kind}: of many who want one id at once exactly one gets it`, async (world) => {
    const items = await Promise.all([1, 2, 3, 4].map(() => make(world, kind)));
    const wished = `${kind}-wished`;
    const answers = await Promise.all([
      ...items.map(({ uniqueId }) => patch(world, `/${kind}/get/${uniqueId}`, { uniqueId: wished })),
    ]);
    assert.equal(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
  });
}

test('an id that another kind holds is not taken over by a rename', async (world) => {
  const { server } = world;
  const link = await make(world, 'url', { uniqueId: 'shared-id' });
  const paste = await make(world, 'paste');
  await patch(world, `/paste/get/${paste.uniqueId}`, { uniqueId: 'shared-id' });
  const followed = await server.request('GET', '//r/shared-id');
  assert.is(followed.headers.get('location'), link.originalUrl);
  const record = (await get(world, '/paste/get/shared-id')).body.message;
  assert.is(record.urlSet.shortUrl, record.urlSet.webUrl);
});

test('image: every field changes, and null or "" clears', async (world) => {
  const { uniqueId } = await make(world, 'image', { desc: 'old' });
  const path = `/image/get/${uniqueId}`;
  const all = { desc: 'new', originalName: 'b.png', private: true, password: 'secret', maxViews: 3 };
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { status, body } = await patch(world, path, { ...all, expiresAt });
  assert.is(status, 200);
  const { message } = body;
  assert.is(message.description, 'new');
  assert.is(message.originalName, 'b.png');
  assert.is(message.isPublic, false);
  assert.is(message.requiresPassword, true);
  assert.is(message.maxViews, 3);
  assert.is(message.expiresAt, expiresAt);
  assert.is(message.revision, 2);
  const cleared = await patch(world, path, { desc: '', password: null, maxViews: '', expiresAt: null });
  assert.is(cleared.body.message.description, null);
  assert.is(cleared.body.message.requiresPassword, false);
  assert.is(cleared.body.message.maxViews, null);
  assert.is(cleared.body.message.expiresAt, null);
  assert.is(cleared.body.message.isPublic, false, 'absent keeps');
  assert.is(cleared.body.message.originalName, 'b.png');
});

test('paste: text, title and language change; the text of one that burns does not', async (world) => {
  const { uniqueId } = await make(world, 'paste');
  const path = `/paste/get/${uniqueId}`;
  const json = { text: 'two\n', title: 'T', language: 'markdown' };
  const { message } = (await patch(world, path, json)).body;
  assert.is(message.content, 'two\n');
  assert.is(message.title, 'T');
  assert.is(message.language, 'markdown');
  assert.is((await world.server.request('GET', `${path}?raw=true`)).text, 'two\n');
  assert.is((await patch(world, path, { text: '' })).status, 400);
  const burning = await world.server.request('POST', '/paste/create', {
    key: world.user.key,
    json: { text: 'x', burn: true },
  });
  const burned = `/paste/get/${burning.body.uniqueId}`;
  assert.is((await patch(world, burned, { text: 'y' })).status, 400);
  const titled = await patch(world, burned, { title: 'y' });
  assert.equal([titled.status, titled.body.message.content], [200, '']);
});

test('link: target, limit, note and privacy change, and its visits stay', async (world) => {
  const { server } = world;
  const { uniqueId } = await make(world, 'url');
  const path = `/url/get/${uniqueId}`;
  await server.request('GET', `/url/r/${uniqueId}`);
  await server.request('GET', `/url/r/${uniqueId}`);
  const { message } = (await patch(world, path, { url: 'example.org/b', note: 'mine', maxUses: 5 })).body;
  assert.is(message.originalUrl, 'https://example.org/b');
  assert.is(message.note, 'mine');
  assert.is(message.visits, 2);
  assert.is((await get(world, path, world.other.key)).body.message.note, null, 'notes are for their owner');
  assert.is(
    (await server.request('GET', `/url/r/${uniqueId}`)).headers.get('location'),
    'https://example.org/b',
  );
  await patch(world, path, { maxUses: 1 });
  assert.is((await server.request('GET', `/url/r/${uniqueId}`)).status, 404, 'fewer uses than visits end it');
  await patch(world, path, { maxUses: null });
  assert.is((await server.request('GET', `/url/r/${uniqueId}`)).status, 301);
  await patch(world, path, { private: true });
  assert.is((await server.request('GET', `/url/r/${uniqueId}`)).status, 403);
  assert.is((await get(world, `/url/r/${uniqueId}`)).status, 301);
  assert.is((await patch(world, path, { url: 'javascript:alert(1)' })).status, 400);
});

test('link: visits by a former id count for the link, on its short host too', async (world) => {
  const { server } = world;
  const { uniqueId: old } = await make(world, 'url', { maxUses: '4' });
  await patch(world, `/url/get/${old}`, { uniqueId: 'counted-too' });
  const onHost = (id: string) => server.request('GET', `//${id}`, { headers: { host: 'u.example.net' } });
  const answers = await Promise.all([
    ...[old, 'counted-too', old, 'counted-too', old].map((id) => server.request('GET', `/url/r/${id}`)),
    onHost(old),
  ]);
  assert.is(answers.filter(({ status }) => status === 301).length, 4);
  assert.is((await get(world, '/url/get/counted-too')).body.message.visits, 4);
});

test('link: the query of a visit is passed on if its owner wants that', async (world) => {
  const { server } = world;
  const json = { url: 'https://example.com/a?x=1#end', forwardQuery: true, password: 'secret' };
  const { body } = await server.request('POST', '/url/create', { key: world.user.key, json });
  const visit = (path: string) => server.request('GET', path).then(({ headers }) => headers.get('location'));
  const passed = 'https://example.com/a?x=1&utm=b%20c&y#end';
  assert.is(await visit(`/url/r/${body.uniqueId}?password=secret&utm=b%20c&y`), passed);
  assert.is(await visit(`//r/${body.uniqueId}?utm=b%20c&password=secret&y`), passed);
  await patch(world, `/url/get/${body.uniqueId}`, { forwardQuery: false });
  assert.is(await visit(`//r/${body.uniqueId}?password=secret&utm=b`), 'https://example.com/a?x=1#end');
});

test('link: programs that make previews see what its owner chose', async (world) => {
  const { server, user } = world;
  const picture = await make(world, 'image');
  const preview = { title: 'Chosen', description: 'Words', image: picture.uniqueId };
  const made = await server.request('POST', '/url/create', {
    key: user.key,
    json: { url: 'https://example.com/', preview },
  });
  assert.equal(made.body.message.preview, preview);
  const agent = (name: string) =>
    server.request('GET', `/url/r/${made.body.uniqueId}`, { headers: { 'user-agent': name } });
  assert.is((await agent('Mozilla/5.0 Firefox/140.0')).status, 301);
  for (const name of ['Twitterbot/1.0', 'Iframely/1.3.1 (+https://iframely.com/docs/about)'])
    assert.is((await agent(name)).status, 302, name);
  for (const name of ['curl/8.1', 'node', 'Wget/1.2', 'MyScript/1.0', ''])
    assert.is((await agent(name)).status, 301, name);
  const page = await server.request('GET', `//web/url-render/${made.body.uniqueId}`);
  assert.match(page.text, /og:title" content="Chosen"/);
  assert.match(page.text, new RegExp(`og:image" content="[^"]+/image/get/${picture.uniqueId}"`));
  await patch(world, `/image/get/${picture.uniqueId}`, { private: true });
  const hidden = await server.request('GET', `//web/url-render/${made.body.uniqueId}`);
  assert.not.match(hidden.text, /og:image/);
  const foreign = await server.request('POST', '/url/create', {
    key: world.other.key,
    json: { url: 'https://example.com/', preview },
  });
  assert.is(foreign.status, 400);
});

test('image: PUT replaces the bytes and what follows from them', async (world) => {
  const { server, user } = world;
  const made = await make(world, 'image', { desc: 'kept', maxViews: '9' });
  const path = `/image/get/${made.uniqueId}`;
  await server.request('GET', path);
  const put = (form: FormData, headers = {}, key = user.key) =>
    server.request('PUT', path, { key, form, headers });
  const before = await get(world, path);
  const replaced = await put(fileForm(await gifPhoto(), 'b.gif'));
  assert.is(replaced.status, 200, replaced.text);
  const { message } = replaced.body;
  assert.is(message.type, 'gif');
  assert.is(message.mimeType, 'image/gif');
  assert.is(message.originalName, 'b.gif');
  assert.is(message.description, 'kept');
  assert.is(message.views, 1);
  assert.is(message.revision, 2);
  assert.is.not(message.sha256, made.sha256);
  const after = await get(world, path);
  assert.is.not(after.headers.get('etag'), before.headers.get('etag'));
  assert.is(after.headers.get('content-type'), 'image/gif');
  const stale = `W/"image-${made.uniqueId}-1"`;
  assert.is((await put(fileForm(await png(9, 9), 'c.png'), { 'if-match': stale })).status, 412);
  assert.is((await put(fileForm('no picture', 'c.png'))).status, 400);
  assert.is((await put(fileForm('', 'c.png'))).status, 400);
  assert.is((await put(fileForm(await png(9, 9), 'c.png'), {}, world.other.key)).status, 401);
  assert.is(
    (await put(fileForm(await gifPhoto(), 'b.gif'))).body.message.revision,
    2,
    'the same bytes are no change',
  );
  assert.is((await get(world, path)).text, after.text);
});

test('image: replaced bytes are removed, and shared ones stay', async (world) => {
  const { server, user } = world;
  const { db } = server.app.services;
  const upload = async () =>
    server.request('POST', '/image/upload', { key: user.key, form: fileForm(await png(31, 7), 'a.png') });
  const [a, b] = [(await upload()).body.message, (await upload()).body.message];
  const put = async (id: string) =>
    server.request('PUT', `/image/get/${id}`, { key: user.key, form: fileForm(await png(30, 7), 'a.png') });
  await put(a.uniqueId);
  assert.is((await server.request('GET', `/image/get/${b.uniqueId}`)).status, 200);
  assert.ok((await blobSize(db.read, a.sha256)) !== null);
  await put(b.uniqueId);
  assert.is(await blobSize(db.read, a.sha256), null);
  const { sha256 } = (await get(world, `/image/info/${a.uniqueId}`)).body.message;
  for (const { uniqueId } of [a, b])
    await server.request('DELETE', `/image/get/${uniqueId}`, { key: user.key });
  assert.is(await blobSize(db.read, sha256), null);
});

test('image: whichever of two files that come at once is kept has its placeholder', async (world) => {
  const { server, user } = world;
  const [first, second] = [await png(8, 8), await png(9, 8)];
  for (let round = 0; round < 5; round += 1) {
    const { uniqueId } = await make(world, 'image');
    await server.app.services.jobs.settle();
    const put = (bytes: Buffer) =>
      server.request('PUT', `/image/get/${uniqueId}`, { key: user.key, form: fileForm(bytes, 'a.png') });
    const answers = await Promise.all([put(second), put(first)]);
    assert.equal(
      answers.map(({ status }) => status),
      [200, 200],
    );
    await server.app.services.jobs.settle();
    assert.ok((await get(world, `/image/info/${uniqueId}`)).body.message.thumbhash);
  }
});

test.run();
