/** The name of a file is the same on every way in, whatever charset its client writes. */
import { type AddressInfo, createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { ask, headOf } from '../../hostile/raw.js';
import { zip } from '../../support/media/archive-fixtures.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';
import { until } from '../../support/until.js';
import { metadataOf } from '../../support/uploads/tus.js';

const test = suite('names of files');
let server: TestServer;
test.before(async () => {
  server = await startServer({ OUTBOUND_ALLOW: '127.0.0.1' });
});
test.after(() => server.close());

const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** What clients write, and the name that is meant. */
const NAMES: readonly (readonly [string, Buffer, string])[] = [
  ['UTF-8', Buffer.from('räksmörgås 予定表.txt'), 'räksmörgås 予定表.txt'],
  ['windows-1252', latin1('Gr\xf6\xdfe.txt'), 'Größe.txt'],
  ['Shift-JIS, with 0x5C in it', latin1('\x97\x5c\x92\xe8\x95\x5c.txt'), '予定表.txt'],
  ['windows-1251', latin1('\xd4\xee\xf2\xee.txt'), 'Фото.txt'],
];

async function send(target: string, headers: Record<string, string>, body: Buffer) {
  const head = headOf('POST', `/v1${target}`, {
    'X-API-Key': server.owner.key,
    'Content-Length': String(body.length),
    ...headers,
  });
  const answer = await ask(server.app.address.port, Buffer.concat([latin1(head), body]));
  return { ...answer, json: JSON.parse(answer.body.toString() || 'null') };
}

const percent = (bytes: Buffer): string =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const disposition = (name: Buffer): string =>
  `Content-Disposition: attachment; filename="${name.toString('latin1')}"\r\n`;
const CONTENT = Buffer.from('words');

/** Each way in, by which a file with this name becomes an item; the name that it then has. */
const WAYS: Readonly<Record<string, (name: Buffer) => Promise<string>>> = {
  multipart: async (name) => {
    const body = Buffer.concat([
      latin1('--b\r\nContent-Disposition: form-data; name="file"; filename="'),
      name,
      latin1('"\r\nContent-Type: text/plain\r\n\r\nwords\r\n--b--\r\n'),
    ]);
    return (await send('/image/upload', { 'Content-Type': 'multipart/form-data; boundary=b' }, body)).json
      .message.originalName;
  },
  '?filename=': async (name) =>
    (await send(`/image/upload?filename=${percent(name)}`, {}, CONTENT)).json.message.originalName,
  'Content-Disposition': async (name) => {
    const disposition = `attachment; filename="${name.toString('latin1')}"`;
    return (await send('/image/upload', { 'Content-Disposition': disposition }, CONTENT)).json.message
      .originalName;
  },
  'tus metadata': async (name) => {
    const filename = `${metadataOf({ private: 'true' })},filename ${name.toString('base64')}`;
    const begun = await send(
      '/image/upload/resumable',
      {
        'Tus-Resumable': '1.0.0',
        'Upload-Length': String(CONTENT.length),
        'Upload-Metadata': filename,
        'Content-Type': 'application/offset+octet-stream',
      },
      CONTENT,
    );
    const path = new URL(begun.headers.get('location')?.[0] ?? '').pathname.replace('/v1', '');
    let message: { state: string; image: { originalName: string } } | null = null;
    await until(async () => {
      message = (await server.request('GET', path, { key: server.owner.key })).body.message;
      return message?.state === 'done';
    });
    return (message as unknown as { image: { originalName: string } }).image.originalName;
  },
  'an archive, of a file and of its folder': async (name) => {
    const file = Buffer.concat([name, latin1('/'), name, latin1('.jpg')]).toString('latin1');
    const bytes = zip([{ name: file, unsaid: 'latin1', data: await jpegPhoto() }]);
    const made = await server.request('POST', '/image/upload/zip', {
      key: server.owner.key,
      form: fileForm(bytes, 'a.zip'),
    });
    assert.is(made.status, 200, made.text);
    return made.body.message.images[0].originalName.replace(/\.jpg$/, '');
  },
  ...Object.fromEntries(
    (['query', 'form'] as const).map((where) => [
      `a reserved address, named in the ${where}`,
      async (name: Buffer) => {
        const fields = `contentType=text/plain&size=5&filename=${percent(name)}`;
        const reserved =
          where === 'query'
            ? await send(`/image/generate-upload-url?${fields}`, {}, Buffer.alloc(0))
            : await send(
                '/image/generate-upload-url',
                { 'Content-Type': 'application/x-www-form-urlencoded' },
                latin1(fields),
              );
        const { url, uid } = reserved.json;
        assert.is((await fetch(url, { method: 'PUT', body: CONTENT as BodyInit })).status, 200);
        const made = await server.request('POST', '/image/register', {
          key: server.owner.key,
          json: { uniqueId: uid, size: 5 },
        });
        return made.body.message.originalName;
      },
    ]),
  ),
  ...Object.fromEntries(
    (['its address', 'its answer'] as const).map((where) => [
      `a web address, named in ${where}`,
      async (name: Buffer) => {
        const header = where === 'its answer' ? disposition(name) : '';
        // Over a socket, because the servers of Node do not write such a name.
        const other = createServer((socket) =>
          socket.once('data', () =>
            socket.end(
              latin1(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n${header}Connection: close\r\n\r\nwords`),
            ),
          ),
        );
        await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
        const { port } = other.address() as AddressInfo;
        const path = where === 'its answer' ? 'x' : percent(name);
        const made = await server.request('POST', '/image/upload/url', {
          key: server.owner.key,
          json: { url: `http://127.0.0.1:${port}/${path}` },
        });
        other.close();
        return made.body.message.originalName;
      },
    ]),
  ),
};

for (const [charset, bytes, name] of NAMES)
  for (const [way, enter] of Object.entries(WAYS))
    test(`${charset}: ${way}`, async () => {
      assert.is(await enter(bytes), name);
    });

test.run();
