// on both databases
/** Words of documents: their owner finds them, nobody else does, and they go with the bytes that had them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { query } from '../../../db/engine/query.js';
import { readAsSet } from '../../../routers/features/image/words.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { docx, pdf } from '../../support/media/documents.js';

interface World {
  server: TestServer;
  user: TestAccount;
}
const test = suite<World>('words of documents');
test.before(async (world) => {
  world.server = await startServer({ TRASH_DAYS: '7' });
});
test.before.each(async (world) => {
  world.user = await world.server.account();
});
test.after(({ server }) => server.close());

const ok = async (answer: ReturnType<TestServer['request']>) => {
  const { status, body } = await answer;
  assert.is(status, 200, JSON.stringify(body));
  return body;
};
const settle = ({ server }: World) => server.app.services.jobs.settle();

async function upload(world: World, bytes: Buffer, name: string, fields: Record<string, string> = {}) {
  const form = fileForm(bytes, name, fields);
  const made = await ok(world.server.request('POST', '/image/upload', { key: world.user.key, form }));
  await settle(world);
  return made.uniqueId as string;
}
async function found({ server, user }: World, search: string, key = user.key) {
  const path = `/user/get/@me/items?search=${encodeURIComponent(search)}`;
  const { message } = await ok(server.request('GET', path, { key }));
  return message.content as { uniqueId: string; snippet: { text: string; marks: number[][] } | null }[];
}
const ids = async (world: World, search: string) =>
  (await found(world, search)).map(({ uniqueId }) => uniqueId);
const change = ({ server, user }: World, id: string, json: object) =>
  ok(server.request('PATCH', `/image/get/${id}`, { key: user.key, json }));
const kept = async ({ server }: World) =>
  Number(
    (await query<{ n: number }>(server.app.services.db.read, 'SELECT count(*) AS n FROM image_words'))[0]?.n,
  );

test('the owner of a document finds it by its words, and sees where they are', async (world) => {
  const id = await upload(world, docx('The turbine of Köln'), 'report.docx');
  const [hit] = await found(world, 'turbine koln');
  assert.is(hit?.uniqueId, id);
  assert.match(hit?.snippet?.text ?? '', 'turbine of Köln');
  const other = await world.server.account();
  assert.equal(await found(world, 'turbine', other.key), []);
  const path = '/admin/images?search=turbine';
  const { message } = await ok(world.server.request('GET', path, { key: world.server.owner.key }));
  assert.equal(message.content, [], 'not even who administers finds it by them');
});

test('words follow their document: replaced, thrown away, restored, deleted', async (world) => {
  const id = await upload(world, pdf(['Elderberry']), 'a.pdf');
  assert.equal(await ids(world, 'elderberry'), [id]);
  const form = fileForm(pdf(['Blackcurrant']), 'a.pdf');
  await ok(world.server.request('PUT', `/image/get/${id}`, { key: world.user.key, form }));
  assert.equal(await ids(world, 'elderberry'), [], 'at once');
  await settle(world);
  assert.equal(await ids(world, 'blackcurrant'), [id]);
  await ok(world.server.request('DELETE', `/image/get/${id}`, { key: world.user.key }));
  assert.equal(await ids(world, 'blackcurrant'), []);
  const before = await kept(world);
  await ok(world.server.request('POST', `/user/get/@me/trash/image/${id}/restore`, { key: world.user.key }));
  assert.equal(await ids(world, 'blackcurrant'), [id]);
  await ok(world.server.request('DELETE', `/image/get/${id}?permanent=true`, { key: world.user.key }));
  assert.is(await kept(world), before - 1);
});

test('what is limited in its views is never read, and forgotten once it is', async (world) => {
  const id = await upload(world, docx('Gooseberry'), 'a.docx', { maxViews: '5' });
  assert.equal(await ids(world, 'gooseberry'), []);
  await change(world, id, { maxViews: null });
  await settle(world);
  assert.equal(await ids(world, 'gooseberry'), [id]);
  const before = await kept(world);
  await change(world, id, { maxViews: 3 });
  assert.equal(await ids(world, 'gooseberry'), []);
  assert.is(await kept(world), before - 1);
});

test('documents from before are read once, those that may be', async (world) => {
  const old = await upload(world, docx('Cloudberry'), 'old.docx');
  const burning = await upload(world, docx('Cloudberry'), 'burning.docx', { maxViews: '1' });
  const { db } = world.server.app.services;
  await db.write(async (trx) => {
    await query(trx, 'DELETE FROM image_words');
    await query(
      trx,
      "INSERT INTO word_fill (source, done_id, until_id) SELECT 'document', 0, max(id) FROM images",
    );
  });
  await readAsSet(world.server.app.services);
  await settle(world);
  // What was found before is found by what is read again, not by what was left in the index.
  assert.equal(await ids(world, 'cloudberry'), [old]);
  assert.is.not(await kept(world), 0);
  const [fill] = await query<{ done_id: number; until_id: number }>(db.read, 'SELECT * FROM word_fill');
  assert.is(fill?.done_id, fill?.until_id);
  assert.not.ok((await ids(world, 'cloudberry')).includes(burning));
});

test.run();
