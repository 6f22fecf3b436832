/** Files that the server fetches (contract §4, `POST /image/upload/url`). */
import { readdir } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OutboundFailed } from '../../../routers/base/ports/outbound.js';
import { parseAllowList } from '../../../server/drivers/outbound/addresses.js';
import { fetchFile } from '../../../server/drivers/outbound/fetch-file.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';
import { until } from '../../support/until.js';
import { LOOPBACK_ALLOWED } from '../../support/web/webhook.js';

const test = suite('uploads from a URL');
let server: TestServer;
let guarded: TestServer;
let user: TestAccount;
let photo: Buffer;
let other: Server;
let base: string;
const asked: string[] = [];

const paths: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/photo.jpg': (response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo),
  '/named': (response) =>
    response
      .writeHead(200, { 'content-disposition': "attachment; filename=x; filename*=UTF-8''r%C3%B6t.jpg" })
      .end(photo),
  '/lies': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<h1>not found</h1>'),
  '/empty': (response) => response.writeHead(200, { 'content-length': '0' }).end(),
  '/large': (response) => response.writeHead(200).end(Buffer.alloc(3 * 1024 * 1024)),
  '/announced': (response) => response.writeHead(200, { 'content-length': '99999999999' }).end('x'),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => response.destroy());
  },
  '/zipped': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  '/gone': (response) => response.writeHead(410).end(),
  '/closed': (response) => response.writeHead(403).end(),
  '/busy': (response) => response.writeHead(503).end(),
  '/nowhere': (response) => response.writeHead(302).end(),
  '/inside': (response) => response.writeHead(302, { location: 'http://10.0.0.1/secret' }).end(),
  '/metadata': (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  '/file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/silent': (response) => response.writeHead(200).write('x'),
};

test.before(async () => {
  photo = await jpegPhoto(6);
  other = createServer((request, response) => {
    asked.push(request.url ?? '');
    const hops = /^\/hops\/(\d+)$/.exec(request.url ?? '')?.[1];
    if (hops !== undefined) {
      const location = hops === '1' ? '/photo.jpg' : `/hops/${Number(hops) - 1}`;
      response.writeHead(307, { location }).end();
    } else (paths[request.url ?? ''] ?? ((answer) => answer.writeHead(404).end()))(response);
  });
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  server = await startServer({ MAX_UPLOAD_BYTES: String(2 * 1024 * 1024), ...LOOPBACK_ALLOWED });
  guarded = await startServer();
  user = await server.account();
});
test.after(async () => {
  other.closeAllConnections();
  other.close();
  await server.close();
  await guarded.close();
});

const fetched = (json: object, key: string | undefined = user.key) =>
  server.request('POST', '/image/upload/url', { key, json });

const staged = async (): Promise<number> => (await readdir(join(server.dataDir, 'staging'))).length;

test('the file becomes an item with the fields of an upload; its content decides its type', async () => {
  const { status, body } = await fetched({
    url: `${base}/photo.jpg`,
    uniqueId: 'fetched',
    private: true,
    desc: 'from elsewhere',
  });
  assert.is(status, 200, body.message);
  const { uniqueId, originalName, type, isPublic, description } = body.message;
  assert.equal(
    [uniqueId, originalName, type, isPublic, description],
    ['fetched', 'photo.jpg', 'jpg', false, 'from elsewhere'],
  );
  const named = await fetched({ url: `${base}/named` });
  assert.equal([named.body.message.originalName, named.body.message.type], ['röt.jpg', 'jpg']);
  const wished = await fetched({ url: `${base}/named`, filename: 'mine.jpg' });
  assert.is(wished.body.message.originalName, 'mine.jpg');
});

test('redirects are followed five times, and no further', async () => {
  assert.is((await fetched({ url: `${base}/hops/5` })).status, 200);
  const { status, body } = await fetched({ url: `${base}/hops/6` });
  assert.equal(
    [status, body.message],
    [400, 'The address redirects too often: enter that of the file itself'],
  );
});

test('400: what cannot be fetched is said in words, and nothing of it stays', async () => {
  // Thumbnails of what the tests before have stored are made here, too.
  await until(async () => (await staged()) === 0);
  for (const [path, message] of [
    ['/lies', "The file's content does not match its name or type"],
    ['/empty', 'The file is empty'],
    ['/gone', 'Nothing is at the address (status 410): check that a browser shows the file there'],
    [
      '/closed',
      'The address asks for permission (status 403): download the file and upload it from your device',
    ],
    ['/busy', 'The other server cannot answer at the moment (status 503): try again later'],
    ['/nowhere', 'The address answers with status 302: enter that of the file itself'],
    ['/cut', 'The connection to the other server was lost: try again'],
    ['/zipped', 'The address answers with a compressed file: download it and upload it from your device'],
    ['/inside', 'The address is not public'],
    ['/metadata', 'The address is not public'],
    ['/file', 'The URL must start with https:// or http://'],
  ] as const) {
    const { status, body } = await fetched({ url: base + path });
    assert.equal([status, body.message, await staged()], [400, message, 0], path);
  }
  for (const url of ['', 'no url', 'ftp://example.org/', 'http://user:secret@example.org/'])
    assert.is((await fetched({ url })).status, 400, url);
  assert.is((await fetched({ url: `${base}/photo.jpg`, uniqueId: 'fetched' })).status, 400);
  for (const path of ['/large', '/announced'])
    assert.equal([(await fetched({ url: base + path })).status, await staged()], [413, 0], path);
});

test('only public addresses are reached, whatever name or number leads elsewhere', async () => {
  asked.length = 0;
  const { port } = new URL(base);
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '0.0.0.0',
  ]) {
    const { status } = await guarded.request('POST', '/image/upload/url', {
      key: guarded.owner.key,
      json: { url: `http://${host}:${port}/photo.jpg` },
    });
    assert.is(status, 400, host);
  }
  assert.equal(asked, []);
});

test('a name that leads inside is refused like one that does not exist, so that nobody learns which names do', async () => {
  const allow = parseAllowList(['127.0.0.1']);
  const inside = ((_name: string, _options: object, done: (error: null, all: object[]) => void) =>
    done(null, [{ address: '10.1.2.3', family: 4 }])) as never;
  const unknown = ((_name: string, _options: object, done: (error: Error) => void) =>
    done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))) as never;
  for (const url of ['http://intranet.example/', 'https://intranet.example/'])
    for (const resolve of [inside, unknown]) {
      const error = await fetchFile(url, { allow, resolve }, async () => 'read').then(
        () => null,
        (reason: Error) => reason,
      );
      assert.instance(error, OutboundFailed);
      assert.match(error?.message ?? '', /^The host name could not be found, or has no public address/);
    }
});

test('a server that falls silent is given up', async () => {
  const allow = parseAllowList(['127.0.0.1']);
  const error = await fetchFile(`${base}/silent`, { allow, wholeMs: 300 }, async ({ body }) => {
    for await (const _chunk of body);
  }).then(
    () => null,
    (reason: Error) => reason,
  );
  assert.instance(error, OutboundFailed);
  assert.match(error?.message ?? '', 'The file took too long to arrive');
});

test('401, 403: only accounts that may upload have something fetched', async () => {
  asked.length = 0;
  assert.is((await server.request('POST', '/image/upload/url', { json: { url: base } })).status, 401);
  const guest = await server.account('GUEST');
  assert.is((await fetched({ url: `${base}/photo.jpg` }, guest.key)).status, 403);
  assert.equal(asked, []);
});

test('the page has a form that needs no script, and shows a refusal with what was typed', async () => {
  const { key } = user;
  const shown = await server.request('GET', '//web/image-upload/url', { key });
  assert.is(shown.status, 200);
  assert.match(shown.text, /action="\/web\/image-upload\/url"/);
  const send = (fields: Record<string, string>, as: string | null = key) =>
    server.request('POST', '//web/image-upload/url', {
      ...(as === null ? {} : { key: as }),
      form: new URLSearchParams(fields),
    });
  const made = await send({
    url: `${base}/photo.jpg`,
    uniqueId: 'by-page',
    filename: 'p.jpg',
    private: 'true',
  });
  assert.is(made.status, 303, made.text);
  const at = `/${made.headers.get('location')}`;
  const now = () => server.request('GET', at, { key });
  await until(async () => (await now()).status === 200);
  const { text } = await now();
  assert.match(text, 'by-page');
  assert.match(text, '?token=', 'the owner gets the deletion link');
  const { message } = (await server.request('GET', '/image/get/by-page?info=true', { key })).body;
  assert.equal([message.originalName, message.isPublic], ['p.jpg', false]);
  const refused = await send({ url: `${base}/gone`, desc: 'what it is' });
  assert.is(refused.status, 400);
  assert.match(refused.text, 'Nothing is at the address (status 410)');
  assert.match(refused.text, `value="${base}/gone"`);
  assert.match(refused.text, 'value="what it is"');
  assert.is((await send({ url: `${base}/photo.jpg` }, null)).status, 401);
  const guest = await server.account('GUEST');
  assert.is((await send({ url: `${base}/photo.jpg` }, guest.key)).status, 403);
});

test.run();
