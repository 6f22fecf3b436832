/** Files of a pack in the trash, by themselves and with their pack: nothing is lost that was not deleted for good. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blobSize } from '../../db/content/blob.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { makePack } from '../support/content/packs.js';

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

const call = ({ server, user }: World, method: string, path: string, key = user.key) =>
  server.request(method, path, { key, ...(method === 'POST' ? { json: {} } : {}) });
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

test.run();
