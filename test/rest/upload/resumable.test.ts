// on both databases
/** Uploads that arrive in several requests (contract §4, Resumable uploads), with disk and bucket storage. */
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sweep } from '../../../server/runtime/upkeep/sweep.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';
import { ownBucket } from '../../support/stores/object-store.js';
import { until } from '../../support/until.js';
import { metadataOf, pathOf, tusOf } from '../../support/uploads/tus.js';

const bucket = await ownBucket();
const MAX = 24 * 1024 * 1024;

function resumableUploads(store: string, env: Record<string, string>): void {
  const test = suite(`resumable uploads: ${store}`);
  let server: TestServer;
  let user: TestAccount;
  let tus: ReturnType<typeof tusOf>;
  test.before(async () => {
    server = await startServer({
      MAX_UPLOAD_BYTES: String(MAX),
      CORS_ORIGINS: 'https://app.example',
      ...env,
    });
    user = await server.account();
    tus = tusOf(server);
  });
  test.after(() => server.close());

  const begun = async (length: number | null, fields: Record<string, string> = {}) => {
    const answer = await tus.create(user.key, length, fields);
    assert.is(answer.status, 201, answer.text);
    return pathOf(answer);
  };
  const stored = async (uniqueId: string): Promise<Buffer> =>
    Buffer.from(
      await (
        await fetch(`${server.base}/image/get/${uniqueId}`, { headers: { 'x-api-key': user.key } })
      ).arrayBuffer(),
    );
  const offsetOf = async (path: string) => Number((await tus.head(path)).headers.get('upload-offset'));
  /** The parts that have been stored since the beginning of the test. */
  let before = new Set<string>();
  const allParts = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of server.app.services.storage.blobs.parts.list()) keys.push(key);
    return keys;
  };
  const parts = async () => (await allParts()).filter((key) => !before.has(key));
  test.before.each(async () => {
    before = new Set(await allParts());
  });

  test('a file sent in parts of any size becomes an item like any upload, with its fields', async () => {
    const bytes = randomBytes(9 * 1024 * 1024 + 321);
    const path = await begun(bytes.length, {
      filename: 'räksmörgås.bin',
      filetype: 'application/octet-stream',
      private: 'true',
      desc: 'in parts',
      uniqueId: `parts-${store}`,
    });
    const cuts = [0, 1, 1000, 5 * 1024 * 1024, 5 * 1024 * 1024 + 7, bytes.length];
    for (const [index, start] of cuts.slice(0, -1).entries()) {
      assert.is(await offsetOf(path), start);
      const end = cuts[index + 1] ?? 0;
      const sent = await tus.patch(path, start, bytes.subarray(start, end));
      assert.equal([sent.status, sent.headers.get('upload-offset')], [204, String(end)]);
      assert.is(sent.headers.get('tus-resumable'), '1.0.0');
      assert.ok(Date.parse(sent.headers.get('upload-expires') ?? '') > Date.now());
    }
    const { body } = await tus.settled(path, user.key);
    const { image, ...rest } = body.message;
    assert.is(rest.state, 'done', rest.reason);
    assert.equal([rest.offset, rest.length], [bytes.length, bytes.length]);
    assert.is(body.uniqueId, `parts-${store}`);
    assert.equal(
      [image.uniqueId, image.originalName, image.description, image.isPublic, image.size],
      [`parts-${store}`, 'räksmörgås.bin', 'in parts', false, bytes.length],
    );
    assert.ok((await stored(image.uniqueId)).equals(bytes));
    await nothingLeft();
  });

  test('creation-with-upload: a small file needs one request', async () => {
    const photo = await jpegPhoto(6);
    const answer = await tus.create(user.key, photo.length, { filename: 'a.jpg' }, { body: photo });
    assert.equal([answer.status, answer.headers.get('upload-offset')], [201, String(photo.length)]);
    const { message } = (await tus.settled(pathOf(answer))).body;
    assert.equal(
      [message.state, message.image.type, message.image.urlSet.deletionUrl],
      ['done', 'jpg', undefined],
    );
  });

  test('creation-defer-length: the length may be said with any part, and never changes', async () => {
    const path = await begun(null);
    const head = await tus.head(path);
    assert.equal([head.headers.get('upload-defer-length'), head.headers.get('upload-length')], ['1', null]);
    assert.is((await tus.patch(path, 0, Buffer.from('abc'))).status, 204);
    assert.is((await tus.patch(path, 3, Buffer.from('d'), { 'upload-length': '2' })).status, 400);
    assert.is((await tus.patch(path, 3, Buffer.from('d'), { 'upload-length': '6' })).status, 204);
    assert.is((await tus.patch(path, 4, Buffer.from('e'), { 'upload-length': '7' })).status, 400);
    assert.is((await tus.patch(path, 4, Buffer.from('efg'))).status, 413);
    assert.is(await offsetOf(path), 4);
    assert.is((await tus.patch(path, 4, Buffer.from('ef'))).status, 204);
    const { message } = (await tus.settled(path)).body;
    assert.equal([message.state, message.image.size], ['done', 6]);
  });

  test('creation-defer-length: an upload has a length, or says that it comes later, not both', async () => {
    const both = { headers: { 'upload-defer-length': '1' } };
    assert.is((await tus.create(user.key, 3, {}, both)).status, 400);
    const neither = await tus.create(user.key, null, {}, { headers: { 'upload-defer-length': '0' } });
    assert.is(neither.status, 400);
  });

  test('creation-defer-length: the length may be said when everything has arrived', async () => {
    const path = await begun(null, { filename: 'late.txt' });
    assert.is((await tus.patch(path, 0, Buffer.from('abc'))).status, 204);
    assert.is((await tus.patch(path, 3, Buffer.alloc(0), { 'upload-length': '3' })).status, 204);
    assert.is((await tus.settled(path)).body.message.state, 'done');
  });

  test('409: bytes that do not begin where the upload ends are refused and change nothing', async () => {
    const path = await begun(10);
    for (const offset of [1, 9, 10, 11])
      assert.is((await tus.patch(path, offset, Buffer.from('x'))).status, 409);
    assert.is((await tus.patch(path, 0, Buffer.from('hello'))).status, 204);
    assert.is((await tus.patch(path, 0, Buffer.from('hello'))).status, 409);
    assert.is(await offsetOf(path), 5);
  });

  test('460: bytes that do not match their checksum are discarded, those that do are kept', async () => {
    const bytes = randomBytes(9 * 1024 * 1024);
    const path = await begun(bytes.length);
    const sumOf = (name: string, of: Uint8Array) => `${name} ${createHash(name).update(of).digest('base64')}`;
    const first = bytes.subarray(0, 1000);
    for (const name of ['sha256', 'sha1']) {
      const wrong = { 'upload-checksum': sumOf(name, bytes.subarray(1)) };
      assert.is((await tus.patch(path, 0, first, wrong)).status, 460);
    }
    for (const unusable of ['md5 AAAA', 'sha1', 'sha256 ***'])
      assert.is((await tus.patch(path, 0, first, { 'upload-checksum': unusable })).status, 400);
    assert.is(await offsetOf(path), 0);
    await nothingLeft();
    assert.is((await tus.patch(path, 0, first, { 'upload-checksum': sumOf('sha256', first) })).status, 204);
    const rest = bytes.subarray(1000);
    assert.is((await tus.patch(path, 1000, rest, { 'upload-checksum': sumOf('sha1', first) })).status, 460);
    assert.is((await tus.patch(path, 1000, rest, { 'upload-checksum': sumOf('sha1', rest) })).status, 204);
    const { image } = (await tus.settled(path, user.key)).body.message;
    assert.ok((await stored(image.uniqueId)).equals(bytes));
  });

  /** Sends the beginning of a part and leaves its connection open. */
  const half = (path: string, announced: number, bytes: Uint8Array) => {
    const sending = request(`${server.base}${path}`, {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': String(announced),
      },
    });
    const over = new Promise<void>((resolve) => {
      sending.on('error', () => resolve());
      sending.on('response', (response) => response.resume().on('end', () => resolve()));
    });
    sending.write(bytes);
    return { sending, over };
  };

  /** The bytes of an upload are removed after its outcome is known. */
  const nothingLeft = () => until(async () => (await parts()).length === 0);
  const isHeld = async (): Promise<boolean> => {
    const { db } = server.app.services;
    return (await db.read('uploads').whereNotNull('lock_token').select('id')).length > 0;
  };

  /** More than the kernel holds for a server that does not read. */
  const MUCH = Buffer.alloc(20 * 1024 * 1024, 'a');

  test('a part that breaks off keeps the bytes that arrived', async () => {
    const path = await begun(MUCH.length + 3);
    const { sending, over } = half(path, MUCH.length + 3, MUCH);
    await new Promise((sent) => sending.write(Buffer.from('b'), sent));
    sending.destroy();
    await over;
    await until(async () => !(await isHeld()));
    const offset = await offsetOf(path);
    assert.ok(offset > 0);
    const whole = Buffer.concat([MUCH, Buffer.from('bcd')]);
    assert.is((await tus.patch(path, offset, whole.subarray(offset))).status, 204);
    const { image } = (await tus.settled(path, user.key)).body.message;
    assert.ok((await stored(image.uniqueId)).equals(whole));
  });

  test('a newer part ends an older one whose client is gone, and continues behind it', async () => {
    const path = await begun(2000);
    const old = half(path, 2000, Buffer.alloc(700, 'a'));
    await until(isHeld);
    assert.ok([204, 409].includes((await tus.patch(path, 0, Buffer.from('aaa'))).status));
    await old.over;
    const offset = await offsetOf(path);
    assert.ok(offset <= 700);
    const rest = Buffer.concat([Buffer.alloc(700, 'a'), Buffer.alloc(1300, 'b')]).subarray(offset);
    assert.is((await tus.patch(path, offset, rest)).status, 204);
    const { image } = (await tus.settled(path, user.key)).body.message;
    assert.is((await stored(image.uniqueId)).toString(), 'a'.repeat(700) + 'b'.repeat(1300));
  });

  test('of many overlapping parts each byte is counted once', async () => {
    const bytes = randomBytes(300_000);
    const path = await begun(bytes.length);
    for (let offset = 0; offset < bytes.length; ) {
      const statuses = await Promise.all(
        Array.from({ length: 6 }, () =>
          tus.patch(path, offset, bytes.subarray(offset, offset + 100_000)).then(({ status }) => status),
        ),
      );
      assert.ok(
        statuses.every((status) => [204, 409, 423].includes(status)),
        statuses.join(),
      );
      offset = await offsetOf(path);
    }
    const { image } = (await tus.settled(path, user.key)).body.message;
    assert.ok((await stored(image.uniqueId)).equals(bytes));
  });

  test('of three parts at once for one place exactly one is stored, and each of the others is answered', async () => {
    for (let round = 0; round < 40; round++) {
      const bytes = randomBytes(1024 << (round % 11));
      const path = await begun(bytes.length * 2);
      for (const offset of [0, bytes.length]) {
        const all = await Promise.all([1, 2, 3].map(() => tus.patch(path, offset, bytes)));
        const statuses = all.map(({ status }) => status);
        assert.is(statuses.filter((status) => status === 204).length, 1, statuses.join());
        assert.ok(
          statuses.every((status) => [204, 409, 423].includes(status)),
          statuses.join(),
        );
      }
      const { image } = (await tus.settled(path, user.key)).body.message;
      assert.ok((await stored(image.uniqueId)).equals(Buffer.concat([bytes, bytes])));
    }
  });

  test('413: a part that says no length ends where the upload does, and changes nothing', async () => {
    const path = await begun(10);
    const chunked = (offset: number, ...chunks: readonly string[]) =>
      server.request('PATCH', path, {
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'upload-offset': String(offset) },
          'content-type': 'application/offset+octet-stream',
        },
        body: Readable.toWeb(Readable.from(chunks.map((chunk) => Buffer.from(chunk)))) as BodyInit,
      });
    const more = await chunked(0, '1234', '567', '89012');
    assert.equal([more.status, more.body.message], [413, 'These are more bytes than announced']);
    assert.is(await offsetOf(path), 0);
    await nothingLeft();
    assert.is((await chunked(0, '1234', '567')).status, 204);
    assert.is((await chunked(7, '8901')).status, 413);
    assert.is(await offsetOf(path), 7);
    assert.is((await chunked(7, '89', '0')).status, 204);
    const { image } = (await tus.settled(path, user.key)).body.message;
    assert.is((await stored(image.uniqueId)).toString(), '1234567890');
  });

  test('termination: the address and the bytes are gone', async () => {
    const path = await begun(10);
    assert.is((await tus.patch(path, 0, Buffer.from('12345'))).status, 204);
    assert.is((await parts()).length, 1);
    assert.is((await tus.end(path)).status, 204);
    for (const { status } of [await tus.head(path), await tus.end(path), await tus.state(path)])
      assert.is(status, 404);
    assert.is((await tus.patch(path, 5, Buffer.from('6'))).status, 404);
    await nothingLeft();
  });

  test('an upload that no byte has reached for a day leaves nothing behind', async () => {
    const path = await begun(10);
    assert.is((await tus.patch(path, 0, Buffer.from('12345'))).status, 204);
    await server.app.services.db.write((trx) => trx('uploads').update({ expires_at: Date.now() - 1 }));
    assert.is((await tus.head(path)).status, 404);
    await sweep(server.app.services, 0);
    assert.equal(await allParts(), []);
    assert.equal(await server.app.services.db.read('uploads').select('id'), []);
    assert.equal(await readdir(join(server.dataDir, 'staging')), []);
  });

  test('parts that no record refers to are removed', async () => {
    const { parts: partStore } = server.app.services.storage.blobs;
    const writer = await partStore.open({ start: 0, last: null, settled: true });
    await writer.write(Buffer.from('stray'));
    await writer.sync();
    await writer.close();
    await sweep(server.app.services);
    assert.is((await parts()).length, 1);
    await sweep(server.app.services, -10_000);
    await nothingLeft();
  });

  test('what an upload would be refused for is refused before or after its bytes, with the reason', async () => {
    assert.is((await tus.create(undefined, 10)).status, 401);
    assert.is((await tus.create((await server.account('GUEST')).key, 10)).status, 403);
    assert.is((await tus.create(user.key, MAX + 1)).status, 413);
    assert.is((await tus.create(user.key, 0)).status, 400);
    assert.is((await tus.create(user.key, 10, { uniqueId: 'no such/id' })).status, 400);
    assert.is((await tus.create(user.key, 10, { uniqueId: `parts-${store}` })).status, 400);
    assert.is((await tus.create(user.key, 10, {}, { headers: { 'upload-length': '-1' } })).status, 400);
    assert.is((await tus.create(user.key, 10, {}, { headers: { 'upload-metadata': 'a %%%' } })).status, 400);
    const wrong = { 'upload-checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` };
    assert.is((await tus.create(user.key, 3, {}, { body: Buffer.from('abc'), headers: wrong })).status, 460);
    const text = Buffer.from('this is no picture');
    const lied = await tus.create(user.key, text.length, { filename: 'a.jpg' }, { body: text });
    const { message } = (await tus.settled(pathOf(lied))).body;
    assert.equal(
      [message.state, message.reason, message.image],
      ['failed', "The file's content does not match its name or type", undefined],
    );
    const headers = { 'accept-language': 'de' };
    const inGerman = await server.request('GET', pathOf(lied), { headers });
    assert.is(inGerman.body.message.reason, 'Der Inhalt der Datei passt nicht zu ihrem Namen oder Typ');
    assert.is(
      (await server.request('GET', pathOf(lied), { headers, key: user.key })).body.message.reason,
      message.reason,
    );
    await nothingLeft();
  });

  test('412: a request of another version is told the right one; 415: other types of bodies', async () => {
    const path = await begun(10);
    for (const headers of [{}, { 'tus-resumable': '0.2.2' }] as Record<string, string>[])
      for (const [method, at] of [
        ['POST', '/image/upload/resumable'],
        ['PATCH', path],
        ['HEAD', path],
        ['DELETE', path],
      ] as const) {
        const answer = await server.request(method, at, { key: user.key, headers });
        assert.equal([answer.status, answer.headers.get('tus-version')], [412, '1.0.0'], `${method} ${at}`);
      }
    const typed = await tus.patch(path, 0, Buffer.from('x'), { 'content-type': 'text/plain' });
    assert.equal([typed.status, typed.headers.get('tus-resumable')], [415, '1.0.0']);
  });

  test('OPTIONS tells what is spoken; pages of other origins may read all of it', async () => {
    const options = await server.request('OPTIONS', '/image/upload/resumable');
    assert.is(options.status, 204);
    assert.equal(
      ['tus-version', 'tus-max-size', 'tus-checksum-algorithm'].map((name) => options.headers.get(name)),
      ['1.0.0', String(MAX), 'sha256,sha1'],
    );
    assert.is(
      options.headers.get('tus-extension'),
      'creation,creation-with-upload,creation-defer-length,expiration,termination,checksum',
    );
    const origin = 'https://app.example';
    const preflight = await server.request('OPTIONS', '/image/upload/resumable', {
      headers: { origin, 'access-control-request-method': 'PATCH' },
    });
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /upload-offset/);
    const made = await tus.create(user.key, 10, {}, { headers: { origin } });
    assert.match(made.headers.get('access-control-expose-headers') ?? '', /Location.*Upload-Offset/);
  });

  test('X-HTTP-Method-Override: POST stands for PATCH, HEAD and DELETE', async () => {
    const path = await begun(3);
    const as = (method: string, headers: Record<string, string> = {}, body?: string) =>
      fetch(`${server.base}${path}`, {
        method: 'POST',
        headers: { 'tus-resumable': '1.0.0', 'x-http-method-override': method, ...headers },
        ...(body === undefined ? {} : { body }),
      });
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    assert.is((await as('PATCH', type, 'ab')).status, 204);
    assert.is((await as('HEAD')).headers.get('upload-offset'), '2');
    assert.is((await as('DELETE')).status, 204);
    assert.is((await tus.head(path)).status, 404);
  });

  test('400: what would change the meaning of the bytes and is not spoken here is refused before anything is stored', async () => {
    const bytes = randomBytes(1000);
    const count = async () =>
      (await server.request('GET', '/user/get/@me/items', { key: user.key })).body.count as number;
    const before = await count();
    const refused: [Record<string, string>, RegExp][] = [
      [{ 'upload-concat': 'partial' }, /Upload-Concat is not supported: send the file as one upload/],
      [
        { 'upload-concat': 'final;/v1/image/upload/resumable/a /v1/image/upload/resumable/b' },
        /Upload-Concat/,
      ],
      [{ 'upload-concat': '' }, /Upload-Concat/],
      [{ 'upload-expires': 'Wed, 25 Jun 2036 16:00:00 GMT' }, /Upload-Expires.*expiresAt/],
      [{ trailer: 'Upload-Checksum' }, /Trailer.*Upload-Checksum/],
      [{ 'x-http-method-override': 'PATCH' }, /X-HTTP-Method-Override/],
      [{ 'upload-checksum': 'crc32 AAAA' }, /Upload-Checksum/],
      [{ 'upload-defer-length': '0' }, /Upload-Length/],
      [{ 'content-range': 'bytes 0-999/3000' }, /one piece/],
    ];
    for (const [headers, text] of refused) {
      const answer = await tus.create(user.key, bytes.length, { private: 'true' }, { body: bytes, headers });
      assert.is(answer.status, 400, JSON.stringify(headers));
      assert.match(answer.body.message, text);
      assert.is(answer.headers.get('location'), null);
    }
    const path = await begun(bytes.length);
    for (const headers of [{ 'upload-concat': 'partial' }, { 'x-http-method-override': 'DELETE' }] as Record<
      string,
      string
    >[])
      assert.is((await tus.patch(path, 0, bytes, headers)).status, 400, JSON.stringify(headers));
    assert.is(await offsetOf(path), 0);
    assert.is((await tus.end(path)).status, 204);
    assert.is(await count(), before);
    assert.equal(await parts(), []);
  });

  test('HEAD answers with the metadata as it was sent, and no cache keeps it', async () => {
    const fields = { filename: 'a b.txt', filetype: 'text/plain', empty: '' };
    const head = await tus.head(await begun(10, fields));
    assert.is(head.headers.get('upload-metadata'), metadataOf(fields).trim());
    assert.equal([head.status, head.headers.get('cache-control')], [200, 'no-store']);
  });

  test('429: unfinished uploads of an account are limited by their announced size', async () => {
    const { key } = await server.account();
    const statuses = new Set<number>();
    const made: string[] = [];
    for (let left = 40; left > 0; left -= 1) {
      const answer = await tus.create(key, MAX);
      statuses.add(answer.status);
      if (answer.status === 201) made.push(pathOf(answer));
      else assert.ok(Number(answer.headers.get('retry-after')) > 0);
    }
    assert.equal([[...statuses], made.length], [[201, 429], 32]);
    assert.is((await tus.end(made[0] ?? '')).status, 204);
    assert.is((await tus.create(key, MAX)).status, 201);
  });

  test('uploads whose length is not said yet are limited, too, and by what their account may store', async () => {
    const { key, id } = await server.account();
    const made: string[] = [];
    for (
      let answer = await tus.create(key, null);
      answer.status === 201;
      answer = await tus.create(key, null)
    )
      made.push(pathOf(answer));
    assert.is(made.length, 32, 'each may become as large as any');
    const limits = { TOTAL: { storageBytes: 10 } };
    const set = await server.request('PUT', `/admin/limits/users/${id}`, {
      key: server.owner.key,
      json: { limits },
    });
    assert.is(set.status, 200, set.text);
    const [path = '', next = ''] = made;
    assert.is((await tus.patch(path, 0, Buffer.from('12345678'))).status, 204);
    const tooMany = await tus.patch(next, 0, Buffer.from('123'));
    assert.equal(
      [tooMany.status, tooMany.body.message],
      [403, 'Storage limit exceeded (used 8, requested 3, limit 10)'],
      'what its account has left, not what the server takes',
    );
    const chunked = await server.request('PATCH', next, {
      headers: {
        ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0' },
        'content-type': 'application/offset+octet-stream',
      },
      body: Readable.toWeb(Readable.from([Buffer.from('12'), Buffer.from('345')])) as BodyInit,
    });
    assert.equal([chunked.status, chunked.body.message], [403, tooMany.body.message]);
    assert.is((await tus.patch(path, 8, Buffer.from('9'), { 'upload-length': '11' })).status, 403);
    assert.is((await tus.patch(path, 8, Buffer.from('90'), { 'upload-length': '10' })).status, 204);
  });

  test('the bytes of a banned account are not taken any more', async () => {
    const banned = await server.account();
    const path = pathOf(await tus.create(banned.key, 6));
    assert.is((await tus.patch(path, 0, Buffer.from('abc'))).status, 204);
    await server.app.services.db.write((trx) =>
      trx('users').where('id', banned.id).update({ role: 'BANNED' }),
    );
    assert.is((await tus.patch(path, 3, Buffer.from('def'))).status, 404);
  });

  test.run();
}

resumableUploads('disk', {});
if (bucket === null) console.log('# skipped: no object store for resumable uploads');
else
  resumableUploads('bucket', {
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  });
