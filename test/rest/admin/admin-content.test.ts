// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noteBackup } from '../../../db/system/installation.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';

interface World {
  server: TestServer;
  account: TestAccount;
  image: { uniqueId: string };
  paste: { uniqueId: string };
  url: { uniqueId: string };
}
const content = suite<World>('administrator lookups');

content.before(async (world) => {
  const server = await startServer();
  const account = await server.account();
  const { key } = account;
  const form = fileForm('the bytes', 'holiday.txt', {
    private: 'true',
    password: 'hidden',
    desc: 'a 100% secret',
  });
  const made = async (answer: ReturnType<TestServer['request']>) => (await answer).body.message;
  world.image = await made(server.request('POST', '/image/upload', { key, form }));
  world.paste = await made(
    server.request('POST', '/paste/create', { key, json: { text: 'needle in text', private: true } }),
  );
  world.url = await made(
    server.request('POST', '/url/create', { key, json: { url: 'https://example.com/needle' } }),
  );
  await server.request('GET', `/url/r/${world.url.uniqueId}`);
  Object.assign(world, { server, account });
});
content.after(({ server }) => server.close());

const get = (server: TestServer, path: string) => server.request('GET', path, { key: server.owner.key });

content('lists images, pastes and links of an account regardless of privacy', async (world) => {
  const { server, account } = world;
  for (const kind of ['image', 'paste', 'url'] as const) {
    const { status, body } = await get(server, `/admin/user/${account.id}/${kind}s`);
    assert.is(status, 200);
    assert.equal([body.count, body.message.length], [1, 1]);
    assert.is(body.message[0].uniqueId, world[kind].uniqueId);
    assert.is(body.message[0].uploader.uid, account.id);
  }
  const images = await get(server, `/admin/user/${account.id}/images`);
  assert.is(images.body.message[0].originalName, 'holiday.txt');
});

content(
  'content=true includes the text of pastes, logs=true the visits of links',
  async ({ server, account }) => {
    const path = `/admin/user/${account.id}`;
    assert.is((await get(server, `${path}/pastes`)).body.message[0].content, null);
    assert.is((await get(server, `${path}/pastes?content=true`)).body.message[0].content, 'needle in text');
    assert.is((await get(server, `${path}/urls`)).body.message[0].logs, undefined);
    assert.is((await get(server, `${path}/urls?logs=1`)).body.message[0].logs.length, 1);
  },
);

content('burn-after-reading pastes are neither shown in lists nor found', async ({ server }) => {
  const { id, key } = await server.account();
  const json = { text: 'thimble in text', title: 'once only', burn: true };
  const { uniqueId } = (await server.request('POST', '/paste/create', { key, json })).body;
  const { body } = await get(server, `/admin/user/${id}/pastes?content=true`);
  assert.equal([body.message[0].uniqueId, body.message[0].content], [uniqueId, null]);
  const found = async (search: string) =>
    (await get(server, `/admin/pastes?search=${search}`)).body.message.totalElements;
  assert.equal([await found('thimble'), await found('once'), await found('needle')], [0, 0, 1]);
  assert.is((await server.request('POST', `/paste/get/${uniqueId}`)).body.message.content, 'thimble in text');
});

content(
  'from, to and limit narrow the list; without a limit it is whole, but images are 25',
  async ({ server }) => {
    const { id, key } = await server.account();
    await Promise.all(
      Array.from({ length: 27 }, (_, n) =>
        server.request('POST', '/paste/create', { key, json: { text: `p${n}` } }),
      ),
    );
    const count = async (query: string) => (await get(server, `/admin/user/${id}/pastes${query}`)).body.count;
    assert.is(await count(''), 27);
    assert.is(await count('?limit=26'), 26);
    assert.is(await count('?limit=2'), 2);
    assert.is(await count('?from=2001-01-01&to=2001-12-31'), 0);
    const today = new Date().toISOString().slice(0, 10);
    assert.is(await count(`?from=${today}&to=${today}`), 27);
    for (const bad of [
      '?limit=0',
      '?limit=1001',
      '?limit=x',
      '?from=yesterday',
      '?from=2002-01-01&to=2001-01-01',
    ])
      assert.is((await get(server, `/admin/user/${id}/pastes${bad}`)).status, 400, bad);
  },
);

content('404 for an unknown account, [] for an account without content', async ({ server }) => {
  const { id } = await server.account();
  for (const kind of ['images', 'pastes', 'urls']) {
    const none = await get(server, `/admin/user/${id}/${kind}`);
    assert.equal([none.status, none.body.message], [200, []]);
    for (const uid of ['99999', '99999999999', '-1', 'nonsense']) {
      const answer = await get(server, `/admin/user/${uid}/${kind}`);
      assert.is(answer.status, 404, uid);
      assert.is(answer.body.message, 'Resource not found');
    }
  }
});

content('images/pageable counts pages from 0', async ({ server, account, image }) => {
  const { body } = await get(server, `/admin/user/${account.id}/images/pageable?page=0&size=10`);
  const { images, ...page } = body.message;
  assert.equal(page, { totalElements: 1, totalPages: 1, currentPage: 0, pageSize: 10 });
  assert.equal(Object.keys(images[0]).sort(), [
    'description',
    'hasPoster',
    'location',
    'public',
    'requiresPassword',
    'size',
    'type',
    'uniqueId',
    'uploadedAt',
    'urls',
  ]);
  assert.equal(
    [images[0].uniqueId, images[0].public, images[0].requiresPassword, images[0].hasPoster],
    [image.uniqueId, false, true, false],
  );
  const beyond = await get(server, `/admin/user/${account.id}/images/pageable?page=7`);
  assert.equal(beyond.body.message.images, []);
  assert.is((await get(server, '/admin/user/99999/images/pageable')).status, 404);
});

content(
  'searches ignore the case of letters of any script, and take what is no letter as a space',
  async ({ server }) => {
    const { key } = await server.account();
    for (const title of ['Über Ärger [a-z]*?', 'ЖУРНАЛ Σίσυφος', 'Straße_!^]'])
      await server.request('POST', '/paste/create', { key, json: { title, text: 'x' } });
    const titles = async (text: string) =>
      (await get(server, `/admin/pastes?search=${encodeURIComponent(text)}`)).body.message.content.map(
        ({ title }: { title: string }) => title,
      );
    for (const text of ['über', 'ÜBER ÄRGER', 'ärger [A-Z]*?', '"über ärger a"', 'ärg üb'])
      assert.equal(await titles(text), ['Über Ärger [a-z]*?'], text);
    for (const text of ['журнал', 'Журнал σ']) assert.equal(await titles(text), ['ЖУРНАЛ Σίσυφος'], text);
    for (const text of ['straße_!^]', 'STRAßE', 'strasse'])
      assert.equal(await titles(text), ['Straße_!^]'], text);
    // Each has a word of three letters or more that is the beginning of none: a random id may begin with fewer.
    for (const text of ['ä*rger', 'stra?aße', '[ü]ber', 'rger', '"ärger über"'])
      assert.equal(await titles(text), [], text);
  },
);

content('searches match words from their beginnings in any case', async (world) => {
  const { server } = world;
  const search = async (kind: string, text: string) =>
    (await get(server, `/admin/${kind}?search=${encodeURIComponent(text)}`)).body.message;
  assert.is((await search('images', world.image.uniqueId)).totalElements, 1);
  assert.is((await search('images', '100%')).totalElements, 0, 'the texts of a file with a password');
  assert.is((await search('images', '%')).totalElements, 0);
  assert.is((await search('pastes', 'needle in')).content[0].uniqueId, world.paste.uniqueId);
  assert.is((await search('urls', 'example.com/NEEDLE')).content[0].uniqueId, world.url.uniqueId);
  assert.is((await search('urls', world.url.uniqueId.toLowerCase())).totalPages, 1);
  const mine = await get(server, `/admin/pastes?uid=${world.account.id}`);
  assert.is(mine.body.message.totalElements, 1);
});

content(
  'GET /admin/image/get returns the record, and more on request',
  async ({ server, account, image }) => {
    const path = `/admin/image/get/${image.uniqueId}`;
    const plain = await get(server, path);
    assert.equal([plain.status, plain.body.uniqueId], [200, image.uniqueId]);
    assert.is(plain.body.message.description, 'a 100% secret');
    const base64 = await get(server, `${path}?base64=true&uploader_info=true&image_info=true`);
    assert.is(Buffer.from(base64.body.message.base64, 'base64').toString(), 'the bytes');
    assert.is(base64.body.message.uploaderInfo.email, account.email);
    assert.is(base64.headers.get('x-image-type'), 'txt');
    const raw = await get(server, `${path}?base64=true&raw=true`);
    assert.is(raw.body.message.base64, base64.body.message.base64);
    assert.is((await get(server, '/admin/image/get/NOTHING1')).status, 404);
  },
);

content('system metrics count the existing items', async ({ server }) => {
  const { body } = await get(server, '/admin/system/metrics');
  assert.is(body.message.totals.images, 1);
  assert.ok(body.message.totals.users >= 2);
  assert.is(body.message.totals.storageUsed, 'the bytes'.length);
  assert.is(body.message.lastBackupAt, null);
  await noteBackup(server.app.services.db, 1_700_000_000_000);
  const after = await get(server, '/admin/system/metrics');
  assert.is(after.body.message.lastBackupAt, '2023-11-14T22:13:20.000Z');
});

content('every operation is refused below ADMIN', async ({ server, account, image }) => {
  const { key } = await server.account('MODERATOR');
  for (const path of [
    `/admin/user/${account.id}/images`,
    `/admin/user/${account.id}/images/pageable`,
    '/admin/urls',
    '/admin/system/metrics',
    `/admin/image/get/${image.uniqueId}`,
  ]) {
    assert.is((await server.request('GET', path, { key })).status, 403, path);
    assert.is((await server.request('GET', path)).status, 401, path);
  }
});

content.run();
