// on both databases
import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keepBlobs, removeUnreferenced } from '../../routers/core/blobs/blobs.js';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { followRequests, justBefore } from '../support/servers/interleave.js';

const test = suite('bytes behind images');
let server: TestServer;
test.before(async () => {
  server = await startServer();
  followRequests(server.app.server);
});
test.after(() => server.close());

const upload = (bytes: Uint8Array, fields: Record<string, string> = {}) =>
  server.request('POST', '/image/upload', {
    key: server.owner.key,
    form: fileForm(bytes, 'file.bin', fields),
  });
const files = async (folder: string): Promise<string[]> =>
  (await readdir(join(server.dataDir, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

/** Repeats as needed: if the same bytes are being removed for too long, the client is told to retry. */
async function uploadAnyhow(bytes: Buffer) {
  for (;;) {
    const answer = await upload(bytes);
    if (answer.status !== 503) return answer;
  }
}

test('the same bytes, deleted and uploaded concurrently 200 times, are never lost once acknowledged', async () => {
  const bytes = randomBytes(2_000);
  let before = (await upload(bytes)).body.uniqueId;
  for (let round = 0; round < 200; round += 1) {
    const [deleted, ...uploaded] = await Promise.all([
      server.request('DELETE', `/image/get/${before}`, { key: server.owner.key }),
      uploadAnyhow(bytes),
      uploadAnyhow(bytes),
    ]);
    assert.is(deleted.status, 200);
    const ids = uploaded.map((answer) => {
      assert.is(answer.status, 200, answer.text);
      return answer.body.uniqueId as string;
    });
    // The hot cache must not hide bytes that the store has lost.
    const facts = await server.app.services.storage.blobs.stat(uploaded[0]?.body.message.sha256);
    assert.equal(facts, { size: bytes.length });
    const [kept = '', gone = ''] = ids;
    assert.is((await server.request('DELETE', `/image/get/${gone}`, { key: server.owner.key })).status, 200);
    const answer = await fetch(`http://127.0.0.1:${server.app.address.port}/v1/image/get/${kept}`);
    assert.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())));
    before = kept;
  }
  await server.request('DELETE', `/image/get/${before}`, { key: server.owner.key });
  assert.equal(await files('blobs'), []);
  assert.equal(await files('staging'), []);
});

test('bytes that are removed between their commit and their row are restored before the answer', async () => {
  const { services } = server.app;
  const bytes = randomBytes(3_000);
  const staged = await services.storage.blobs.stage(Readable.from([bytes]), {
    maxBytes: 10_000,
  });
  // The removal runs completely between the commit and the transaction, as another process could do it.
  const commit = async () => {
    await staged.commit();
    if (commits === 0) await removeUnreferenced(services, [staged.sha256]);
    commits += 1;
  };
  let commits = 0;
  await keepBlobs(services, [{ ...staged, commit }], async () => undefined);
  await staged.discard();
  assert.is(commits, 2);
  assert.ok(bytes.equals(await services.storage.blobs.read(staged.sha256)));
});

test('a removal that the database fails to complete does not block new uploads of the same bytes', async () => {
  const { services } = server.app;
  const bytes = randomBytes(3_500);
  const staged = await services.storage.blobs.stage(Readable.from([bytes]), { maxBytes: 10_000 });
  await staged.commit();
  let writes = 0;
  const write: typeof services.db.write = (unit) => {
    writes += 1;
    // The first call claims the removal, the second would complete it.
    return writes === 2 ? Promise.reject(new Error('database or disk is full')) : services.db.write(unit);
  };
  const app = { ...services, db: { ...services.db, write } };
  await removeUnreferenced(app, [staged.sha256]);
  assert.is(await services.storage.blobs.stat(staged.sha256), null);
  await keepBlobs(app, [staged], async () => undefined);
  await staged.discard();
  assert.ok(bytes.equals(await services.storage.blobs.read(staged.sha256)));
});

for (const shared of [false, true]) {
  const whose = shared ? 'somebody else who brought the same keeps them' : 'nothing stays';
  test(`bytes that were removed so and cannot be restored are refused, and ${whose}`, async () => {
    const { services } = server.app;
    const bytes = randomBytes(4_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const images = async () => (await services.db.read('images').count({ total: '*' }).first())?.total;
    const before = Number(await images());
    let other = '';
    justBefore(services.db, 'write', async () => {
      await removeUnreferenced(services, [sha256]);
      // With a wished id, because others wait for the write that is under way.
      if (shared) other = (await upload(bytes, { uniqueId: 'also-mine' })).body.uniqueId;
      for (const file of await files('staging')) await rm(join(server.dataDir, 'staging', file));
    });
    const refused = await upload(bytes);
    assert.equal([refused.status >= 500, refused.body.error], [true, true]);
    assert.is(Number(await images()), before + Number(shared));
    assert.is((await files('blobs')).includes(sha256), shared);
    assert.equal(await files('staging'), []);
    const named = await services.db.read('blobs').select('refs').where({ sha256 });
    assert.equal(
      named.map(({ refs }) => refs),
      shared ? [1] : [],
    );
    const { uniqueId } = (await upload(bytes)).body;
    for (const id of shared ? [uniqueId, other] : [uniqueId]) {
      const got = await fetch(`${server.base}/image/get/${id}`);
      assert.ok(bytes.equals(Buffer.from(await got.arrayBuffer())));
    }
  });
}

test('of 50 uploads with one custom id one succeeds, 49 are refused, and no stray bytes remain', async () => {
  const blobsBefore = (await files('blobs')).length;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => upload(randomBytes(500), { uniqueId: 'only-one' })),
  );
  const statuses = answers.map((answer) => answer.status).sort();
  assert.equal(statuses, [200, ...Array(49).fill(400)]);
  assert.is((await files('blobs')).length, blobsBefore + 1);
  assert.equal(await files('staging'), []);
  const winner = answers.find((answer) => answer.status === 200);
  const stored = await server.request('GET', '/image/info/ONLY-ONE');
  assert.is(stored.body.message.sha256, winner?.body.message.sha256);
});

test('of 50 readers of an image with 7 views exactly 7 get it', async () => {
  const { uniqueId } = (await upload(randomBytes(900), { maxViews: '7' })).body;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => server.request('GET', `/image/get/${uniqueId}`)),
  );
  assert.is(answers.filter((answer) => answer.status === 200).length, 7);
  assert.is(answers.filter((answer) => answer.status === 404).length, 43);
  const own = await server.request('GET', `/image/get/${uniqueId}`, { key: server.owner.key });
  assert.is(own.status, 200);
});

test.run();
