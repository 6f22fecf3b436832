/** What people are told about the metadata of their files. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { sessionOf } from '../../support/accounts/accounts.js';
import { halves } from '../../support/media/media-fixtures.js';
import { until } from '../../support/until.js';

const test = suite('metadata of files');
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>';
const unknown = Buffer.from(
  Array.from({ length: 3000 }, (_, index) => (index * index * 31 + index + 1) % 253),
);

const withZeros = (start: string, size = 64) =>
  Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(size)]);

/** The beginnings of files whose metadata are not understood, or only in part, with the type under which each is stored. */
const untouched: readonly (readonly [type: string, name: string, head: Buffer])[] = [
  [
    'wmv',
    'film.wmv',
    Buffer.from(
      // A header with one object: the properties of a stream of video.
      `3026b2758e66cf11a6d900aa0062ce6c6c000000000000000100000001029107dcb7b7a9cf118ee600c00c2053654e00000000000000c0ef19bc4d5bcf11a8fd00805f5c442b${'00'.repeat(38)}`,
      'hex',
    ),
  ],
  ['flv', 'film.flv', withZeros('FLV\x01\x05\0\0\0\x09\0\0\0\0\x12')],
  ['mts', 'film.mts', Buffer.concat(Array.from({ length: 8 }, () => withZeros('G@\x11\x10', 184)))],
  ['x3f', 'photo.x3f', withZeros('FOVb\0\0\x02\0')],
  ['mrw', 'photo.mrw', withZeros('\0MRM\0\0\0\x20\0PRD\0\0\0\x1821810002')],
  ['crw', 'photo.crw', withZeros('II\x1a\0\0\0HEAPCCDR\x02\0\x01\0')],
  ['bpg', 'photo.bpg', withZeros('BPG\xfb\x20\0\x40\x30')],
  ['flif', 'photo.flif', withZeros('FLIF31\0\x40\0\x30')],
];

async function upload(key: string, bytes: Buffer | string, name: string, fields = {}) {
  const form = fileForm(bytes, name, fields);
  return (await server.request('POST', '/image/upload', { key, form })).body.message;
}

test('what is left of EXIF is for the eyes of the owner', async () => {
  const { key } = await server.account();
  await server.request('PATCH', '/user/get/@me/settings/media', { key, json: { metadata: 'keep' } });
  const photo = await halves(8, 8)
    .jpeg()
    .withExif({
      IFD0: { Make: 'Maker', Model: 'One' },
      IFD2: { FNumber: '28/10', DateTimeOriginal: '2024:05:01 10:20:30' },
    })
    .toBuffer();
  const { uniqueId } = await upload(key, photo, 'photo.jpg');
  const exifFor = async (asked?: string) =>
    (await server.request('GET', `/image/info/${uniqueId}`, { ...(asked ? { key: asked } : {}) })).body
      .message.exif;
  // It is null while reading it takes longer than the record waits.
  await until(async () => (await exifFor(key)) !== null);
  const { Make, Model, FNumber, DateTimeOriginal } = await exifFor(key);
  assert.equal([Make, Model, FNumber, DateTimeOriginal], ['Maker', 'One', 2.8, '2024-05-01T10:20:30.000Z']);
  assert.is(await exifFor(), null);
  assert.is(await exifFor((await server.account()).key), null);
  await server.request('PATCH', '/user/get/@me/settings/media', { key, json: { metadata: 'strip' } });
  const clean = await upload(key, photo, 'clean.jpg');
  assert.is((await server.request('GET', `/image/info/${clean.uniqueId}`, { key })).body.message.exif, null);
  const damaged = await upload(key, Buffer.concat([photo.subarray(0, 60)]), 'damaged.jpg');
  assert.is(
    (await server.request('GET', `/image/info/${damaged.uniqueId}`, { key })).body.message.exif,
    null,
  );
});

test('the answer says whether it is removed, may remain or was kept', async () => {
  const { key } = await server.account();
  const photo = await halves(8, 8).jpeg().toBuffer();
  assert.is((await upload(key, photo, 'photo.jpg')).metadata, 'removed');
  assert.is((await upload(key, drawing, 'drawing.svg')).metadata, 'mayRemain');
  assert.is((await upload(key, unknown, 'film.xyz')).metadata, 'mayRemain');
  assert.is((await upload(key, 'only text', 'notes.txt')).metadata, null);
  await server.request('PATCH', '/user/get/@me/settings/media', { key, json: { metadata: 'keep' } });
  const kept = await upload(key, photo, 'photo.jpg');
  assert.is(kept.metadata, 'kept');
  const info = await server.request('GET', `/image/info/${kept.uniqueId}`);
  assert.is(info.body.message.metadata, 'kept');
});

test('it may remain in formats that are not understood, and is kept in them if that is wanted', async () => {
  const { key } = await server.account();
  const told = async () => {
    const answers = [];
    for (const [, name, head] of untouched) {
      const { uniqueId, metadata } = await upload(key, head, name);
      const { type } = (await server.request('GET', `/image/info/${uniqueId}`)).body.message;
      answers.push([type, metadata]);
    }
    return answers;
  };
  assert.equal(
    await told(),
    untouched.map(([type]) => [type, 'mayRemain']),
  );
  await server.request('PATCH', '/user/get/@me/settings/media', { key, json: { metadata: 'keep' } });
  assert.equal(
    await told(),
    untouched.map(([type]) => [type, 'kept']),
  );
});

test('who may not see a file is not told', async () => {
  const { key } = await server.account();
  const { uniqueId } = await upload(key, drawing, 'drawing.svg', { password: 'secret word' });
  const seen = async (query = '') =>
    (await server.request('GET', `/image/info/${uniqueId}${query}`)).body.message.metadata;
  assert.is(await seen(), null);
  assert.is(await seen('?password=secret%20word'), 'mayRemain');
});

test('the page of a file tells its owner only', async () => {
  const account = await server.account();
  const { uniqueId } = await upload(account.key, drawing, 'drawing.svg');
  const cookie = `session_token=${await sessionOf(server, account)}`;
  const page = async (headers: Record<string, string>) =>
    (await server.request('GET', `//web/image-render/${uniqueId}`, { headers })).text;
  const notice = /camera data may remain in this file: they cannot be removed from SVG files/;
  assert.match(await page({ accept: 'text/html', cookie }), notice);
  assert.not.match(await page({ accept: 'text/html' }), notice);
});

test.run();
