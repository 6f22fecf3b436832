import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, type TestServer } from '../harness.js';
import { PORTAL, startWithPortal } from '../support/interface/legacy-client.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';

const test = suite<{ server: TestServer }>('legacy client: image tools');

test.before(async (world) => {
  world.server = await startWithPortal({ RATE_LIMIT: 'on' });
});
test.after(({ server }) => server.close());

const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });

/** What the page sends: no key, no cookies, an origin, every field as text. */
async function use(
  server: TestServer,
  tool: string,
  fields: Record<string, string> = {},
  bytes: Uint8Array | null = null,
  headers: Record<string, string> = { origin: PORTAL },
) {
  const form = fileForm(bytes ?? (await picture().png().toBuffer()), 'my photo.png', fields, 'image/png');
  const response = await fetch(`${server.base.replace('localhost', '127.0.0.1')}/tools/${tool}`, {
    method: 'POST',
    headers,
    body: form,
  });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}
const byKey = (server: TestServer) => ({ 'x-api-key': server.owner.key });

async function made(
  server: TestServer,
  tool: string,
  fields: Record<string, string> = {},
  bytes?: Uint8Array,
) {
  const answer = await use(server, `image/${tool}`, fields, bytes ?? null, byKey(server));
  assert.is(answer.status, 200, `${tool}: ${answer.body}`);
  const { width, height, format, channels } = await sharp(answer.body).metadata();
  return { width, height, format, channels, bytes: answer.body, headers: answer.headers };
}
const pixel = async (bytes: Buffer, left: number, top: number) => {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
};

test('a page without credentials gets the changed picture under a plain name', async ({ server }) => {
  const answer = await use(server, 'image/resize', {
    width: '30',
    height: '30',
    mode: 'fit',
    maintainAspect: 'true',
  });
  assert.is(answer.status, 200, String(answer.body));
  assert.is(answer.headers.get('content-disposition'), 'attachment; filename="my_photo_resize.png"');
  assert.is(answer.headers.get('content-type'), 'image/png');
  assert.is(answer.headers.get('access-control-allow-origin'), PORTAL);
  assert.equal((await pixel(answer.body, 15, 1)).slice(0, 3), [0, 0, 0]);
  assert.equal((await pixel(answer.body, 15, 15)).slice(0, 3), [200, 30, 30]);
});

test('sizes, forms and turns', async ({ server }) => {
  const size = ({ width, height }: { width?: number; height?: number }) => [width, height];
  assert.equal(size(await made(server, 'resize', { width: '10', height: '20', mode: 'cover' })), [10, 20]);
  assert.equal(size(await made(server, 'resize', { width: '10', height: '20', mode: 'FILL' })), [10, 20]);
  assert.equal(size(await made(server, 'crop', { x: '5', y: '6', w: '20', h: '10' })), [20, 10]);
  assert.equal(size(await made(server, 'rotate', { angle: '90' })), [40, 60]);
  for (const angle of ['-1', '361'])
    assert.is((await use(server, 'image/rotate', { angle }, null, byKey(server))).status, 400);
  const tilted = await made(server, 'rotate', { angle: '30' });
  assert.equal(size(tilted), [60, 40]);
  assert.is((await pixel(tilted.bytes, 0, 0))[3], 0);
  assert.equal(size(await made(server, 'flip', { direction: 'both' })), [60, 40]);
});

test('formats of a conversion, and a clear refusal of others', async ({ server }) => {
  for (const [format, written] of [
    ['webp', 'webp'],
    ['png', 'png'],
    ['jpg', 'jpeg'],
    ['avif', 'heif'],
    ['tiff', 'tiff'],
    ['gif', 'gif'],
  ])
    assert.is((await made(server, 'convert', { format: format ?? '' })).format, written);
  const bmp = await use(server, 'image/convert', { format: 'bmp' }, null, byKey(server));
  assert.equal([bmp.status, bmp.headers.get('content-type')], [200, 'image/bmp']);
  const [size, start, width, height] = [2, 10, 18, 22].map((at) => bmp.body.readUInt32LE(at));
  assert.equal([size, start, width, height], [bmp.body.length, 54, 60, 40]);
  assert.equal([...bmp.body.subarray(54, 57)], [30, 30, 200], 'blue, green, red');
  // Read again by the decoder that reads them here.
  const again = await made(server, 'convert', { format: 'png' }, bmp.body);
  assert.equal((await pixel(again.bytes, 59, 39)).slice(0, 3), [200, 30, 30]);
  const other = await use(server, 'image/convert', { format: 'exe' }, null, byKey(server));
  assert.is(other.status, 400);
  assert.match(JSON.parse(String(other.body)).message, 'webp, png, jpg');
});

test('colours, text and the standard values of every field', async ({ server }) => {
  const grey = await made(server, 'grayscale');
  const [r, g, b] = await pixel(grey.bytes, 5, 5);
  assert.ok(r === g && g === b);
  const brighter = await made(server, 'brightness', { brightness: '20', contrast: '0', saturation: '0' });
  assert.ok(((await pixel(brighter.bytes, 5, 5))[1] ?? 0) > 60);
  for (const tool of [
    'compress',
    'blur',
    'sharpen',
    'brightness',
    'flip',
    'rotate',
    'watermark',
    'resize',
    'convert',
  ])
    await made(server, tool);
  const large = await picture(400, 200).png().toBuffer();
  const marked = await made(
    server,
    'watermark',
    { text: '<b>&', position: 'center', opacity: '100', size: '80' },
    large,
  );
  const { dominant, channels } = await sharp(marked.bytes).stats();
  assert.ok((channels[1]?.max ?? 0) > 200, JSON.stringify(dominant));
  await made(server, 'watermark', { text: '' });
  await made(server, 'watermark', { text: 'longer than the picture is wide', size: '200' });
});

test('a compressed picture is smaller in every quality, and keeps its size', async ({ server }) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  const sky = { create: { width: 200, height: 100, channels: 3, background: '#000', noise } } as const;
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    const bytes = await sharp(sky).toFormat(format, { quality: 100 }).toBuffer();
    for (const quality of ['80', '90', '95']) {
      const small = await made(server, 'compress', { quality }, bytes);
      assert.equal([small.format, small.width, small.height], [format, 200, 100]);
      assert.ok(small.bytes.length < bytes.length, `${format}, ${quality}: ${small.bytes.length}`);
    }
  }
});

test('a picture that cannot be processed is refused with what to do', async ({ server }) => {
  const bytes = (await jpegPhoto()).subarray(0, 400);
  for (const tool of ['blur', 'compress']) {
    const { status, body } = await use(server, `image/${tool}`, {}, bytes, byKey(server));
    assert.is(status, 400, tool);
    assert.match(JSON.parse(String(body)).message, 'convert it to JPEG or PNG and try again', tool);
  }
});

test('metadata goes, pixels stay', async ({ server }) => {
  const bytes = await picture()
    .withExif({ IFD0: { Copyright: 'telltale' } })
    .jpeg()
    .toBuffer();
  const answer = await use(server, 'image/strip-metadata', {}, bytes, byKey(server));
  assert.is(answer.status, 200);
  assert.not.match(answer.body.toString('latin1'), 'telltale');
  assert.equal(await sharp(answer.body).raw().toBuffer(), await sharp(bytes).raw().toBuffer());
});

test('refusals are texts in `error` for the page, and the envelope for everybody else', async ({
  server,
}) => {
  const outside = { x: '50', y: '0', w: '20', h: '10' };
  const page = await use(server, 'image/crop', outside);
  assert.is(page.status, 400);
  const told = JSON.parse(String(page.body));
  assert.is(told.error, told.message);
  assert.match(told.error, '60 x 40');
  const keyed = await use(server, 'image/crop', outside, null, byKey(server));
  assert.is(JSON.parse(String(keyed.body)).error, true);
  const text = await use(server, 'image/blur', {}, Buffer.from('not a picture'), byKey(server));
  assert.is(text.status, 400);
  assert.is((await use(server, 'image/unknown', {}, null, byKey(server))).status, 400);
  const video = await use(server, 'video/trim');
  assert.is(video.status, 501);
  assert.match(JSON.parse(String(video.body)).error, 'not available');
});

test('callers without a key and without the origin of a front end are refused', async ({ server }) => {
  assert.is((await use(server, 'image/blur', {}, null, {})).status, 401);
  assert.is((await use(server, 'image/blur', {}, null, { origin: 'https://evil.example' })).status, 401);
  assert.is((await use(server, 'image/blur', {}, null, { origin: server.origin })).status, 401);
});

test('pages without credentials have a limit by network', async ({ server }) => {
  const bytes = await picture(2, 2).png().toBuffer();
  let refused = 0;
  for (let tries = 0; tries < 31 && refused === 0; tries += 1) {
    const { status, headers, body } = await use(server, 'image/flip', {}, bytes);
    if (status === 429) {
      refused = tries;
      assert.ok(Number(headers.get('retry-after')) > 0);
      assert.type(JSON.parse(String(body)).error, 'string');
    }
  }
  assert.ok(refused > 0);
  assert.is((await use(server, 'image/flip', {}, bytes, byKey(server))).status, 200);
});

test.run();
