/** Files made to harm: each gets a clear answer, decoding ends, and the server goes on. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import {
  gifOfManyFrames,
  heicPhoto,
  hugePng,
  jpegPhoto,
  movie,
  pngPhoto,
} from '../support/media-fixtures.js';

const test = suite('hostile files');
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

const upload = (bytes: Uint8Array | string, name: string) =>
  server.request('POST', '/image/upload', { key: server.owner.key, form: fileForm(bytes, name) });
const entities =
  '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "&x;&x;&x;">]>' +
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90">' +
  '<image xlink:href="http://127.0.0.1:1/x.png" width="90" height="90"/><text y="40">&y;</text></svg>';
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1);

const files: readonly (readonly [string, string, () => Promise<Uint8Array | string>])[] = [
  ['a 16k x 16k picture of one bit', 'huge.png', async () => hugePng(16_000)],
  ['10,000 frames', 'frames.gif', async () => gifOfManyFrames(10_000)],
  ['an SVG with external entities', 'entities.svg', async () => entities],
  ['half a JPEG', 'half.jpg', async () => half(await jpegPhoto(1, 800, 600))],
  ['half a PNG', 'half.png', async () => half(await pngPhoto(1))],
  ['half a HEIC', 'half.heic', async () => half(heicPhoto())],
  ['half a movie', 'half.mp4', async () => half(movie())],
  [
    'a picture that is a page too',
    'both.gif',
    async () => Buffer.from('GIF89a/*<script>alert(1)</script>*/=1;'),
  ],
  [
    'a picture with an archive behind it',
    'poly.jpg',
    async () => Buffer.concat([await jpegPhoto(1), Buffer.from('PK\x03\x04<html>')]),
  ],
];

for (const [label, name, bytes] of files) {
  test(`${label}: stored or refused, never run, and every question about it is answered`, async () => {
    const { status, body } = await upload(await bytes(), name);
    assert.ok(status === 200 || status === 400, `${status} ${body?.message}`);
    if (status === 400) return;
    const id = body.uniqueId;
    await server.app.services.jobs.settle();
    for (const query of ['width=160', 'width=160&format=jpeg']) {
      const rendition = await server.request('GET', `/image/get/${id}?${query}`);
      assert.ok([200, 302, 400].includes(rendition.status), `${query}: ${rendition.status}`);
      assert.is(rendition.text.includes('root:'), false);
    }
    const whole = await server.request('GET', `/image/get/${id}`);
    assert.ok([200, 302].includes(whole.status));
    assert.is(whole.headers.get('x-content-type-options') ?? 'nosniff', 'nosniff');
    assert.not.match(whole.headers.get('content-type') ?? '', /html|svg|xml|javascript/);
    assert.is((await server.request('GET', `/image/info/${id}`)).status, 200);
  });
}

test('zero bytes are refused', async () => {
  assert.is((await upload('', 'empty.png')).status, 400);
});

test('afterwards everything works as before', async () => {
  const { status, body } = await upload(await jpegPhoto(1, 300, 200), 'good.jpg');
  assert.is(status, 200);
  assert.is((await server.request('GET', `/image/get/${body.uniqueId}?width=160&format=webp`)).status, 200);
  await server.app.services.jobs.settle();
  assert.ok((await server.request('GET', `/image/info/${body.uniqueId}`)).body.message.thumbhash);
});

test.run();
