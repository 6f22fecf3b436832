/** Uploads whose name or type says that they are media (contract §4, Images). */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { zip } from '../../support/media/archive-fixtures.js';
import { bitmap } from '../../support/media/media-fixtures.js';

const test = suite('media by name or type');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer();
  user = await server.account();
});
test.after(() => server.close());

/** Bytes of no known format, and of none that could be read. */
const unknown = Buffer.from(
  Array.from({ length: 3000 }, (_, index) => (index * index * 31 + index + 1) % 253),
);

test('200: content of no known format, because not every medium can be recognised', async () => {
  for (const [name, type] of [
    ['tape.mp3', ''],
    ['photo.arw', ''],
    ['photo', 'image/x-unheard-of'],
    ['film.mkv', 'video/x-matroska'],
    ['tape', 'audio/x-unheard-of'],
  ] as const) {
    const form = fileForm(unknown, name, {}, type);
    const { status, body } = await server.request('POST', '/image/upload', { key: user.key, form });
    assert.is(status, 200, `${name}: ${body.message}`);
    assert.equal([body.message.mimeType, body.message.type], ['application/octet-stream', 'bin']);
  }
});

test('400: a JPEG, PNG, GIF or WebP by name or type that does not begin like one', async () => {
  const send = (bytes: Buffer, name: string, type: string) =>
    server.request('POST', '/image/upload', { key: user.key, form: fileForm(bytes, name, {}, type) });
  for (const [name, type] of [
    ['photo.jpg', 'image/jpeg'],
    ['photo.JPEG', ''],
    ['photo.png', 'application/octet-stream'],
    ['photo.webp', ''],
    ['photo', 'image/png'],
    ['photo', 'image/gif; a=b'],
  ] as const) {
    const { status } = await send(unknown, name, type);
    assert.is(status, 400, `${name} ${type}`);
    // A damaged one, whatever it is called.
    const damaged = Buffer.concat([Buffer.from('ffd8', 'hex'), unknown]);
    assert.is((await send(damaged, name, type)).status, 200, `${name} ${type}`);
  }
  assert.is((await send(unknown, 'a.bin', '')).status, 200);
});

const page = '<html><script>alert(1)</script></html>';
const others: Record<string, string | Buffer> = {
  'a page': page,
  'a page behind a signature': Buffer.from(`\x89PNG\r\n\x1a\n${page}`, 'latin1'),
  text: 'only text',
  'text of another alphabet': Buffer.from('\ufeffGr\u00fc\u00dfe', 'utf16le'),
  'a PDF': '%PDF-1.4\n1 0 obj\n<< >>\nendobj\n',
  'a program': Buffer.from(`MZ\x90\0\x03\0\0\0${'\0'.repeat(200)}`, 'latin1'),
  'an archive': zip([{ name: 'a.txt', data: Buffer.from('text') }]),
};
for (const [what, bytes] of Object.entries(others)) {
  test(`400: ${what} by the name or type of a medium`, async () => {
    for (const [name, type] of [
      ['a.png', ''],
      ['a.mp4', ''],
      ['a.arw', ''],
      ['a', 'audio/mpeg'],
    ] as const) {
      const form = fileForm(Buffer.from(bytes), name, {}, type);
      const { status } = await server.request('POST', '/image/upload', { key: user.key, form });
      assert.is(status, 400, `${name} ${type}`);
    }
  });
}

test('200: an archive keeps what its name calls a medium and nothing contradicts', async () => {
  const signed = bitmap(8, 8);
  signed.write('Prog', 6, 'latin1');
  const archive = zip([
    { name: 'signed.bmp', data: signed },
    { name: 'tape.mp3', data: unknown },
    { name: 'tape.dat', data: unknown },
    { name: 'noise.png', data: unknown },
    { name: 'page.jpg', data: Buffer.from(page) },
    { name: 'long.svg', data: Buffer.from(`<!--${'licence '.repeat(9000)}--><svg width="1" height="1"/>`) },
  ]);
  const { status, body } = await server.request('POST', '/image/upload/zip', {
    key: user.key,
    form: fileForm(archive, 'a.zip'),
  });
  assert.is(status, 200, body.message);
  const kept = body.message.images.map(({ originalName, type }: Record<string, string>) => [
    originalName,
    type,
  ]);
  assert.equal(kept.sort(), [
    ['long.svg', 'svg'],
    ['signed.bmp', 'bmp'],
    ['tape.mp3', 'bin'],
  ]);
  assert.equal(body.message.skipped.map(({ path }: { path: string }) => path).sort(), [
    'noise.png',
    'page.jpg',
    'tape.dat',
  ]);
});

test.run();
