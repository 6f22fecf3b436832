// on both databases
/** Uploads by address: generate-upload-url, PUT, register (contract §4, §5), with disk and bucket storage. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sweep } from '../../../server/runtime/upkeep/sweep.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { jpegPhoto, SECRETS } from '../../support/media/media-fixtures.js';
import { ownBucket } from '../../support/stores/object-store.js';

const bucket = await ownBucket();
const onBucket: Record<string, string> | null =
  bucket === null
    ? null
    : {
        S3_ENDPOINT: bucket.endpoint,
        S3_REGION: bucket.region,
        S3_BUCKET: bucket.bucket,
        S3_ACCESS_KEY_ID: bucket.accessKeyId,
        S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
      };

function uploadsByAddress(store: string, env: Record<string, string>): void {
  const test = suite(`uploads by address: ${store}`);
  const local = store === 'disk';
  let server: TestServer;
  let user: TestAccount;
  let other: TestAccount;
  let photo: Buffer;
  test.before(async () => {
    server = await startServer({ MAX_UPLOAD_BYTES: String(4 * 1024 * 1024), ...env });
    user = await server.account();
    other = await server.account();
    photo = await jpegPhoto(6);
  });
  test.after(() => server.close());

  const generate = (json: object, key: string | undefined = user.key) =>
    server.request('POST', '/image/generate-upload-url', { key, json });
  const register = (json: object, key: string | undefined = user.key) =>
    server.request('POST', '/image/register', { key, json });
  const address = async (size = photo.length, filename = 'trip.jpg', contentType = 'image/jpeg') => {
    const { status, body } = await generate({ size, filename, contentType });
    assert.is(status, 200, body.message);
    return body.message as { uid: string; url: string; headers: Record<string, string> };
  };
  const send = (
    url: string,
    bytes: Uint8Array,
    headers: Record<string, string> = { 'content-type': 'image/jpeg' },
  ) => fetch(url, { method: 'PUT', body: bytes as BodyInit, headers });
  const stays = async (url: string) => (await send(url, photo)).status;

  test('400: an id that is reserved for an upload cannot be taken', async () => {
    const { uid, url } = await address();
    for (const { key } of [other, user]) {
      const form = fileForm('first', 'a.txt', { uniqueId: uid.toLowerCase() });
      assert.is((await server.request('POST', '/image/upload', { key, form })).status, 400);
    }
    assert.is((await send(url, photo)).status, 200);
    assert.is((await register({ uniqueId: uid })).status, 200);
  });

  test('200: a file whose type the browser does not know', async () => {
    for (const contentType of ['', null]) {
      const { status, body } = await generate({ size: photo.length, filename: 'trip.jpg', contentType });
      assert.is(status, 200, body.message);
      const { uid, url, headers } = body.message;
      assert.is((await send(url, photo, headers)).status, 200);
      const { message } = (await register({ uniqueId: uid })).body;
      assert.is(message.mimeType, 'image/jpeg');
    }
  });

  test('200: address, PUT and register create an image with that id', async () => {
    const { status, body } = await generate({
      size: photo.length,
      filename: 'trip.jpg',
      contentType: 'image/jpeg; charset=x',
    });
    assert.is(status, 200);
    const { uid, url, method, expiresAt } = body.message;
    assert.equal([body.uid, body.url, body.method, body.expiresAt], [uid, url, method, expiresAt]);
    assert.equal([body.uniqueId, method], [uid, 'PUT']);
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
    assert.ok(minutes > 9 && minutes <= 10, expiresAt);
    assert.is((await server.request('GET', `/image/get/${uid}`)).status, 404);
    assert.is((await send(url, photo)).status, 200);
    assert.is((await server.request('GET', `/image/get/${uid}`)).status, 404);

    const registered = await register({
      uniqueId: uid,
      fileType: 'image/jpeg',
      size: photo.length,
      desc: 'Words',
    });
    assert.is(registered.status, 200, registered.text);
    const image = registered.body.message;
    assert.equal([image.uniqueId, image.type, image.originalName], [uid, 'jpg', 'trip.jpg']);
    assert.equal([image.description, image.uploader.id], ['Words', user.id]);
    assert.is(image.location, local ? 'LOCAL' : 'S3');
    const bytes = Buffer.from(await (await fetch(`${server.base}/image/get/${uid}`)).arrayBuffer());
    for (const secret of SECRETS) assert.is(bytes.includes(secret), false, secret);
    assert.is((await register({ uniqueId: uid })).status, 404);
  });

  test('query, urlencoded and multipart requests work like JSON', async () => {
    const query = `contentType=text/plain&size=5&filename=a.txt`;
    for (const [method, path, options] of [
      ['POST', `/image/generate-upload-url?${query}`, {}],
      ['POST', '/image/generate-upload-url', { form: new URLSearchParams(query) }],
    ] as const) {
      const { body } = await server.request(method, path, { key: user.key, ...options });
      assert.is(
        (await send(body.url, Buffer.from('hello'), { 'content-type': 'text/plain' })).status < 300,
        true,
      );
      const form = new FormData();
      form.set('uniqueId', body.uid.toLowerCase());
      form.set('private', 'true');
      form.set('source', 'portal');
      const registered = await server.request('POST', '/image/register', { key: user.key, form });
      assert.equal([registered.status, registered.body.message.isPublic], [200, false]);
    }
    const { uid, url } = await address(5, 'b.txt', 'text/plain');
    await send(url, Buffer.from('hello'), { 'content-type': 'text/plain' });
    assert.is(
      (await server.request('POST', `/image/register?uniqueId=${uid}`, { key: user.key })).status,
      200,
    );
  });

  test('400 for an invalid size or type, and for bytes that are missing or not as announced', async () => {
    for (const json of [
      {},
      { size: 10 },
      { contentType: 'image/jpeg' },
      { contentType: 'image/jpeg', size: 0 },
      { contentType: 'picture', size: 10 },
      { contentType: 'image/jpeg\r\nx: y', size: 10 },
    ])
      assert.is((await generate(json)).status, 400, JSON.stringify(json));
    const empty = await address();
    const missing = await register({ uniqueId: empty.uid });
    assert.equal([missing.status, missing.body.error], [400, true]);

    const junk = Buffer.from('no picture at all');
    const false_ = await address(junk.length);
    await send(false_.url, junk);
    assert.is((await register({ uniqueId: false_.uid, fileType: 'image/jpeg' })).status, 400);
    // An extension names a type, too.
    for (const fileType of ['jpeg', 'PNG', '.mp4'])
      assert.is((await register({ uniqueId: false_.uid, fileType })).status, 400, fileType);
    const sized = await address();
    await send(sized.url, photo);
    assert.is((await register({ uniqueId: sized.uid, size: 3 })).status, 400);
    assert.is((await register({ uniqueId: sized.uid, password: 'x' })).status, 400);
    assert.is((await register({ uniqueId: sized.uid })).status, 200);
  });

  test('401 without a key or for a foreign reservation, 403 for guests, 404 for unknown ids, 413 for size', async () => {
    assert.is((await generate({ contentType: 'image/jpeg', size: 10 }, '')).status, 401);
    assert.is((await register({ uniqueId: 'NOSUCHID' }, '')).status, 401);
    const guest = await server.account('GUEST');
    assert.is((await generate({ contentType: 'image/jpeg', size: 10 }, guest.key)).status, 403);
    assert.is((await register({ uniqueId: 'NOSUCHID' })).status, 404);
    assert.is((await generate({ contentType: 'image/jpeg', size: 5 * 1024 * 1024 })).status, 413);
    const { uid, url } = await address();
    await send(url, photo);
    assert.is((await register({ uniqueId: uid }, other.key)).status, 401);
    assert.is((await register({ uniqueId: uid })).status, 200);
  });

  test('429: the files of open addresses have at most eight times the size of the largest upload', async () => {
    const { key, id } = await server.account();
    const { db, settings } = server.app.services;
    const size = { contentType: 'image/jpeg', size: settings.maxUploadBytes };
    for (let made = 0; made < 8; made += 1) assert.is((await generate(size, key)).status, 200);
    const refused = await generate({ ...size, size: 1 }, key);
    assert.is(refused.status, 429);
    assert.match(refused.body.message, /Register the files/);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    await db.write((trx) => trx('reservations').where('owner_id', id).delete());
  });

  test('429: at most a hundred addresses are open, and the answer says when the first expires for good', async () => {
    const { key, id } = await server.account();
    const { db } = server.app.services;
    const size = { contentType: 'image/jpeg', size: 10 };
    const { uid } = (await generate(size, key)).body.message;
    await db.write(async (trx) => {
      const [{ id: _, ...row }] = await trx('reservations').where('unique_id', uid);
      const copies = Array.from({ length: 99 }, (_, n) => ({
        ...row,
        unique_id: `${uid}-${n}`,
        object_key: `${uid}-${n}`,
      }));
      for (const copy of copies) await trx('reservations').insert(copy);
      await trx('reservations')
        .where('unique_id', uid)
        .update({ expires_at: Date.now() - 49 * 60_000 });
    });
    const refused = await generate(size, key);
    assert.is(refused.status, 429);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 0 && wait <= 60, `${wait} s`);
    await db.write((trx) =>
      trx('reservations')
        .where('unique_id', uid)
        .update({ expires_at: Date.now() - 50 * 60_000 }),
    );
    assert.is((await generate(size, key)).status, 200);
    await db.write((trx) => trx('reservations').where('owner_id', id).delete());
  });

  test('a PUT after the registration changes nothing', async () => {
    const { uid, url } = await address();
    await send(url, photo);
    const { message } = (await register({ uniqueId: uid })).body;
    const later = Buffer.alloc(photo.length, 7);
    const again = await send(url, later);
    assert.is(again.status >= 400, local);
    const bytes = Buffer.from(await (await fetch(`${server.base}/image/get/${uid}`)).arrayBuffer());
    assert.is(bytes.includes(later.subarray(0, 100)), false);
    assert.is((await server.request('GET', `/image/info/${uid}`)).body.message.sha256, message.sha256);
    await sweep(server.app.services, -60_000);
    assert.is((await register({ uniqueId: uid })).status, 404);
  });

  test('of concurrent registrations one succeeds', async () => {
    const { uid, url } = await address();
    await send(url, photo);
    const answers = await Promise.all(Array.from({ length: 8 }, () => register({ uniqueId: uid })));
    const statuses = answers.map(({ status }) => status).sort();
    assert.is(statuses[0], 200);
    assert.is(statuses.filter((status) => status === 200).length, 1, statuses.join());
    assert.ok(
      statuses.slice(1).every((status) => status === 400 || status === 404),
      statuses.join(),
    );
  });

  test('unregistered uploads are swept once they expire', async () => {
    const { uid, url } = await address();
    await send(url, photo);
    await sweep(server.app.services);
    assert.is((await register({ uniqueId: uid }, other.key)).status, 401);
    const { services } = server.app;
    await services.db.write((trx) => trx('reservations').update({ expires_at: Date.now() - 3_700_000 }));
    assert.is((await register({ uniqueId: uid })).status, 404);
    await sweep(services, local ? 3_600_000 : -60_000);
    assert.is(await services.db.read('reservations').where('unique_id', uid).first(), undefined);
    if (services.storage.blobs.direct !== null) {
      const left: string[] = [];
      for await (const { key } of services.storage.blobs.direct.listReserved())
        if (key.startsWith(uid)) left.push(key);
      assert.equal(left, []);
    }
  });

  if (local) {
    test('an address of this server works once, for the announced bytes only, and not if altered', async () => {
      const { uid, url } = await address();
      const wrong = `${url.slice(0, -1)}${url.endsWith('0') ? '1' : '0'}`;
      assert.is((await send(wrong, photo)).status, 403);
      assert.is((await send(`${server.base}/image/reserved/${uid}`, photo)).status, 403);
      const foreign = (await address()).url.split('?')[1];
      assert.is((await send(`${server.base}/image/reserved/${uid}?${foreign}`, photo)).status, 403);
      assert.is((await send(url, photo.subarray(1))).status, 400);
      assert.is((await send(url, Buffer.concat([photo, photo]))).status, 413);
      const both = await Promise.all([stays(url), stays(url)]);
      assert.equal(both.sort(), [200, 403]);
      assert.is(await stays(url), 403);
      assert.is((await register({ uniqueId: uid })).status, 200);
    });

    test('an expired address accepts nothing', async () => {
      const { url } = await address();
      await server.app.services.db.write((trx) => trx('reservations').update({ expires_at: Date.now() - 1 }));
      assert.is(await stays(url), 404);
      await server.app.services.jobs.settle();
      assert.equal(await readdir(join(server.dataDir, 'staging')), []);
    });
  }

  test('upload/cloud works like upload, with this store', async () => {
    const form = fileForm(photo, 'p.jpg', { uniqueId: `cloud-${store}` });
    const { status, body } = await server.request('POST', '/image/upload/cloud', { key: user.key, form });
    assert.equal([status, body.message.location], [200, local ? 'LOCAL' : 'S3']);
    assert.is((await fetch(`${server.base}/image/get/cloud-${store}`)).status, 200);
    assert.is(
      (await server.request('POST', '/image/upload/cloud', { form: fileForm('x', 'a.txt') })).status,
      401,
    );
    const nothing = new FormData();
    nothing.set('desc', 'x');
    assert.is(
      (await server.request('POST', '/image/upload/cloud', { key: user.key, form: nothing })).status,
      400,
    );
    await server.request('DELETE', `/image/get/cloud-${store}`, { key: user.key });
  });

  test.run();
}

/** What S3_REDIRECT redirects to the bucket, and what it does not. */
function redirects(env: Record<string, string>): void {
  const test = suite('S3_REDIRECT');
  let server: TestServer;
  test.before(async () => {
    server = await startServer({ ...env, S3_REDIRECT: 'true' });
  });
  test.after(() => server.close());
  const put = async (bytes: Uint8Array | string, name: string, fields: Record<string, string> = {}) => {
    const form = fileForm(bytes, name, fields);
    return (await server.request('POST', '/image/upload', { key: server.owner.key, form })).body.uniqueId;
  };
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${server.app.address.port}/v1/image/get/${path}`, {
      method,
      headers,
      redirect: 'manual',
    });

  test('the bucket serves public content, with type and disposition pinned, including ranges', async () => {
    const photo = await jpegPhoto(1);
    const id = await put(photo, 'naïve.jpg');
    const { status, headers } = await get(id);
    const location = headers.get('location') ?? '';
    assert.equal([status, headers.get('cache-control')], [302, 'no-store']);
    assert.ok(location.startsWith(env.S3_ENDPOINT ?? '-'), location);
    const direct = await fetch(location, { headers: { range: 'bytes=0-1' } });
    assert.equal([direct.status, direct.headers.get('content-type')], [206, 'image/jpeg']);
    assert.match(direct.headers.get('content-disposition') ?? '', /^inline; .*na%C3%AFve\.jpg/);
    const html = await put('<script>alert(1)</script>', 'a.html');
    const page = await fetch((await get(html)).headers.get('location') ?? '');
    assert.is(page.headers.get('content-type'), 'application/octet-stream');
    assert.match(page.headers.get('content-disposition') ?? '', /^attachment/);
    const download = await fetch((await get(`${id}?download=true`)).headers.get('location') ?? '');
    assert.match(download.headers.get('content-disposition') ?? '', /^attachment/);
    const small = await get(`${id}?width=160&format=webp`);
    assert.is(small.status, 302);
    assert.is((await fetch(small.headers.get('location') ?? '')).headers.get('content-type'), 'image/webp');
  });

  test('HEAD, conditional requests and restricted items are served here', async () => {
    const photo = await jpegPhoto(1);
    const id = await put(photo, 'p.jpg');
    const head = await get(id, {}, 'HEAD');
    assert.is(head.status, 200);
    for (const [fields, headers] of [
      [{ private: 'true' }, { 'x-api-key': server.owner.key }],
      [{ password: 'open sesame' }, { 'x-password': 'open sesame' }],
      [{ maxViews: '5' }, {}],
      [{ expiresAt: new Date(Date.now() + 60_000).toISOString() }, {}],
    ] as [Record<string, string>, Record<string, string>][]) {
      const answer = await get(await put(photo, 'p.jpg', fields), headers);
      assert.is(answer.status, 200, JSON.stringify(fields));
      await answer.arrayBuffer();
    }
    const later = await put(photo, 'p.jpg', { expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    assert.is((await get(later)).status, 302);
  });

  test.run();
}

uploadsByAddress('disk', {});
if (onBucket !== null) {
  uploadsByAddress('bucket', onBucket);
  redirects(onBucket);
}
