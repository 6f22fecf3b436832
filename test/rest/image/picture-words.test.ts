// on both databases
/** Words in pictures: one switch, their owner alone, never in what must not be read, and nothing left once it is off. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { query } from '../../../db/engine/query.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { ageFile, newKey } from '../../support/content/sealed.js';
import { screen } from '../../support/media/screens.js';
import { until } from '../../support/until.js';

interface World {
  server: TestServer;
  user: TestAccount;
}
const test = suite<World>('words in pictures');
test.before(async (world) => {
  world.server = await startServer({});
});
test.before.each(async (world) => {
  world.user = await world.server.account();
});
test.after(({ server }) => server.close());

const ok = async (answer: ReturnType<TestServer['request']>) => {
  const { status, body } = await answer;
  assert.ok(status === 200 || status === 204, JSON.stringify(body));
  return body;
};
const settle = ({ server }: World) => server.app.services.jobs.settle();
const set = async (world: World, languages: string | null) => {
  await ok(
    world.server.request('PATCH', '/admin/settings', {
      key: world.server.owner.key,
      json: { OCR: languages },
    }),
  );
  const db = world.server.app.services.db.read;
  const marked = () => query(db, "SELECT 1 FROM word_fill WHERE source = 'picture'");
  await until(async () => (await marked()).length === (languages === null ? 0 : 1));
  await settle(world);
};
const upload = async ({ server, user }: World, bytes: Buffer, fields: Record<string, string> = {}) => {
  const form = fileForm(bytes, 'screen.png', fields);
  return (await ok(server.request('POST', '/image/upload', { key: user.key, form }))).uniqueId as string;
};
const words = async ({ server, user }: World, id: string, key: string | undefined = user.key) =>
  (await ok(server.request('GET', `/image/info/${id}`, { ...(key && { key }) }))).message.words;
async function found({ server, user }: World, search: string) {
  const path = `/user/get/@me/items?search=${encodeURIComponent(search)}`;
  return (await ok(server.request('GET', path, { key: user.key }))).message.content;
}
/** Pictures of the user of which words are kept. */
const left = async ({ server, user }: World) =>
  (
    await query(
      server.app.services.db.read,
      `SELECT 1 FROM image_words w JOIN images i ON i.id = w.image_id JOIN users u ON u.id = i.owner_id
       WHERE w.source = 'picture' AND u.username = ?`,
      [user.username],
    )
  ).length;

const { png, words: known } = await screen(0, 20);
const [word = ''] = known.filter((one) => one.length > 5);

test('a language that is not installed is refused, as a setting and at the start', async ({ server }) => {
  const asked = { key: server.owner.key, json: { OCR: 'eng,xyz' } };
  const { status, body } = await server.request('PATCH', '/admin/settings', asked);
  assert.is(status, 400);
  assert.match(body.message, 'OCR: the language xyz is not installed');
  await startServer({ OCR: 'xyz' }).then(
    async (other) => {
      await other.close();
      assert.unreachable();
    },
    (error: Error) => assert.match(error.message, 'xyz'),
  );
});

test('older pictures are read once it is on, newer ones as they come, and none is left once it is off', async (world) => {
  const old = await upload(world, png);
  await settle(world);
  assert.is(await words(world, old), null);
  assert.equal(await found(world, word), []);

  await set(world, 'eng');
  const recent = await upload(world, png);
  await settle(world);
  const { text, boxes } = await words(world, recent);
  assert.ok(text.includes(word), text);
  for (const { x, y, width, height } of boxes)
    assert.ok(x >= 0 && y >= 0 && width > 0 && x + width <= 1440 && height > 0 && y + height <= 900);
  const hits = await found(world, word);
  assert.equal(hits.map(({ uniqueId }: { uniqueId: string }) => uniqueId).sort(), [old, recent].sort());
  const [{ found: place }] = hits;
  assert.equal([place.width, place.height], [1440, 900]);
  assert.is(place.boxes[0].text.toLowerCase(), word.toLowerCase());

  const other = await world.server.account();
  assert.is(await words(world, recent, other.key), null);
  assert.is(await words(world, recent, world.server.owner.key), null);

  await set(world, null);
  assert.is(await left(world), 0);
  assert.equal(await found(world, word), []);
  assert.is(await words(world, recent), null);
});

test('what is limited in its views is never read; a picture without words has none', async (world) => {
  await set(world, 'eng');
  const burning = await upload(world, png, { maxViews: '3' });
  const blank = await upload(world, (await screen(1, 0)).png);
  await settle(world);
  assert.is(await words(world, burning), null);
  assert.equal(await words(world, blank), { text: '', boxes: [] });
  assert.equal(await found(world, word), []);
  await set(world, null);
});

test('what is sealed or in quarantine is never read, neither as it comes nor with older ones', async (world) => {
  const { recipient } = await newKey();
  const sealed = async () => upload(world, await ageFile(recipient, png), { sealed: 'true' });
  const held = await upload(world, png);
  const { db } = world.server.app.services;
  await db.write((trx) => trx('images').where('unique_id', held).update({ quarantine: 'reported' }));
  const older = await sealed();
  await set(world, 'eng');
  const recent = await sealed();
  await settle(world);
  assert.is(await left(world), 0);
  for (const id of [held, older, recent]) assert.is(await words(world, id), null);
  assert.equal(await found(world, word), []);
  await set(world, null);
});

test('who does not want it has no words, those from before included, and gets them back', async (world) => {
  await set(world, 'eng');
  const id = await upload(world, png);
  await settle(world);
  const { server, user } = world;
  const change = (ocr: boolean) =>
    ok(server.request('PATCH', '/user/get/@me/settings/media', { key: user.key, json: { ocr } }));
  await change(false);
  await settle(world);
  assert.equal([await words(world, id), await found(world, word), await left(world)], [null, [], 0]);
  const { message } = await ok(server.request('GET', '/user/get/@me/settings/media', { key: user.key }));
  assert.equal(message, { metadata: 'strip', ocr: false });
  await upload(world, png);
  await settle(world);
  assert.is(await left(world), 0);
  await change(true);
  await settle(world);
  assert.is((await found(world, word)).length, 2);
  await set(world, null);
});

test('words go with the bytes they were read in', async (world) => {
  await set(world, 'eng');
  const id = await upload(world, png);
  await settle(world);
  const form = fileForm((await screen(1, 0)).png, 'screen.png');
  await ok(world.server.request('PUT', `/image/get/${id}`, { key: world.user.key, form }));
  assert.equal([await words(world, id), await found(world, word)], [null, []]);
  await settle(world);
  await ok(world.server.request('DELETE', `/image/get/${id}?permanent=true`, { key: world.user.key }));
  assert.is(await left(world), 0);
  await set(world, null);
});

test.run();
