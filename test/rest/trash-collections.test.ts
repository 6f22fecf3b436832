// on both databases
/** Collections in the trash: every face of them comes back as it was, and nobody opens them meanwhile. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deleteEmptyPacks } from '../../db/content/collection/removal.js';
import { blobSize } from '../../db/content/file/blob.js';
import { purgeTrash } from '../../routers/app/trash/index.js';
import { GRACE_MS, sweep } from '../../server/runtime/upkeep/sweep.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { makePack } from '../support/content/packs.js';

interface World {
  server: TestServer;
  user: TestAccount;
  other: TestAccount;
  moderator: TestAccount;
}
const test = suite<World>('collections in the trash');
test.before(async (world) => {
  world.server = await startServer({ TRASH_DAYS: '7' });
  world.user = await world.server.account();
  world.other = await world.server.account();
  world.moderator = await world.server.account('ADMIN');
});
test.after(({ server }) => server.close());

let made = 0;
async function upload({ server, user }: World): Promise<string> {
  made += 1;
  const answer = await server.request('POST', '/image/upload', {
    key: user.key,
    form: fileForm(`text ${made}`, `${made}.txt`),
  });
  return answer.body.message.uniqueId;
}
const call = ({ server, user }: World, method: string, path: string, json?: unknown, key = user.key) =>
  server.request(method, path, { key, ...(json === undefined ? {} : { json }) });
const trashOf = async (world: World, key = world.user.key) =>
  (await call(world, 'GET', '/user/get/@me/trash?size=100', undefined, key)).body.message;
const restore = (world: World, id: string, key = world.user.key) =>
  call(world, 'POST', `/user/get/@me/trash/collection/${id}/restore`, {}, key);

test('a collection that its owner deletes is gone for everybody, and comes back as it was', async (world) => {
  const { server, user, other, moderator } = world;
  const files = [await upload(world), await upload(world)];
  const { uniqueId } = (
    await call(world, 'POST', '/collection', {
      title: 'Holiday',
      tags: ['sun'],
      items: files.map((id, at) => ({ uniqueId: id, path: `days/${at}.txt` })),
    })
  ).body.message;
  const { url } = (await call(world, 'POST', `/collection/${uniqueId}/links`, { note: 'for Ann' })).body
    .message;
  const secret = url.split('/').at(-1);
  const before = (await call(world, 'GET', `/collection/${uniqueId}`)).body.message;
  assert.is((await call(world, 'DELETE', `/collection/${uniqueId}`)).status, 200);
  for (const path of [
    `/collection/open/${uniqueId}`,
    `/collection/open/${uniqueId}/zip`,
    `/collection/open/${uniqueId}/files/${files[0]}`,
    `/collection/shared/${secret}`,
    `/collection/shared/${secret}/zip`,
    `/image/playlist/get/${uniqueId}`,
    `//web/collection/${uniqueId}`,
    `//web/share/${secret}`,
  ])
    for (const key of [undefined, user.key, other.key, moderator.key])
      assert.is((await server.request('GET', path, { key })).status, 404, path);
  for (const [method, path, json] of [
    ['GET', '', undefined],
    ['PATCH', '', { title: 'x' }],
    ['DELETE', '', {}],
    ['PUT', '/items', { items: [] }],
    ['GET', '/links', undefined],
    ['POST', '/links', {}],
  ] as const)
    assert.is((await call(world, method, `/collection/${uniqueId}${path}`, json)).status, 404, method + path);
  assert.is(
    (await call(world, 'POST', '/collection', { title: 'x', uniqueId })).status,
    400,
    'its id is taken',
  );
  const listed = (await trashOf(world)).content.find(
    (item: { uniqueId: string }) => item.uniqueId === uniqueId,
  );
  assert.equal(
    [listed.kind, listed.type, listed.title, listed.size, listed.tags],
    ['collection', 'collection', 'Holiday', 0, ['sun']],
  );
  assert.is(Date.parse(listed.purgedAt) - Date.parse(listed.trashedAt), 7 * 86_400_000);
  for (const id of files)
    assert.is((await call(world, 'GET', `/image/info/${id}`)).status, 200, 'files stay');
  assert.is((await restore(world, uniqueId, other.key)).status, 404);
  assert.is((await restore(world, uniqueId, moderator.key)).status, 404);
  const answer = await restore(world, uniqueId);
  assert.equal([answer.status, answer.body.message], [200, { kind: 'collection', uniqueId }]);
  assert.is((await restore(world, uniqueId)).status, 404);
  assert.equal((await call(world, 'GET', `/collection/${uniqueId}`)).body.message, before);
  assert.is((await server.request('GET', `/collection/shared/${secret}`)).status, 200);
});

test('a cover that comes out of the trash is the cover again, whatever else was changed', async (world) => {
  const items = [];
  for (let count = 0; count < 4; count += 1) items.push({ uniqueId: await upload(world) });
  const [cover, second, third, fourth] = items;
  const { uniqueId } = (
    await call(world, 'POST', '/collection', {
      title: 'Covered',
      items: [cover, second],
      cover: cover?.uniqueId,
    })
  ).body.message;
  assert.is((await call(world, 'DELETE', `/image/get/${cover?.uniqueId}`)).status, 200);
  const path = `/collection/${uniqueId}/items`;
  assert.is((await call(world, 'POST', path, { items: [third] })).status, 200);
  assert.is((await call(world, 'DELETE', `${path}/${second?.uniqueId}`)).status, 200);
  assert.is((await call(world, 'POST', path, { items: [fourth] })).status, 200);
  assert.is((await call(world, 'PUT', path, { items: [fourth, third] })).status, 200);
  const restored = await call(world, 'POST', `/user/get/@me/trash/image/${cover?.uniqueId}/restore`, {});
  assert.is(restored.status, 200);
  const coverNow = async () => (await call(world, 'GET', `/collection/${uniqueId}`)).body.message.cover;
  assert.is(await coverNow(), cover?.uniqueId);
  assert.is((await call(world, 'PUT', path, { items: [fourth] })).status, 200);
  assert.is(await coverNow(), null);
});

test('a deleted playlist can be restored by its page and by REST', async (world) => {
  const { user, server } = world;
  const id = await upload(world);
  const { uniqueId } = (
    await call(world, 'POST', '/image/playlist/create', { title: 'Songs', imagesUids: [id] })
  ).body.message;
  const login = await server.request('POST', '/auth/login', {
    json: { email: user.email, password: user.password },
  });
  const cookie = (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const post = (path: string, fields: Record<string, string>) =>
    server.request('POST', path, {
      form: new URLSearchParams(fields),
      headers: { cookie, origin: server.origin },
    });
  const form = await post(`//web/collections/${uniqueId}`, { action: 'delete' });
  assert.is(form.status, 303);
  const next = String(form.headers.get('location'));
  assert.ok(next.includes('done=trashed') && next.includes(`undo=collection%2F${uniqueId}`), next);
  assert.is((await call(world, 'GET', `/image/playlist/get/${uniqueId}`)).status, 404);
  assert.is((await trashOf(world)).content[0].type, 'playlist');
  const undone = await post('//web/trash', {
    ...{ action: 'restore', ids: `collection/${uniqueId}`, next: '/web/collections' },
  });
  assert.is(undone.headers.get('location'), '/web/collections?done=restored');
  const found = (await call(world, 'GET', `/image/playlist/get/${uniqueId}`)).body.message;
  assert.equal(
    found.images.map((image: { uniqueId: string }) => image.uniqueId),
    [id],
  );
  assert.is((await call(world, 'DELETE', `/image/playlist/get/${uniqueId}?permanent=true`)).status, 200);
  assert.is((await restore(world, uniqueId)).status, 404);
});

test('a pack comes and goes with its files, which are not in the trash one by one', async (world) => {
  const { server, user } = world;
  const pack = await makePack(server, user.key, ['one', 'two', 'three']);
  const [first, second] = pack.files;
  const stats = async () => (await call(world, 'GET', '/user/get/@me')).body.message.stats;
  const before = await stats();
  const inTrash = (await trashOf(world)).totalElements;
  assert.is((await call(world, 'DELETE', `/files/pack/public/${pack.packId}/file/${first}`)).status, 200);
  assert.is((await trashOf(world)).totalElements, inTrash + 1);
  assert.is((await call(world, 'DELETE', `/files/pack/public/${pack.packId}`)).status, 200);
  const trash = await trashOf(world);
  assert.is(trash.totalElements, inTrash + 2, 'the file that was deleted before is there by itself');
  assert.equal([trash.content[0].type, trash.content[0].size], ['pack', 'twothree'.length]);
  assert.is((await server.request('GET', `//files/${second}`)).status, 404);
  assert.is((await call(world, 'POST', `/files/pack/public/${pack.packId}`, {})).status, 404);
  assert.is((await stats()).storageUsed, before.storageUsed, 'its bytes are still stored');
  assert.is((await restore(world, pack.packId)).status, 200);
  assert.is((await server.request('GET', `//files/${second}`)).text, 'two');
  assert.is((await server.request('GET', `//files/${first}`)).status, 404, 'it was deleted by itself');
  assert.is((await trashOf(world)).totalElements, inTrash + 1);
  const [file] = (await trashOf(world)).content;
  assert.is(
    (await call(world, 'POST', `/user/get/@me/trash/image/${file.uniqueId}/restore`, {})).status,
    200,
  );
  assert.is((await server.request('GET', `//files/${first}`)).text, 'one');
  assert.equal(await stats(), before);
});

test('the last file of a pack takes the pack with it into the trash and back', async (world) => {
  const { server, user } = world;
  const pack = await makePack(server, user.key, ['alone']);
  assert.is(
    (await call(world, 'DELETE', `/files/pack/public/${pack.packId}/file/${pack.files[0]}`)).status,
    200,
  );
  assert.is((await trashOf(world)).content[0].uniqueId, pack.packId);
  assert.is((await restore(world, pack.packId)).status, 200);
  assert.is((await server.request('GET', `//files/${pack.files[0]}`)).text, 'alone');
});

test('a pack whose files have all expired is removed with its tags', async (world) => {
  const { server, user } = world;
  const { services } = server.app;
  const { packId } = await makePack(server, user.key, ['short-lived']);
  assert.is((await call(world, 'PATCH', `/collection/${packId}`, { tags: ['emptied'] })).status, 200);
  const tags = async () => (await call(world, 'GET', '/user/get/@me/tags')).text;
  assert.match(await tags(), 'emptied');
  await services.db.write(async (trx) => {
    const { id } = await trx('collections').where('unique_id', packId).first('id');
    await trx('collection_items').where('collection_id', id).del();
    await trx('collections')
      .where('id', id)
      .update({ created_at: Date.now() - 2 * GRACE_MS });
  });
  const full = await makePack(server, user.key, ['long-lived']);
  const { id } = await services.db.read('collections').where('unique_id', full.packId).first('id');
  await services.db.write((trx) => deleteEmptyPacks(services.db, trx, [id]));
  assert.is((await call(world, 'GET', `/collection/${full.packId}`)).status, 200, 'it got files meanwhile');
  await sweep(services);
  assert.not.match(await tags(), 'emptied');
  assert.equal(await services.db.read('collections').where('unique_id', packId), []);
});

test('a pack that is deleted for good leaves no bytes, whoever deletes it', async (world) => {
  const { server, user, moderator } = world;
  const packs = await Promise.all(
    ['by its owner', 'by a moderator', 'from the trash', 'by time'].map((text) =>
      makePack(server, user.key, [text, `${text} 2`]),
    ),
  );
  const [own, moderated, removed, purged] = packs.map(({ packId }) => packId);
  await call(world, 'DELETE', `/files/pack/public/${own}?permanent=true`);
  await call(world, 'DELETE', `/files/pack/public/${moderated}`, undefined, moderator.key);
  await call(world, 'DELETE', `/files/pack/public/${removed}`);
  assert.is((await call(world, 'DELETE', `/user/get/@me/trash/collection/${removed}`)).status, 200);
  await call(world, 'DELETE', `/files/pack/public/${purged}`);
  const app = server.app.services;
  const longAgo = Date.now() - 8 * 86_400_000;
  for (const table of ['collections', 'images'])
    await app.db.write((trx) => trx(table).whereNotNull('trashed_at').update({ trashed_at: longAgo }));
  await purgeTrash(app, new AbortController().signal);
  for (const id of [own, moderated, removed, purged]) assert.is((await restore(world, id ?? '')).status, 404);
  for (const sha256 of packs.flatMap(({ blobs }) => blobs))
    assert.is(await blobSize(app.db.read, sha256), null);
});

test.run();
