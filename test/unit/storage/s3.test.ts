import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BlobMissing, type BlobStore, BlobStoreUnavailable } from '../../../routers/base/ports/storage.js';
import { openBlobStore } from '../../../server/drivers/storage/index.js';
import { S3Client, type S3Location } from '../../../server/drivers/storage/s3/client.js';
import { createS3Store } from '../../../server/drivers/storage/s3/index.js';
import { headObject, removeObject } from '../../../server/drivers/storage/s3/objects.js';
import { S3Forbidden } from '../../../server/drivers/storage/s3/permissions.js';
import { S3Refused } from '../../../server/drivers/storage/s3/refused.js';
import { blobStoreSuite, chunked, failure, sha256 } from '../../suites/blob-store.js';
import { partStoreSuite } from '../../suites/part-store.js';
import { type FaultyLine, faultyLine, ownBucket, testBucket } from '../../support/stores/object-store.js';

const NO_LIMIT = { maxBytes: Number.MAX_SAFE_INTEGER };
const ABSENT = '0'.repeat(64);

const bucket = testBucket();
if (bucket !== null) {
  blobStoreSuite('s3', async () => {
    const stagingDir = await mkdtemp(join(tmpdir(), 'holdall-s3-'));
    const store = await createS3Store({ ...bucket, stagingDir });
    return { store, stagingDir, dispose: () => rm(stagingDir, { recursive: true }) };
  });
  s3Suite(bucket);
}
const own = await ownBucket();
if (own !== null)
  partStoreSuite('s3', async () => {
    const stagingDir = await mkdtemp(join(tmpdir(), 'holdall-s3-'));
    const store = await createS3Store({ ...own, stagingDir });
    return { store, stagingDir, dispose: () => rm(stagingDir, { recursive: true }) };
  });

function s3Suite(location: S3Location): void {
  const test = suite('s3 store');
  let stagingDir: string;
  let line: FaultyLine;
  let store: BlobStore;
  const stored = new Set<string>();

  test.before.each(async () => {
    stagingDir = await mkdtemp(join(tmpdir(), 'holdall-s3-'));
    line = await faultyLine(location.endpoint);
    store = await openWith(5000);
  });
  test.after.each(async () => {
    line.fault = () => 'none';
    for (const hash of stored) await store.remove(hash);
    stored.clear();
    await line.close();
    await rm(stagingDir, { recursive: true });
  });

  const openWith = (idleTimeoutMs: number) =>
    createS3Store({ ...location, endpoint: line.url, idleTimeoutMs, stagingDir });
  const strays = () => readdir(stagingDir);
  const stage = (bytes: Buffer) => store.stage(chunked(bytes), NO_LIMIT);
  async function put(bytes: Buffer): Promise<string> {
    const staged = await stage(bytes);
    stored.add(staged.sha256);
    await staged.commit();
    await staged.discard();
    return staged.sha256;
  }
  const sent = (method: string) => line.seen.filter((entry) => entry.startsWith(`${method} `)).length;
  const uploadsUnderWay = async () => {
    const query = { uploads: '', prefix: 'blobs/' };
    return (await new S3Client(location).text({ method: 'GET', key: '', query })).match(/<Upload>/g) ?? [];
  };

  test('the configuration opens this store, with staging below DATA_DIR', async () => {
    const opened = await openBlobStore({
      places: ['s3'],
      dataDir: stagingDir,
      s3: { ...location, publicEndpoint: null, redirect: false, adoptPrefix: null },
    });
    assert.is(opened.location, 'S3');
    await opened.check();
    assert.equal(await strays(), ['staging']);
  });

  test('the check names every permission that the key lacks, and removes what it stored', async () => {
    for (const [permission, isRefused] of [
      ['s3:PutObject', (method) => method === 'PUT'],
      ['s3:GetObject', (method) => method === 'GET'],
      // Servers do not tell whether an object exists to those who may not list them.
      ['s3:ListBucket', (method, path) => path.includes('list-type') || method === 'HEAD'],
      ['s3:ListBucketMultipartUploads', (_, path) => path.includes('uploads')],
      ['s3:DeleteObject', (method) => method === 'DELETE'],
    ] as const satisfies readonly (readonly [string, (method: string, path: string) => boolean])[]) {
      line.fault = (method, path) => (isRefused(method, path) ? 'forbidden' : 'none');
      const error = await failure(store.check());
      assert.instance(error, S3Forbidden);
      assert.match(error.message, new RegExp(`${permission}( |$)`));
    }
    const client = new S3Client(location);
    const lastStored = () =>
      line.seen.findLast((entry) => entry.startsWith('PUT '))?.match(/check\/[\w-]+/)?.[0] ?? '';
    await removeObject(client, lastStored());
    line.fault = () => 'none';
    await store.check();
    assert.is(await headObject(client, lastStored()), null);
    line.seen.length = 0;
    await store.check();
    assert.is(line.seen.length, 2);
  });

  test('presigned URLs name the public address of the server, and are valid there', async () => {
    const open = await createS3Store({ ...location, publicEndpoint: line.url, stagingDir });
    const hash = await put(Buffer.from('hello'));
    const options = { contentType: 'text/plain', contentDisposition: 'inline', expiresInSeconds: 60 };
    const { url = '' } = (await open.direct?.presignGet(hash, options)) ?? {};
    assert.is(new URL(url).origin, line.url);
    line.seen.length = 0;
    assert.is(await (await fetch(url)).text(), 'hello');
    assert.is(sent('GET'), 1);
  });

  test('content that is already stored is not sent again', async () => {
    const bytes = randomBytes(1000);
    await put(bytes);
    assert.is(sent('PUT'), 1);
    await put(bytes);
    assert.is(sent('PUT'), 1);
  });

  test('content that was stored long ago gets a new date on the server', async () => {
    for (const bytes of [randomBytes(1000), randomBytes(17_000_000)]) {
      await put(bytes);
      line.fault = (method) =>
        method === 'HEAD' ? { header: 'last-modified', value: new Date(0).toUTCString() } : 'none';
      line.seen.length = 0;
      await put(bytes);
      line.fault = () => 'none';
      assert.is(sent('PUT'), 1);
      assert.is(sent('POST'), 0);
      assert.ok(bytes.equals(await store.read(sha256(bytes))));
    }
  });

  test('a temporary server error is retried without notice', async () => {
    const bytes = randomBytes(1000);
    for (const method of ['HEAD', 'PUT', 'GET', 'DELETE']) {
      let left = 2;
      line.fault = (used) => (used === method && left-- > 0 ? 'server error' : 'none');
      const hash = await put(bytes);
      assert.ok(bytes.equals(await store.read(hash)));
      await store.remove(hash);
      assert.is(await store.stat(hash), null);
    }
  });

  for (const fault of ['server error', 'silence', 'lost answer'] as const) {
    test(`a server that keeps failing (${fault}) is unavailable, after a bounded number of attempts`, async () => {
      const hash = await put(randomBytes(1000));
      if (fault === 'silence') store = await openWith(200);
      const staged = await stage(randomBytes(1000));
      line.fault = () => fault;
      line.seen.length = 0;
      const work = [store.stat(hash), store.open(hash), store.read(hash), store.remove(hash), store.check()];
      for (const error of await Promise.all([...work, staged.commit()].map(failure))) {
        assert.instance(error, BlobStoreUnavailable);
      }
      assert.ok(line.seen.length <= 3 * 7, `${line.seen.length} requests`);
      await staged.discard();
      assert.equal(await strays(), []);
    });
  }

  test('an unreachable server is unavailable', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    server.close();
    await once(server, 'close');
    const away = await createS3Store({ ...location, endpoint: `http://127.0.0.1:${port}`, stagingDir });
    assert.instance(await failure(away.stat(ABSENT)), BlobStoreUnavailable);
    assert.instance(await failure(away.check()), BlobStoreUnavailable);
  });

  test('wrong credentials are refused at once, and are not reported as unavailable', async () => {
    const wrong = { ...location, endpoint: line.url, secretAccessKey: 'wrong' };
    const other = await createS3Store({ ...wrong, stagingDir });
    const error = await failure(other.check());
    assert.instance(error, S3Refused);
    assert.is((error as S3Refused).status, 403);
    assert.is(line.seen.length, 1);
    assert.equal(await strays(), []);
  });

  for (const fault of ['cut at half', 'stall at half'] as const) {
    test(`an answer that is ${fault} fails the reader with an error`, async () => {
      const bytes = randomBytes(2_000_000);
      const hash = await put(bytes);
      if (fault === 'stall at half') store = await openWith(500);
      line.fault = (method) => (method === 'GET' ? fault : 'none');
      assert.instance(await failure(store.read(hash)), BlobStoreUnavailable);
      const reader = await store.open(hash, { start: 1000, end: 1_500_000 });
      let got = 0;
      const error = await failure(
        (async () => {
          for await (const chunk of reader) got += chunk.length;
        })(),
      );
      assert.instance(error, BlobStoreUnavailable);
      assert.ok(got < 1_499_000, `${got} bytes`);
    });
  }

  test('reading a whole blob times out if the bytes only trickle', async () => {
    const hash = await put(randomBytes(20_000));
    store = await openWith(500);
    line.fault = (method) => (method === 'GET' ? 'trickle' : 'none');
    assert.instance(await failure(store.read(hash)), BlobStoreUnavailable);
  });

  test('a server that returns no ETag for an upload is not accepted as an object store', async () => {
    const staged = await stage(randomBytes(1000));
    line.fault = (method) => (method === 'PUT' ? { say: 'welcome' } : 'none');
    assert.instance(await failure(staged.commit()), BlobStoreUnavailable);
    await staged.discard();
  });

  test('a server that ignores the range is detected', async () => {
    const hash = await put(randomBytes(1000));
    line.fault = () => ({ say: 'everything' });
    assert.instance(await failure(store.open(hash, { start: 3, end: 5 })), BlobStoreUnavailable);
  });

  test('an answer that says nothing of an object is no proof that it is gone', async () => {
    const writer = await store.parts.open({ start: 0, last: null, settled: true });
    await writer.write(Buffer.from('durable'));
    const [last] = await writer.sync();
    await writer.close();
    if (last === undefined) throw new Error('nothing was stored');
    line.fault = (method) => (method === 'HEAD' ? { say: '' } : 'none');
    assert.instance(await failure(store.parts.open({ start: 7, last, settled: true })), BlobStoreUnavailable);
    assert.instance(await failure(store.stat(ABSENT)), BlobStoreUnavailable);
    line.fault = () => 'none';
    await store.parts.remove([last.key]);
    assert.is((await failure(store.parts.open({ start: 7, last, settled: true }))).name, 'BlobMissing');
  });

  test('a slow reader is not cut off', async () => {
    const bytes = randomBytes(20_000_000);
    const hash = await put(bytes);
    const reader = await (await openWith(4000)).open(hash);
    const first = await once(reader, 'readable').then(() => reader.read() as Buffer);
    await sleep(4500);
    const rest = await buffer(reader);
    assert.ok(bytes.equals(Buffer.concat([first, rest])));
  });

  test('stalled readers block further streaming readers only', async () => {
    const most = 3;
    const hash = await put(randomBytes(20_000_000));
    const [small, fresh] = [randomBytes(1000), randomBytes(1000)];
    const known = await put(small);
    store = await createS3Store({ ...location, mostReaders: most, stagingDir });
    const { direct } = store;
    assert.ok(direct);
    const readers = await Promise.all(Array.from({ length: most }, () => store.open(hash)));
    assert.instance(await failure(store.open(hash)), BlobStoreUnavailable);
    assert.instance(await failure(store.copy(known, async () => undefined)), BlobStoreUnavailable);
    assert.ok(small.equals(await store.read(known)));
    assert.ok(small.equals(await store.lend(known, (path) => readFile(path))));
    assert.equal(await store.stat(known), { size: small.length });
    const added = await put(fresh);
    await store.remove(added);
    await store.check();
    assert.instance(await failure(direct.openReserved(randomUUID())), BlobMissing);
    readers.pop()?.destroy();
    assert.ok(small.equals(await buffer(await store.open(known))));
    for (const reader of readers) reader.destroy();
  });

  test('a large blob is uploaded in parts', async () => {
    const bytes = randomBytes(40_000_000);
    const hash = await put(bytes);
    assert.is(sent('PUT'), 3);
    assert.ok(bytes.equals(await store.read(hash)));
    assert.ok(
      bytes
        .subarray(16_777_210, 16_777_220)
        .equals(await buffer(await store.open(hash, { start: 16_777_210, end: 16_777_220 }))),
    );
  });

  test('a large upload that fails leaves neither parts nor staged bytes', async () => {
    const bytes = randomBytes(40_000_000);
    for (const fault of ['server error', { say: '<Error><Code>InternalError</Code></Error>' }] as const) {
      line.fault = (method, path) => {
        const inPart = path.includes('partNumber=2');
        const atEnd = method === 'POST' && path.includes('uploadId=');
        return (fault === 'server error' ? inPart : atEnd) ? fault : 'none';
      };
      const staged = await stage(bytes);
      assert.instance(await failure(staged.commit()), Error);
      await staged.discard();
      assert.is(await store.stat(staged.sha256), null);
      assert.is((await uploadsUnderWay()).length, 0);
      assert.equal(await strays(), []);
    }
  });

  test('an upload whose last answer is lost still succeeds', async () => {
    const bytes = randomBytes(17_000_000);
    line.fault = (method, path) => (method === 'POST' && path.includes('uploadId=') ? 'lost answer' : 'none');
    assert.ok(bytes.equals(await store.read(await put(bytes))));
  });

  test('sweepStaging aborts uploads that a dead process left behind', async () => {
    const client = new S3Client(location);
    await client.run({ method: 'POST', key: `blobs/${ABSENT}`, query: { uploads: '' } });
    assert.is(await store.sweepStaging(3_600_000), 0);
    assert.is((await uploadsUnderWay()).length, 1);
    assert.is(await store.sweepStaging(-60_000), 1);
    assert.is((await uploadsUnderWay()).length, 0);
  });

  test('a presigned PUT accepts only the promised type and length', async () => {
    const { direct } = store;
    assert.ok(direct);
    const key = randomUUID();
    const bytes = randomBytes(5000);
    const before = Date.now();
    const { url, expiresAt } = await direct.presignPut(key, {
      contentType: 'image/png',
      size: bytes.length,
      expiresInSeconds: 60,
    });
    assert.ok(Math.abs(expiresAt - before - 60_000) < 30_000);
    const type = (value: string) => ({ 'content-type': value });
    assert.is((await fetch(url, { method: 'PUT', body: bytes, headers: type('text/html') })).status, 403);
    const longer = Buffer.concat([bytes, bytes]);
    assert.is((await fetch(url, { method: 'PUT', body: longer, headers: type('image/png') })).status, 403);
    assert.instance(await failure(direct.openReserved(key)), BlobMissing);
    assert.is((await fetch(url, { method: 'PUT', body: bytes, headers: type('image/png') })).status, 200);
    assert.ok(bytes.equals(await buffer(await direct.openReserved(key))));
    const keys = [];
    for await (const reserved of direct.listReserved()) keys.push(reserved.key);
    assert.ok(keys.includes(key));
    for await (const blob of store.list()) assert.is.not(blob.sha256, key);
    await direct.removeReserved(key);
    await direct.removeReserved(key);
    assert.instance(await failure(direct.openReserved(key)), BlobMissing);
  });

  test('a reserved key cannot name anything else', async () => {
    const { direct } = store;
    assert.ok(direct);
    for (const key of ['', '../blobs/x', 'a/b', '%2e%2e', 'x'.repeat(200)]) {
      assert.instance(await failure(direct.openReserved(key)), TypeError);
      const options = { contentType: 'image/png', size: 1, expiresInSeconds: 60 };
      assert.instance(await failure(direct.presignPut(key, options)), TypeError);
    }
  });

  test('a presigned GET answers with the pinned type and disposition, and with no other', async () => {
    const { direct } = store;
    assert.ok(direct);
    const bytes = randomBytes(5000);
    const hash = await put(bytes);
    const contentDisposition = `attachment; filename="a + b (1).png"; filename*=UTF-8''na%C3%AFve%20(1)%2B!*.png`;
    const { url } = await direct.presignGet(hash, {
      contentType: 'image/png; a=b',
      contentDisposition,
      expiresInSeconds: 60,
    });
    const answer = await fetch(url);
    assert.is(answer.status, 200);
    assert.is(answer.headers.get('content-type'), 'image/png; a=b');
    assert.is(answer.headers.get('content-disposition'), contentDisposition);
    assert.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())));
    assert.is((await fetch(url.replace('attachment', 'inline'))).status, 403);
    assert.is((await fetch(url.replace('image%2Fpng', 'text%2Fhtml'))).status, 403);
    assert.is((await fetch(url, { method: 'PUT', body: 'x' })).status, 403);
    assert.is((await fetch(url.replace(hash, ABSENT))).status, 403);
  });

  test('without path style the bucket is part of the host name, and is signed as such', async () => {
    const endpoint = location.endpoint.replace('127.0.0.1', 'localhost');
    const hosted = await createS3Store({ ...location, endpoint, forcePathStyle: false, stagingDir });
    const hash = await put(randomBytes(100));
    const options = { contentType: 'image/png', contentDisposition: 'inline', expiresInSeconds: 60 };
    const url = new URL((await hosted.direct?.presignGet(hash, options))?.url ?? '');
    assert.is(url.hostname, `${location.bucket}.localhost`);
    assert.is(url.pathname, `/blobs/${hash}`);
    const asked = request(location.endpoint + url.pathname + url.search, {
      headers: { host: url.host },
    }).end();
    const [answer] = await once(asked, 'response');
    answer.resume();
    assert.is(answer.statusCode, 200);
  });

  test.run();
}
