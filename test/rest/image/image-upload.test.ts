/** POST /v1/image/upload (contract §4, Images), by status. */

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { pictures } from '../../hostile/inputs/pictures.js';
import { jpegPhoto, SECRETS, wave, webmMovie } from '../../support/media/media-fixtures.js';
import { until } from '../../support/until.js';

let server: TestServer;
let user: TestAccount;
const start = async () => {
  server = await startServer({ MAX_UPLOAD_BYTES: String(12 * 1024 * 1024) });
  user = await server.account();
};
const upload = (form: FormData, key: string | undefined = user.key) =>
  server.request('POST', '/image/upload', { form, ...(key === undefined ? {} : { key }) });
const filesIn = async (folder: string) =>
  (await readdir(join(server.dataDir, folder), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length;

const ok = suite('POST /image/upload: 200');
ok.before(start);
ok.after(() => server.close());

ok('files of every kind have an address that ends in their extension, other items have none', async () => {
  for (const [bytes, name] of [
    [await jpegPhoto(6), 'trip.jpg'],
    ['words', 'words.txt'],
    [new Uint8Array([1, 0, 2, 255]), 'blob'],
  ] as const) {
    const { urlSet, type } = (await upload(fileForm(bytes, name))).body.message;
    assert.is(urlSet.directUrl, `${urlSet.rawUrl}.${type}`);
    const path = urlSet.directUrl.slice(server.origin.length);
    assert.is((await server.request('GET', `/${path}`)).status, 200, name);
  }
  const json = { text: 'words' };
  const paste = await server.request('POST', '/paste/create', { key: user.key, json });
  assert.is(paste.body.message.urlSet.directUrl, null);
});

ok('answers the image record in the envelope', async () => {
  const form = fileForm(await jpegPhoto(6), 'trip.jpg', { desc: ' On the road ', source: 'api' });
  const { status, body } = await upload(form);
  assert.is(status, 200);
  assert.is(body.error, false);
  assert.match(body.uniqueId, /^[A-Z0-9]{8}$/);
  const image = body.message;
  assert.is(image.uniqueId, body.uniqueId);
  assert.is(image.type, 'jpg');
  assert.is(image.mimeType, 'image/jpeg');
  assert.is(image.description, 'On the road');
  assert.is(image.originalName, 'trip.jpg');
  assert.equal([image.width, image.height], [48, 64]);
  assert.is(image.uploader.username, user.username);
  assert.equal([image.requiresPassword, image.isPublic, image.location], [false, true, 'LOCAL']);
  assert.is(image.expiresAt, null);
  assert.is(image.urlSet.rawUrl, `${server.base}/image/get/${body.uniqueId}`);
  assert.is(image.urlSet.posterUrl, null);
});

ok('accepts the fields before and after the file', async () => {
  const before = fileForm('text before', 'note.txt', { uniqueId: 'Before', private: 'true' });
  assert.is((await upload(before)).body.message.isPublic, false);
  const after = new FormData();
  after.set('file', new File(['text after'], 'note.txt'));
  after.set('uniqueId', 'After');
  after.set('password', 'open sesame');
  after.set('maxViews', '3');
  after.set('expiryDate', '2099-01-31');
  const { message } = (await upload(after)).body;
  assert.equal([message.uniqueId, message.requiresPassword, message.maxViews], ['After', true, 3]);
  assert.is(message.expiresAt, '2099-01-31T23:59:59.999Z');
});

ok('accepts the key as a form field before or after the file', async () => {
  const before = fileForm('early key', 'a.txt', { key: user.key });
  assert.is((await upload(before, undefined)).status, 200);
  const after = new FormData();
  after.set('file', new File(['late key'], 'a.txt'));
  after.set('key', user.key);
  const { status, body } = await upload(after, undefined);
  assert.is(status, 200);
  assert.is(body.message.uploader.id, user.id);
});

ok('accepts the raw body with its type and ?filename=', async () => {
  const photo = await jpegPhoto(1);
  const named = await server.request('POST', '/image/upload?filename=caf%C3%A9.jpg&private=true', {
    key: user.key,
    body: photo as BodyInit,
    headers: { 'content-type': 'image/jpeg' },
  });
  assert.is(named.status, 200);
  assert.equal([named.body.message.originalName, named.body.message.isPublic], ['café.jpg', false]);
  const nameless = await server.request('POST', '/image/upload', {
    key: user.key,
    body: photo as BodyInit,
    headers: { 'content-type': 'image/jpeg' },
  });
  assert.equal([nameless.status, nameless.body.message.type], [200, 'jpg']);
});

ok(
  'detects the type by content: a JPEG named .png is jpg, a script named .txt is text, unknown bytes are bin',
  async () => {
    const wrong = await upload(fileForm(await jpegPhoto(1), 'picture.png', {}, 'image/png'));
    assert.equal([wrong.status, wrong.body.message.type], [200, 'jpg']);
    const html = await upload(
      fileForm('<html><script>alert(1)</script></html>', 'page.html', {}, 'text/html'),
    );
    assert.is(html.status, 200);
    const page = await server.request('GET', `/image/get/${html.body.uniqueId}`);
    assert.is(page.headers.get('content-type'), 'application/octet-stream');
    assert.match(page.headers.get('content-disposition') ?? '', /^attachment/);
    assert.is((await upload(fileForm(new Uint8Array([0, 1, 2, 254]), 'blob'))).body.message.type, 'bin');
  },
);

ok('recognises audio and video with their duration', async () => {
  const sound = (await upload(fileForm(wave(), 'a.wav'))).body.message;
  assert.equal([sound.mimeType.startsWith('audio/'), sound.durationMs], [true, 1000]);
  const video = (await upload(fileForm(webmMovie(), 'v.webm'))).body.message;
  assert.is(video.mimeType, 'video/webm');
});

ok('ignores impossible dimensions and durations, and every list keeps working', async () => {
  for (const label of [
    'a PNG of 4 billion pixels a side',
    'a TIFF of 2^60 pixels a side',
    'an SVG of 10^300 pixels',
    'an SVG of more pixels than a number holds',
    'a movie of 285 million years',
  ] as const) {
    const { name, bytes } = pictures[label];
    const { status, body } = await upload(fileForm(await bytes(), name));
    assert.is(status, 200, label);
    const { width, height, durationMs } = body.message;
    assert.equal([width, height, durationMs], [null, null, null], label);
    const listed = await server.request('GET', '/admin/images', { key: server.owner.key });
    assert.is(listed.body.message.content[0].uniqueId, body.uniqueId, label);
  }
});

ok('answers the bare short link to tools that want text, and errors stay JSON', async () => {
  const options = { key: user.key, headers: { accept: 'text/plain' } };
  const answer = await server.request('POST', '/image/upload', {
    ...options,
    form: fileForm('tool', 'a.txt'),
  });
  assert.is(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(answer.text, new RegExp(`^${server.origin}/r/[A-Z0-9]{8}$`));
  const refused = await server.request('POST', '/image/upload', { ...options, form: fileForm('', 'a.txt') });
  assert.equal([refused.status, refused.body.error], [400, true]);
  for (const accept of ['*/*', 'text/plain, application/json', 'text/plain, */*;q=0.1']) {
    const json = await server.request('POST', '/image/upload', {
      key: user.key,
      headers: { accept },
      form: fileForm('tool', 'a.txt'),
    });
    assert.is(json.body.error, false, accept);
  }
});

ok('removes the metadata that the account does not share, and nothing with keep', async () => {
  const photo = await jpegPhoto(6);
  const served = async () => {
    const { uniqueId } = (await upload(fileForm(photo, 'p.jpg'))).body;
    const answer = await fetch(`${server.base}/image/get/${uniqueId}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const settings = (method: string, json?: object) =>
    server.request(method, '/user/get/@me/settings/media', { key: user.key, ...(json && { json }) });
  assert.is((await settings('GET')).body.message.metadata, 'strip');
  const stripped = await served();
  for (const secret of SECRETS) assert.is(stripped.includes(secret), false, secret);

  assert.is((await settings('PATCH', { metadata: 'LOCATION' })).status, 204);
  const placeless = await served();
  assert.ok(placeless.includes('Acme'));
  assert.is(placeless.includes('photoshop:City'), false);

  assert.is((await settings('PATCH', { metadata: 'keep' })).status, 204);
  assert.ok(photo.equals(await served()));
  assert.is((await settings('PATCH', {})).status, 204);
  assert.is((await settings('GET')).body.message.metadata, 'keep');
  assert.is((await settings('PATCH', { metadata: 'some' })).status, 400);
  assert.is((await settings('PATCH', { metadata: null })).status, 204);
  assert.is((await settings('GET')).body.message.metadata, 'strip');
  assert.is((await server.request('GET', '/user/get/@me/settings/media')).status, 401);
});

ok('every image gets a placeholder soon after the answer', async () => {
  const { uniqueId } = (await upload(fileForm(await jpegPhoto(1), 'p.jpg'))).body;
  await server.app.services.jobs.settle();
  const info = await server.request('GET', `/image/info/${uniqueId}`);
  assert.ok(Buffer.from(info.body.message.thumbhash, 'base64').length > 4);
});

const bad = suite('POST /image/upload: 400');
bad.before(start);
bad.after(() => server.close());

bad('200: parts with other names are skipped, before and after the file', async () => {
  const empty = new File([], '');
  const before = new FormData();
  before.append('thumb', new File(['thumb'], 'x.png'));
  before.append('other', empty);
  before.append('file', new File(['the file'], 'a.txt'));
  before.append('desc', 'kept');
  const after = fileForm('another', 'b.txt');
  for (const name of ['thumb', 'desc2']) after.append(name, new File(['ignored'], 'blob'));
  for (const form of [before, after]) {
    const { status, body } = await upload(form);
    assert.equal([status, body.error], [200, false]);
  }
  assert.is(await filesIn('staging'), 0);
});

bad('no file, an empty file, two files, a file in another field, no multipart at all', async () => {
  const nothing = new FormData();
  nothing.set('desc', 'no file');
  const two = fileForm('one', 'a.txt');
  two.append('file', new File(['two'], 'b.txt'));
  const elsewhere = new FormData();
  elsewhere.set('picture', new File(['x'], 'a.txt'));
  for (const form of [nothing, fileForm('', 'a.txt'), two, elsewhere]) {
    const { status, body } = await upload(form);
    assert.equal([status, body.error, typeof body.message, body.uniqueId], [400, true, 'string', null]);
    assert.ok(body.message.length > 0);
  }
  const json = await server.request('POST', '/image/upload', { key: user.key, json: { file: 'x' } });
  assert.is(json.status, 400);
  const broken = await server.request('POST', '/image/upload', {
    key: user.key,
    body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  assert.is(broken.status, 400);
});

bad('a media name or part type for content that is not media', async () => {
  assert.is((await upload(fileForm('not a picture', 'a.jpg'))).status, 400);
  assert.is((await upload(fileForm('not a film', 'a', {}, 'video/mp4'))).status, 400);
  for (const extension of ['svg', '3gp', 'ogv', 'jpe', 'psd', 'mpeg', 'wmv', 'mid'])
    assert.is((await upload(fileForm('just text', `a.${extension}`))).status, 400, extension);
});

bad('a file so damaged that its metadata cannot be removed', async () => {
  for (const label of ['a JPEG of 400,000 comments', 'a WebP whose second header is empty'] as const) {
    const { name, bytes } = pictures[label];
    const { status, body } = await upload(fileForm(await bytes(), name));
    assert.is(status, 400, label);
    assert.match(body.message, /save it again/, label);
  }
});

bad('an id in use, for everybody and in any case, and an invalid id', async () => {
  assert.is((await upload(fileForm('first', 'a.txt', { uniqueId: 'Taken' }))).status, 200);
  for (const key of [user.key, server.owner.key])
    assert.is((await upload(fileForm('second', 'a.txt', { uniqueId: 'tAKEN' }), key)).status, 400);
  for (const uniqueId of ['a b', 'x'.repeat(129), 'ü', '../up'])
    assert.is((await upload(fileForm('odd', 'a.txt', { uniqueId }))).status, 400, uniqueId);
  assert.is((await server.request('GET', '/image/get/taken')).text, 'first');
});

bad('invalid password, description, expiry or views', async () => {
  for (const fields of [
    { password: 'ab' },
    { password: 'x'.repeat(101) },
    { desc: 'x'.repeat(201) },
    { expiresAt: '2001-01-01' },
    { expiresAt: 'soon' },
    { maxViews: '0' },
    { maxViews: 'many' },
    { private: 'perhaps' },
  ] as Record<string, string>[]) {
    const { status } = await upload(fileForm('x', 'a.txt', fields));
    assert.is(status, 400, JSON.stringify(fields));
  }
});

bad('leaves neither bytes nor rows', async () => {
  const blobs = await filesIn('blobs');
  assert.is((await upload(fileForm('never stored', 'a.txt', { maxViews: '0' }))).status, 400);
  assert.is((await upload(fileForm('never stored', 'a.jpg'))).status, 400);
  assert.is(await filesIn('blobs'), blobs);
  assert.is(await filesIn('staging'), 0);
});

const refused = suite('POST /image/upload: 401, 403, 413');
refused.before(start);
refused.after(() => server.close());

refused('401 without a key and with a wrong one, in header or form', async () => {
  for (const answer of [
    await upload(fileForm('x', 'a.txt'), ''),
    await upload(fileForm('x', 'a.txt', { key: 'wrong' }), ''),
    await server.request('POST', '/image/upload', { form: fileForm('x', 'a.txt') }),
    await upload(fileForm('x', 'a.txt'), 'wrong'),
  ]) {
    assert.equal([answer.status, answer.body.error], [401, true]);
  }
  assert.is(await filesIn('staging'), 0);
});

refused('401 after at most 8 MiB of a file that arrives before any credential', async () => {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(9 * 1024 * 1024)], 'big.bin'));
  form.set('key', user.key);
  const { status, body } = await server.request('POST', '/image/upload', { form });
  assert.equal([status, body.error], [401, true]);
  const early = fileForm(new Uint8Array(9 * 1024 * 1024), 'big.bin', { key: user.key });
  assert.is((await server.request('POST', '/image/upload', { form: early })).status, 200);
});

refused('403 for accounts that may not create', async () => {
  const guest = await server.account('GUEST');
  const banned = await server.account('BANNED');
  const pending = await server.account('USER', { status: 'PENDING' });
  for (const { key } of [guest, banned, pending])
    assert.is((await upload(fileForm('x', 'a.txt'), key)).status, 403);
});

refused('413 above the limit, in the envelope, leaving nothing behind', async () => {
  const { status, body } = await upload(fileForm(new Uint8Array(12 * 1024 * 1024 + 1), 'big.bin'));
  assert.equal([status, body.error, typeof body.message], [413, true, 'string']);
  const raw = await server.request('POST', '/image/upload?filename=big.bin', {
    key: user.key,
    body: new Uint8Array(12 * 1024 * 1024 + 1),
  });
  assert.is(raw.status, 413);
  assert.is(await filesIn('staging'), 0);
});

refused('413 before the file arrives, if the body announces that it is too large', async () => {
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(server.app.address.port, '127.0.0.1', () => {
      socket.write(
        `POST /v1/image/upload HTTP/1.1\r\nHost: x\r\nX-API-Key: ${user.key}\r\n` +
          'Content-Type: image/png\r\nContent-Length: 99999999999\r\n\r\n',
      );
    });
    socket.once('data', (bytes) => {
      socket.destroy();
      resolve(bytes.toString());
    });
    socket.on('error', reject);
  });
  assert.match(answer, /^HTTP\/1\.1 413 /);
});

refused('a client that disconnects during an upload leaves nothing behind', async () => {
  const staged = () => filesIn('staging');
  await until(async () => (await staged()) === 0);
  const blobs = await filesIn('blobs');
  const socket = connect(server.app.address.port, '127.0.0.1');
  const closed = once(socket, 'close');
  socket.write(
    `POST /v1/image/upload HTTP/1.1\r\nHost: x\r\nX-API-Key: ${user.key}\r\nContent-Length: 999999\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n' +
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n${'x'.repeat(400_000)}`,
  );
  await until(async () => (await staged()) > 0);
  socket.destroy();
  await closed;
  await until(async () => (await staged()) === 0);
  assert.is(await filesIn('blobs'), blobs);
});

for (const each of [ok, bad, refused]) each.run();
