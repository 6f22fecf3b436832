// on both databases
/** Renditions of images: `?width=` and `?format=` (contract §4, §5). */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sweep } from '../../../server/runtime/upkeep/sweep.js';
import { pngChunk } from '../../../server/shared/png-chunk.js';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import {
  animation,
  heicPhoto,
  hugePng,
  jpegPhoto,
  pngPhoto,
  wave,
} from '../../support/media/media-fixtures.js';

const test = suite('renditions');
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

async function put(bytes: Uint8Array | string, name: string, fields: Record<string, string> = {}) {
  const form = fileForm(bytes, name, fields);
  const { status, body } = await server.request('POST', '/image/upload', { key: server.owner.key, form });
  assert.is(status, 200, body?.message);
  return body.uniqueId as string;
}
async function get(path: string, headers: Record<string, string> = {}) {
  const { port } = server.app.address;
  const answer = await fetch(`http://127.0.0.1:${port}/v1/image/get/${path}`, { headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, type: answer.headers.get('content-type'), headers: answer.headers, bytes };
}
const blobs = async () =>
  (await readdir(join(server.dataDir, 'blobs'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length;

test('a width is rounded up to a step of the ladder, and nothing is enlarged', async () => {
  const id = await put(await jpegPhoto(6, 900, 600), 'p.jpg');
  for (const [wanted, width] of [
    [1, 160],
    [160, 160],
    [161, 320],
    [600, 600],
    [4000, 600],
  ]) {
    const { status, type, bytes } = await get(`${id}?width=${wanted}`);
    assert.equal([status, type], [200, 'image/jpeg']);
    assert.is((await sharp(bytes).metadata()).width, width, String(wanted));
  }
});

test('a format is converted, with its own type, name and ETag', async () => {
  const id = await put(await jpegPhoto(1, 320, 200), 'photo.jpg');
  const original = await get(id);
  const tags = new Set([original.headers.get('etag')]);
  for (const [format, type, extension] of [
    ['webp', 'image/webp', 'webp'],
    ['avif', 'image/avif', 'avif'],
    ['PNG', 'image/png', 'png'],
    ['jpeg', 'image/jpeg', 'jpg'],
    ['jpg', 'image/jpeg', 'jpg'],
  ]) {
    const answer = await get(`${id}?format=${format}`);
    assert.equal([answer.status, answer.type], [200, type]);
    assert.is(answer.headers.get('content-disposition'), `inline; filename="photo.${extension}"`);
    tags.add(answer.headers.get('etag'));
  }
  assert.is(tags.size, 5);
  const etag = (await get(`${id}?format=webp&width=160`)).headers.get('etag') ?? '';
  const partial = await get(`${id}?format=webp&width=160`, { range: 'bytes=0-3', 'if-range': etag });
  assert.equal([partial.status, partial.bytes.toString()], [206, 'RIFF']);
});

test('a phone photo keeps its original and is served to everybody as JPEG', async () => {
  const id = await put(heicPhoto(), 'IMG_1.HEIC');
  assert.is((await get(id)).type, 'image/heic');
  const seen = await get(`${id}?format=jpeg`);
  assert.equal([seen.status, seen.type], [200, 'image/jpeg']);
  const { width, height } = await sharp(seen.bytes).metadata();
  const { message } = (await server.request('GET', `/image/info/${id}`)).body;
  assert.equal([width, height], [message.width, message.height]);
});

test('a drawing is a download, and a picture that runs nothing in every format', async () => {
  const id = await put('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>', 'a.svg');
  assert.is((await get(id)).type, 'application/octet-stream');
  for (const format of ['webp', 'avif', 'jpeg', 'png']) {
    const drawn = await get(`${id}?format=${format}`);
    assert.equal([drawn.status, drawn.type], [200, `image/${format}`]);
    assert.match(drawn.headers.get('content-disposition') ?? '', /^inline/);
  }
});

test('animations stay animated as WebP', async () => {
  const id = await put(await animation('gif', 3), 'a.gif');
  const { type, bytes } = await get(`${id}?format=webp`);
  assert.is(type, 'image/webp');
  assert.is((await sharp(bytes, { animated: true }).metadata()).pages, 3);
});

test('base64 of a rendition encodes that rendition', async () => {
  const id = await put(await jpegPhoto(1, 320, 200), 'p.jpg');
  const { bytes } = await get(`${id}?width=160&format=png`);
  const base64 = JSON.parse((await get(`${id}?width=160&format=png&base64=true`)).bytes.toString());
  assert.is(base64.message.base64, bytes.toString('base64'));
});

test('50 concurrent requests get one rendition, made once', async () => {
  const id = await put(await jpegPhoto(1, 700, 500), 'p.jpg');
  const before = await blobs();
  const answers = await Promise.all(Array.from({ length: 50 }, () => get(`${id}?width=320&format=webp`)));
  assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
  assert.is(new Set(answers.map(({ headers }) => headers.get('etag'))).size, 1);
  assert.is(await blobs(), before + 1);
});

test('a rendition follows the access rules of its image', async () => {
  const id = await put(await jpegPhoto(1), 'p.jpg', { private: 'true' });
  assert.is((await get(`${id}?width=160`)).status, 403);
  assert.is((await get(`${id}?width=160`, { 'x-api-key': server.owner.key })).status, 200);
  assert.is((await get('NOSUCHID?width=160')).status, 404);
});

test('400 for invalid values and for content that cannot be rendered, also the second time', async () => {
  const id = await put(await jpegPhoto(1), 'p.jpg');
  for (const query of [
    'width=0',
    'width=-1',
    'width=1.5',
    'width=wide',
    'width=99999',
    'format=gif',
    'format=exe',
  ]) {
    const { status, bytes } = await get(`${id}?${query}`);
    assert.is(status, 400, query);
    assert.is(JSON.parse(bytes.toString()).error, true);
  }
  const broken = (await jpegPhoto(1)).subarray(0, 400);
  for (const other of [
    await put('only text', 'a.txt'),
    await put(wave(), 'a.wav'),
    await put(hugePng(16_000), 'huge.png'),
    await put(broken, 'cut.jpg'),
    await put(Buffer.concat([Buffer.from('FUJIFILMCCD-RAW 0201'), Buffer.alloc(200)]), 'sensor.raf'),
  ]) {
    for (let time = 0; time < 2; time += 1) assert.is((await get(`${other}?width=160`)).status, 400, other);
  }
  assert.is((await get(`${id}?width=160`)).status, 200);
});

test('renditions are removed with the last image of their bytes, and the sweep finds nothing else', async () => {
  const bytes = Buffer.concat([await jpegPhoto(1, 400, 300)]);
  const before = await blobs();
  const [first, second] = [await put(bytes, 'a.jpg'), await put(bytes, 'b.jpg')];
  await get(`${first}?width=160`);
  await get(`${second}?width=320&format=webp`);
  const remove = (id: string) => server.request('DELETE', `/image/get/${id}`, { key: server.owner.key });
  await remove(first);
  assert.is(await blobs(), before + 3);
  await remove(second);
  assert.is(await blobs(), before);
  await put(randomBytes(10), 'a.bin');
  await sweep(server.app.services, 0);
  assert.is(await blobs(), before + 1);
});

test('a picture that is its own rendition is removed like any other', async () => {
  const before = await blobs();
  const first = await put(await pngPhoto(), 'a.png');
  const drawn = await fetch(`${server.base}/image/get/${first}?format=png`);
  const second = await put(Buffer.from(await drawn.arrayBuffer()), 'b.png');
  await get(`${second}?format=png`);
  for (const id of [first, second])
    assert.is((await server.request('DELETE', `/image/get/${id}`, { key: server.owner.key })).status, 200);
  assert.is(await blobs(), before);
});

test('a page offers a large picture in several widths, but an animation as it is, like its record', async () => {
  const raw = { width: 700, height: 600, channels: 3 } as const;
  const still = await sharp(randomBytes(700 * 600 * 3), { raw })
    .png()
    .toBuffer();
  const afterHeader = 8 + 25;
  const frames = pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
  const moving = Buffer.concat([still.subarray(0, afterHeader), frames, still.subarray(afterHeader)]);
  for (const [bytes, animated] of [
    [still, false],
    [moving, true],
  ] as const) {
    const id = await put(bytes, 'large.png');
    const record = await server.request('GET', `/image/info/${id}`);
    assert.is(record.body.message.animated, animated);
    const page = await server.request('GET', `//web/image-render/${id}`);
    assert.is(page.text.includes('srcset='), !animated);
  }
});

/** A picture unlike the others, whose renditions are not small. */
const noisy = (index: number) =>
  sharp({
    create: {
      ...{ width: 400, height: 400, channels: 3, background: '#000' },
      noise: { type: 'gaussian', mean: 128, sigma: 40 + index },
    },
  })
    .jpeg({ quality: 90 })
    .toBuffer();

/** Runs with a server whose renditions may have so many bytes together, and this many pictures on it. */
async function withBudget(
  bytes: number,
  pictures: number,
  work: (small: TestServer, ids: string[], ask: (id?: string) => Promise<number>) => Promise<void>,
): Promise<void> {
  const small = await startServer({ MAX_RENDITION_BYTES: String(bytes) });
  try {
    const ids: string[] = [];
    for (let index = 0; index < pictures; index += 1) {
      const form = fileForm(await noisy(index), `${index}.jpg`);
      const { body } = await small.request('POST', '/image/upload', { key: small.owner.key, form });
      ids.push(body.uniqueId);
    }
    await work(
      small,
      ids,
      async (id = '') => (await small.request('GET', `/image/get/${id}?width=160&format=webp`)).status,
    );
  } finally {
    await small.close();
  }
}
const storedOn = ({ app }: TestServer) =>
  app.services.db.read('renditions').whereNot('width', 0).orderBy('created_at');

test('all renditions together stay within their budget: the oldest go, and come back when asked for', () =>
  withBudget(100_000, 16, async (small, ids, ask) => {
    for (const id of ids) assert.is(await ask(id), 200);
    const kept = await storedOn(small);
    const bytes = kept.reduce((sum, { size }) => sum + Number(size), 0);
    assert.ok(kept.length > 8 && kept.length < ids.length, `${kept.length} are kept`);
    assert.ok(bytes <= 100_000 && bytes > 50_000, `${bytes} bytes`);
    assert.is(await ask(ids[0]), 200);
    const names = new Set((await storedOn(small)).map(({ sha256 }) => sha256));
    assert.ok(names.size <= kept.length + 1);
    const files = await readdir(join(small.dataDir, 'blobs'), { recursive: true });
    assert.is(files.filter((file) => names.has(file.split('/').at(-1))).length, names.size);
  }));

test('a rendition larger than the whole budget is sent, and the newest stay', () =>
  withBudget(1, 10, async (small, ids, ask) => {
    for (const id of ids) assert.is(await ask(id), 200);
    assert.is((await storedOn(small)).length, 8);
    for (const answer of await Promise.all(ids.slice(0, 8).map(ask))) assert.is(answer, 200);
  }));

test.run();
