/**
 * Images while the object store fails: clear answers, no rows, nothing left behind, and full recovery
 * afterwards.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { removeUnreferenced } from '../../../routers/core/blobs/blobs.js';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';
import { followRequests, justBefore } from '../../support/servers/interleave.js';
import { bucketEnv, type FaultyLine, faultyLine, ownBucket } from '../../support/stores/object-store.js';
import { until } from '../../support/until.js';

const bucket = await ownBucket();
const test = suite('images and a failing object store');
let server: TestServer;
let line: FaultyLine;
test.before(async () => {
  if (bucket === null) return;
  line = await faultyLine(bucket.endpoint);
  server = await startServer(bucketEnv({ ...bucket, endpoint: line.url }));
  followRequests(server.app.server);
});
test.after(async () => {
  if (bucket === null) return;
  await server.close();
  await line.close();
});
test.before.each(() => {
  if (bucket !== null) line.fault = () => 'none';
});

const upload = (bytes: Uint8Array, name = 'a.bin') =>
  server.request('POST', '/image/upload', { key: server.owner.key, form: fileForm(bytes, name) });
const rows = async () => (await server.app.services.db.read('images').count({ total: '*' }).first())?.total;
const staged = () => readdir(join(server.dataDir, 'staging'));

if (bucket !== null) {
  test('an upload that the store refuses is 503 in the envelope, leaves no row or file, and works later', async () => {
    const bytes = randomBytes(10_000);
    const before = await rows();
    line.fault = () => 'server error';
    const { status, headers, body } = await upload(bytes);
    assert.equal([status, body.error, typeof body.message, body.uniqueId], [503, true, 'string', null]);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.is(await rows(), before);
    assert.equal(await staged(), []);
    line.fault = () => 'none';
    assert.is((await upload(bytes)).status, 200);
  });

  test('many renditions of one picture fetch it only a few at a time', async () => {
    const { uniqueId } = (await upload(await jpegPhoto(1), 'a.jpg')).body;
    await server.app.services.jobs.settle();
    const blob = new RegExp(
      `/blobs/${(await server.request('GET', `/image/info/${uniqueId}`)).body.message.sha256}`,
    );
    const fetched = () =>
      line.seen.filter((request) => request.startsWith('GET') && blob.test(request)).length;
    const before = fetched();
    line.fault = (method, path) => (method === 'GET' && blob.test(path) ? 'silence' : 'none');
    const asked = [64, 128, 256, 512, 1024].flatMap((width) =>
      ['webp', 'avif', 'jpeg', 'png'].map((format) =>
        server.request('GET', `/image/get/${uniqueId}?width=${width}&format=${format}`),
      ),
    );
    await until(async () => fetched() - before >= 4);
    // By then all requests have been received and looked up.
    assert.is((await server.request('GET', `/image/info/${uniqueId}`)).status, 200);
    assert.ok(fetched() - before < 8, 'of twenty');
    line.fault = () => 'none';
    await line.cut();
    await line.mend();
    for (const { status } of await Promise.all(asked)) assert.ok([200, 503].includes(status), `${status}`);
    assert.equal(await staged(), []);
  });

  test('if bytes are removed meanwhile and the store refuses them, the answer is 503 without a row', async () => {
    const { services } = server.app;
    const bytes = randomBytes(10_000);
    const before = await rows();
    justBefore(services.db, 'write', async () => {
      await removeUnreferenced(services, [createHash('sha256').update(bytes).digest('hex')]);
      line.fault = () => 'server error';
    });
    assert.is((await upload(bytes)).status, 503);
    assert.is(await rows(), before);
    assert.equal(await staged(), []);
    line.fault = () => 'none';
    const { uniqueId } = (await upload(bytes)).body;
    const got = await fetch(`${server.base}/image/get/${uniqueId}`);
    assert.ok(bytes.equals(Buffer.from(await got.arrayBuffer())));
  });

  test('content that cannot be fetched is 503, and missing content 404', async () => {
    const { uniqueId, message } = (await upload(randomBytes(9_000_000))).body;
    line.fault = (method) => (method === 'GET' ? 'server error' : 'none');
    assert.is((await server.request('GET', `/image/get/${uniqueId}`)).status, 503);
    line.fault = () => 'none';
    await server.app.services.storage.blobs.remove(message.sha256);
    const gone = await server.request('GET', `/image/get/${uniqueId}`);
    assert.equal([gone.status, gone.body.message], [404, 'Resource not found']);
  });

  test('content cut off halfway breaks the connection and never looks complete', async () => {
    const bytes = randomBytes(9_000_000);
    const { uniqueId } = (await upload(bytes)).body;
    line.fault = (method) => (method === 'GET' ? 'cut at half' : 'none');
    const got = await fetch(`${server.base}/image/get/${uniqueId}`)
      .then(
        async (answer) => (await answer.arrayBuffer()).byteLength,
        () => 0,
      )
      .catch(() => 0);
    assert.ok(got < bytes.length);
    line.fault = () => 'none';
    const whole = await (await fetch(`${server.base}/image/get/${uniqueId}`)).arrayBuffer();
    assert.ok(bytes.equals(Buffer.from(whole)));
  });

  test('a rendition is retried and made once the store is back', async () => {
    const { uniqueId } = (await upload(await jpegPhoto(1, 500, 400), 'p.jpg')).body;
    line.fault = (method) => (method === 'PUT' ? 'server error' : 'none');
    assert.is((await server.request('GET', `/image/get/${uniqueId}?width=160`)).status, 503);
    line.fault = () => 'none';
    assert.is((await server.request('GET', `/image/get/${uniqueId}?width=160`)).status, 200);
    await server.app.services.jobs.settle();
    assert.equal(await staged(), []);
  });
}

test.run();
