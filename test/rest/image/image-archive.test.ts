/** POST /v1/image/upload/zip (contract §4, §5), by status. */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { pictures } from '../../hostile/inputs/pictures.js';
import { bz2Bomb, tar, tarBz2, tarGz, zip } from '../../support/media/archive-fixtures.js';
import { jpegPhoto, SECRETS, webmMovie } from '../../support/media/media-fixtures.js';

const test = suite('POST /image/upload/zip');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer({ MAX_UPLOAD_BYTES: String(32 * 1024 * 1024) });
  user = await server.account();
});
test.after(() => server.close());

const upload = (bytes: Uint8Array, name = 'a.zip', fields: Record<string, string> = {}, key = user.key) =>
  server.request('POST', '/image/upload/zip', { key, form: fileForm(bytes, name, fields) });
const filesIn = async (folder: string) =>
  (
    await readdir(join(server.dataDir, folder), { recursive: true, withFileTypes: true }).catch(() => [])
  ).filter((entry) => entry.isFile()).length;
const picture = (shade: number) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: { r: shade, g: 0, b: 0 } } })
    .png()
    .toBuffer();
const data = Buffer.from('only text');

test('200: each media file becomes an image of the caller in a new playlist, sorted by name', async () => {
  const [two, ten] = [await picture(2), await picture(10)];
  const damaged = pictures['a JPEG of 400,000 comments'];
  const archive = zip([
    { name: 'trip/10.png', data: ten },
    { name: 'trip/2.png', data: two },
    { name: 'trip/film.webm', data: webmMovie() },
    { name: 'trip/notes.txt', data },
    { name: 'trip/fake.jpg', data },
    { name: 'trip/empty.png', data: Buffer.alloc(0) },
    { name: 'trip/damaged.jpg', data: await damaged.bytes() },
    { name: 'trip/', data: Buffer.alloc(0), stored: true },
  ]);
  const { status, body } = await upload(archive, 'Our trip.zip', { description: 'By rail' });
  assert.is(status, 200, body.message);
  const { playlist, images, skipped } = body.message;
  assert.is(body.uniqueId, playlist.uniqueId);
  assert.equal([playlist.title, playlist.description], ['Our trip', 'By rail']);
  const names = images.map((image: { originalName: string }) => image.originalName);
  assert.equal(names, ['2.png', '10.png', 'film.webm']);
  assert.equal(
    playlist.images.map((image: { uniqueId: string }) => image.uniqueId),
    images.map((image: { uniqueId: string }) => image.uniqueId),
  );
  assert.equal(skipped.map(({ path }: { path: string }) => path).sort(), [
    'trip/damaged.jpg',
    'trip/empty.png',
    'trip/fake.jpg',
    'trip/notes.txt',
  ]);
  for (const { reason } of skipped) assert.ok(reason.length > 0);
  const [first] = images;
  assert.is(first.uploader.id, user.id);
  const sent = await fetch(first.urlSet.rawUrl);
  assert.ok(two.equals(Buffer.from(await sent.arrayBuffer())));
  const seen = await server.request('GET', `/image/playlist/get/${playlist.uniqueId}`);
  assert.is(seen.body.message.images.length, 3);
  await server.app.services.jobs.settle();
  const film = await server.request('GET', `/image/info/${images[2].uniqueId}`);
  assert.match(film.body.message.urlSet.posterUrl, /\/image\/get\/poster\//);
});

test('200 for every kind of archive, recognised by content whatever its name', async () => {
  const entries = [{ name: 'a.png', data: await picture(1) }];
  for (const [label, bytes, count] of [
    ['zip', zip(entries), 1],
    ['tar', await tar(entries), 1],
    ['tar.gz', await tarGz(entries), 1],
    ['tar.bz2', tarBz2(), 2],
  ] as const) {
    const { status, body } = await upload(bytes, 'misleading.jpg.bin');
    assert.equal([label, status, body.message.images?.length], [label, 200, count]);
  }
});

test('200: privacy, password and metadata work as for single uploads', async () => {
  const archive = zip([{ name: 'p.jpg', data: await jpegPhoto(6) }]);
  const { body } = await upload(archive, 'a.zip', {
    private: 'true',
    password: 'open sesame',
    title: 'Mine',
  });
  const [image] = body.message.images;
  assert.equal([body.message.playlist.title, image.isPublic, image.requiresPassword], ['Mine', false, true]);
  const sent = await fetch(image.urlSet.rawUrl, { headers: { 'x-password': 'open sesame' } });
  const bytes = Buffer.from(await sent.arrayBuffer());
  for (const secret of SECRETS) assert.is(bytes.includes(secret), false, secret);
});

test('200 for 300 files at once, with duplicates among them', async () => {
  const pictures = await Promise.all(Array.from({ length: 299 }, (_, shade) => picture(shade % 250)));
  const archive = zip(pictures.map((bytes, index) => ({ name: `${index}.png`, data: bytes })));
  const { status, body } = await upload(archive);
  assert.equal([status, body.message.images.length], [200, 299]);
});

test('400 for non-archives, archives without media, damage, bombs, slips and many links; nothing stays', async () => {
  await server.app.services.jobs.settle();
  const png = await picture(77);
  const good = { name: 'a.png', data: png };
  const [blobs, before] = [
    await filesIn('blobs'),
    (await server.request('GET', '/image/stats')).body.message,
  ];
  const cases: Record<string, Buffer> = {
    'no archive': randomBytes(5_000),
    'a picture': await jpegPhoto(1),
    'no entries': zip([]),
    'no media': zip([{ name: 'notes.txt', data }]),
    truncated: zip([good]).subarray(0, -30),
    'damaged bytes': zip([good, { name: 'b.png', data: png, crc: 1 }]),
    'a lying size': zip([good, { name: 'b.png', data: png, claims: 5 }]),
    'a bomb': zip([good, { name: 'b.png', data: Buffer.alloc(60 * 1024 * 1024) }]),
    'a bzip2 bomb': bz2Bomb(),
    'a gzip bomb': await tarGz([{ name: 'b.png', data: Buffer.alloc(70 * 1024 * 1024) }]),
    'overlapping entries': zip([good, { name: 'b.png', data: png, sharing: 0 }]),
    'a slip': zip([good, { name: '../../out.png', data: png }]),
    'an absolute name': zip([good, { name: '/etc/out.png', data: png }]),
    'a symbolic link in a zip': zip([good, { name: 'b.png', data: Buffer.from('a.png'), mode: 0o120777 }]),
    'a symbolic link in a tar': await tar([
      good,
      { name: 'b.png', type: 'symlink', linkname: '/etc/passwd' },
    ]),
    'a hard link in a tar': await tar([good, { name: 'b.png', type: 'link', linkname: 'a.png' }]),
    'a device': await tar([good, { name: 'b.png', type: 'character-device' }]),
    'too many entries': zip(
      Array.from({ length: 1_001 }, (_, index) => ({ name: `${index}.png`, data: png })),
    ),
    'empty file': Buffer.alloc(0),
  };
  for (const [label, bytes] of Object.entries(cases)) {
    const { status, body } = await upload(bytes);
    assert.equal([label, status, body.error, body.uniqueId], [label, 400, true, null]);
    assert.ok(typeof body.message === 'string' && body.message.length > 0);
  }
  const nothing = new FormData();
  nothing.set('title', 'no file');
  assert.is(
    (await server.request('POST', '/image/upload/zip', { key: user.key, form: nothing })).status,
    400,
  );
  assert.is((await upload(zip([good]), 'a.zip', { maxViews: '0' })).status, 400);
  assert.is(await filesIn('blobs'), blobs);
  assert.equal([await filesIn('staging'), await filesIn('tmp')], [0, 0]);
  assert.is((await server.request('GET', '/image/stats')).body.message.total_all, before.total_all);
});

test('401 without a key, 403 for guests, 413 above the limit', async () => {
  const archive = zip([{ name: 'a.png', data: await picture(5) }]);
  const form = () => fileForm(archive, 'a.zip');
  assert.is((await server.request('POST', '/image/upload/zip', { form: form() })).status, 401);
  assert.is((await upload(archive, 'a.zip', {}, 'wrong')).status, 401);
  const guest = await server.account('GUEST');
  assert.is((await upload(archive, 'a.zip', {}, guest.key)).status, 403);
  assert.is((await upload(new Uint8Array(33 * 1024 * 1024))).status, 413);
});

test.run();
