/** Malicious files: each gets a clear answer, decoding ends, and the server keeps running. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';
import { nothingStaged } from './guarantees.js';
import { pictures } from './inputs/pictures.js';

const test = suite('hostile files');
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

const upload = (bytes: Uint8Array | string, name: string) =>
  server.request('POST', '/image/upload', { key: server.owner.key, form: fileForm(bytes, name) });

for (const [label, { name, bytes }] of Object.entries(pictures)) {
  test(`${label}: stored or refused, never executed, and every request about it is answered`, async () => {
    const { status, body } = await upload(await bytes(), name);
    assert.ok(status === 200 || status === 400, `${status} ${body?.message}`);
    if (status === 400) return;
    const id = body.uniqueId;
    await server.app.services.jobs.settle();
    for (const query of ['width=160', 'width=160&format=jpeg']) {
      const rendition = await server.request('GET', `/image/get/${id}?${query}`);
      assert.ok([200, 302, 400, 404].includes(rendition.status), `${query}: ${rendition.status}`);
      assert.is(rendition.text.includes('root:'), false);
    }
    const whole = await server.request('GET', `/image/get/${id}`);
    assert.ok([200, 302].includes(whole.status));
    assert.is(whole.headers.get('x-content-type-options') ?? 'nosniff', 'nosniff');
    assert.not.match(whole.headers.get('content-type') ?? '', /html|svg|xml|javascript/);
    assert.is((await server.request('GET', `/image/info/${id}`)).status, 200);
    const listed = await server.request('GET', '/admin/images', { key: server.owner.key });
    assert.is(listed.status, 200);
    assert.is(listed.body.message.content[0]?.uniqueId ?? id, id);
  });
}

test('nothing remains staged or unpacked', () => nothingStaged(server.dataDir));

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
