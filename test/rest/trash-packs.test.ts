// on both databases
/** Files of a pack in the trash, by themselves and with their pack: nothing is lost that was not deleted for good. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collectionByKey } from '../../db/content/collection/collection.js';
import { trashCollection } from '../../db/content/collection/collection-trash.js';
import { blobSize } from '../../db/content/file/blob.js';
import { found } from '../../routers/base/errors.js';
import { discardCollection, purgeCollection } from '../../routers/features/collection/discard.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { makePack } from '../support/content/packs.js';
import { overOrWaiting } from '../support/stores/waiting.js';

interface World {
  server: TestServer;
  user: TestAccount;
  moderator: TestAccount;
}
const test = suite<World>('files of packs in the trash');
test.before(async (world) => {
  world.server = await startServer({ TRASH_DAYS: '7' });
  world.moderator = await world.server.account('ADMIN');
});
test.before.each(async (world) => {
  world.user = await world.server.account();
});
test.after(({ server }) => server.close());

const call = ({ server, user }: World, method: string, path: string, key = user.key, json: object = {}) =>
  server.request(method, path, { key, ...(method === 'GET' ? {} : { json }) });
const trashOf = async (world: World) =>
  (await call(world, 'GET', '/user/get/@me/trash?size=100')).body.message.content;
const typesIn = async (world: World) => (await trashOf(world)).map(({ type }: { type: string }) => type);
const restore = (world: World, kind: string, id: string) =>
  call(world, 'POST', `/user/get/@me/trash/${kind}/${id}/restore`);
const textOf = async ({ server }: World, file = '') => {
  const { status, text } = await server.request('GET', `//files/${file}`);
  return status === 200 ? text : status;
};
const removeFile = (
  world: World,
  packId: string,
  file: string | undefined,
  query = '',
  key = world.user.key,
) => call(world, 'DELETE', `/files/pack/public/${packId}/file/${file}${query}`, key);

for (const who of ['owner', 'moderator'] as const)
  test(`the last file of a pack that its ${who} deletes for good takes none out of the trash`, async (world) => {
    const { server, user, moderator } = world;
    const { packId, files, blobs } = await makePack(server, user.key, ['one', 'two']);
    assert.is((await removeFile(world, packId, files[0])).status, 200);
    const gone =
      who === 'owner'
        ? await removeFile(world, packId, files[1], '?permanent=true')
        : await removeFile(world, packId, files[1], '', moderator.key);
    assert.is(gone.status, 200);
    assert.is((await call(world, 'GET', `/collection/${packId}`)).status, 404);
    assert.is(await blobSize(server.app.services.db.read, blobs[1] ?? ''), null);
    assert.is((await restore(world, 'collection', packId)).status, 200);
    const [left, ...others] = await trashOf(world);
    assert.equal(others, []);
    assert.is((await restore(world, 'image', left.uniqueId)).status, 200);
    assert.equal(await Promise.all(files.map((file) => textOf(world, file))), ['one', 404]);
    assert.equal(await typesIn(world), []);
  });

test('the last file of a pack that is deleted for good leaves no pack if nothing of it is in the trash', async (world) => {
  const { server, user } = world;
  const { packId, files, blobs } = await makePack(server, user.key, ['alone']);
  assert.is((await removeFile(world, packId, files[0], '?permanent=true')).status, 200);
  assert.equal(await typesIn(world), []);
  assert.is((await restore(world, 'collection', packId)).status, 404);
  assert.is(await blobSize(server.app.services.db.read, blobs[0] ?? ''), null);
});

test('a file that was deleted before its pack can be seen, read and restored, and brings the pack back', async (world) => {
  const { server, user } = world;
  const { packId, files, blobs } = await makePack(server, user.key, ['first', 'second', 'third']);
  assert.is((await call(world, 'PATCH', `/collection/${packId}`, user.key, { tags: ['kept'] })).status, 200);
  assert.is((await removeFile(world, packId, files[0])).status, 200);
  assert.is((await call(world, 'DELETE', `/files/pack/public/${packId}`)).status, 200);
  assert.equal(await typesIn(world), ['pack', 'txt']);
  const [pack, file] = await trashOf(world);
  assert.equal([pack.size, file.size], ['secondthird'.length, 'first'.length]);
  const asked = encodeURIComponent(JSON.stringify({ kind: 'image', uniqueId: file.uniqueId }));
  const contents = await call(world, 'GET', `//trpc/trash.contents?input=${asked}`);
  assert.is(contents.body.result.data.files[0].sha256, blobs[0]);
  assert.is((await restore(world, 'image', file.uniqueId)).status, 200);
  assert.equal(await Promise.all(files.map((name) => textOf(world, name))), ['first', 404, 404]);
  assert.equal(await typesIn(world), ['txt', 'txt'], 'the others are there one by one');
  assert.equal((await call(world, 'GET', '/user/get/@me/tags')).body.message, [{ tag: 'kept', count: 1 }]);
  for (const { uniqueId } of await trashOf(world))
    assert.is((await restore(world, 'image', uniqueId)).status, 200);
  assert.equal(await Promise.all(files.map((name) => textOf(world, name))), ['first', 'second', 'third']);
});

test('a file of a pack that is deleted for good cannot be taken out by itself', async (world) => {
  const { server, user } = world;
  const { packId, files } = await makePack(server, user.key, ['early', 'late']);
  await removeFile(world, packId, files[0]);
  const ids = (await trashOf(world)).map(({ uniqueId }: { uniqueId: string }) => uniqueId);
  await call(world, 'DELETE', `/files/pack/public/${packId}`);
  const { db } = server.app.services;
  await db.write((trx) => trx('collections').where('unique_id', packId).update({ trashed_at: 0 }));
  assert.equal(await typesIn(world), []);
  for (const id of ids) assert.is((await restore(world, 'image', id)).status, 404);
});

test('a file that comes back while its pack is deleted is in it or brings it back', async (world) => {
  const { server, user } = world;
  const { db } = server.app.services;
  const { packId, files } = await makePack(server, user.key, ['back', 'away']);
  await removeFile(world, packId, files[0]);
  const [{ uniqueId }] = await trashOf(world);
  const held = found(await collectionByKey(db.read, packId.toLowerCase()));
  let restored: ReturnType<typeof restore> | undefined;
  await db.write(async (trx) => {
    await trashCollection(db, trx, held, Date.now());
    restored = restore(world, 'image', uniqueId);
    await overOrWaiting(db, restored);
  });
  assert.is((await restored)?.status, 200);
  assert.equal(await Promise.all(files.map((name) => textOf(world, name))), ['back', 404]);
  assert.is((await call(world, 'GET', `/collection/${packId}`)).status, 200);
});

test('what a moderator deletes its owner cannot take out of the trash, whenever it came there', async (world) => {
  const { server, user, moderator } = world;
  const { services } = server.app;
  const reported = await makePack(server, user.key, ['reported', 'with it']);
  const report = { kind: 'collection', uniqueId: reported.packId, reason: 'abuse' };
  assert.is((await call(world, 'POST', '/report', undefined, report)).status, 200);
  const { content } = (await call(world, 'GET', '/admin/reports', moderator.key)).body.message;
  await call(world, 'DELETE', `/files/pack/public/${reported.packId}`);
  const decide = `/admin/reports/${content[0].id}/resolve`;
  assert.is((await call(world, 'POST', decide, moderator.key, { action: 'delete' })).status, 200);
  const seen = await makePack(server, user.key, ['seen before it went']);
  const held = found(await collectionByKey(services.db.read, seen.packId.toLowerCase()));
  await call(world, 'DELETE', `/files/pack/public/${seen.packId}`);
  await discardCollection(services, held, { by: { id: held.ownerId + 1 } });
  for (const { packId, blobs } of [reported, seen]) {
    assert.is((await restore(world, 'collection', packId)).status, 404);
    for (const sha256 of blobs) assert.is(await blobSize(services.db.read, sha256), null);
  }
  assert.equal(await typesIn(world), []);
});

test('only what nobody can take out of the trash is erased', async (world) => {
  const { server, user } = world;
  const { services } = server.app;
  const { packId, files } = await makePack(server, user.key, ['safe']);
  const { id } = found(await collectionByKey(services.db.read, packId.toLowerCase()));
  await call(world, 'DELETE', `/files/pack/public/${packId}`);
  await purgeCollection(services, id);
  assert.is((await restore(world, 'collection', packId)).status, 200);
  assert.is(await textOf(world, files[0]), 'safe');
});

test.run();
