// on both databases
/** The counts of tags: exact, whatever becomes one of two while something is in the trash, goes there or comes back. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lockTags } from '../../db/content/tag/tag.js';
import { replaceTag, takeTagFromSome } from '../../db/content/tag/tag-change.js';
import { found } from '../../routers/base/errors.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { overOrWaiting } from '../support/stores/waiting.js';

interface World {
  server: TestServer;
  user: TestAccount;
}
const test = suite<World>('tags and the trash');
test.before(async (world) => {
  world.server = await startServer({ TRASH_DAYS: '7' });
});
test.before.each(async (world) => {
  world.user = await world.server.account();
});
test.after(({ server }) => server.close());

const call = ({ server, user }: World, method: string, path: string, json: object = {}) =>
  server.request(method, path, { key: user.key, ...(method === 'GET' ? {} : { json }) });
const paste = async (world: World, tags: string[]): Promise<string> =>
  (await call(world, 'POST', '/paste/create', { text: 'a text', tags })).body.message.uniqueId;
const collection = async (world: World, tags: string[]): Promise<string> =>
  (await call(world, 'POST', '/collection', { title: 'some', tags })).body.message.uniqueId;
const restore = (world: World, kind: string, id: string) =>
  call(world, 'POST', `/user/get/@me/trash/${kind}/${id}/restore`);
const counts = async (world: World) =>
  (await call(world, 'GET', '/user/get/@me/tags')).body.message.map(
    ({ tag, count }: { tag: string; count: number }) => `${tag} ${count}`,
  );

test('what is in the trash with two tags is counted with the one that they become once it is back', async (world) => {
  const both = await paste(world, ['from', 'into']);
  const group = await collection(world, ['from', 'into']);
  await paste(world, ['from', 'into']);
  await paste(world, ['from']);
  await call(world, 'DELETE', `/paste/get/${both}`);
  await call(world, 'DELETE', `/collection/${group}`);
  assert.equal(await counts(world), ['from 2', 'into 1']);
  const merged = await call(world, 'PATCH', '/user/get/@me/tags/from', { tag: 'into' });
  assert.equal(merged.body.message, { tag: 'into', count: 2 });
  assert.is((await restore(world, 'paste', both)).status, 200);
  assert.is((await restore(world, 'collection', group)).status, 200);
  assert.equal(await counts(world), ['into 4']);
});

const MOVES = {
  'goes into the trash': (world: World, id: string) => call(world, 'DELETE', `/paste/get/${id}`),
  'is deleted for good': (world: World, id: string) =>
    call(world, 'DELETE', `/paste/get/${id}?permanent=true`),
  'comes out of the trash': (world: World, id: string) => restore(world, 'paste', id),
};
for (const [name, move] of Object.entries(MOVES))
  for (const tags of [['from'], ['from', 'into']])
    test(`what ${name} with the tags ${tags.join(' and ')} while they become one is counted right`, async (world) => {
      const { db } = world.server.app.services;
      const moved = await paste(world, tags);
      await paste(world, ['into']);
      const isBack = name === 'comes out of the trash';
      if (isBack) await call(world, 'DELETE', `/paste/get/${moved}`);
      const { owner_id } = await db.read('pastes').where('unique_id', moved).first('owner_id');
      let answer: ReturnType<typeof move> | undefined;
      await db.write(async (trx) => {
        const locked = await lockTags(db, trx, owner_id, ['from', 'into']);
        const idOf = (key: string) => found(locked.find((tag) => tag.key === key) ?? null).id;
        await takeTagFromSome(db, trx, idOf('from'), idOf('into'), 1_000);
        await replaceTag(trx, idOf('from'), idOf('into'));
        answer = move(world, moved);
        await overOrWaiting(db, answer);
      });
      assert.is((await answer)?.status, 200);
      assert.equal(await counts(world), [isBack ? 'into 2' : 'into 1']);
    });

test.run();
