/**
 * The size limit of a body without a file follows from its fields: small, unless one is a text or a long
 * list.
 */
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';

const MIB = 1024 * 1024;
let server: TestServer;
let user: TestAccount;

const test = suite('size limits of fields');
test.before(async () => {
  server = await startServer();
  user = await server.account();
});
test.after(() => server.close());

const LARGE = 'x'.repeat(300 * 1024);
for (const [method, path] of [
  ['POST', '/auth/login'],
  ['POST', '/url/create'],
  ['POST', '/stats/all'],
  ['PATCH', '/user/me/socials'],
  ['POST', '/image/upload'],
  ['POST', '//web/login'],
  ['POST', '//trpc/auth.login'],
] as const)
  test(`413: fields of 300 KiB at ${method} ${path}`, async () => {
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const json = { email: LARGE, url: LARGE, website: LARGE };
      const body =
        'transfer-encoding' in headers ? new Blob([JSON.stringify(json)]).stream() : JSON.stringify(json);
      const answer = await server.request(method, path, {
        body: body as BodyInit,
        headers: { 'content-type': 'application/json' },
      });
      assert.is(answer.status, 413, answer.text.slice(0, 200));
    }
  });

test('a full playlist of the longest ids in indented JSON is within the limit', async () => {
  const imagesUids = Array.from({ length: 1_000 }, (_, index) => `${'X'.repeat(60)}${1000 + index}`);
  const body = JSON.stringify({ imagesUids, description: '\u00e9'.repeat(2_000) }, null, 4);
  const answer = await server.request('PUT', '/image/playlist/get/full/images', {
    key: user.key,
    headers: { 'content-type': 'application/json' },
    body,
  });
  assert.is(answer.status, 400);
});

test('20,000 message ids and a mail of 5 MiB are within the limit', async () => {
  const messageIds = Array.from({ length: 20_000 }, (_, index) => `${'m'.repeat(60)}${index}@example.com`);
  const json = { mail: 'nobody@example.com', messageIds };
  assert.is((await server.request('POST', '/email/getmissing', { key: user.key, json })).status, 404);
  const mail = { from: 'a@b.example', to: 'c@d.example', subject: 's', content: 'x'.repeat(5 * MIB) };
  assert.is((await server.request('POST', '/email/send', { key: user.key, json: mail })).status, 403);
});

test('a batch of typed calls may be as large as all its calls together', async () => {
  const socials = { website: 'https://example.com' };
  const batch = Object.fromEntries(
    Array.from({ length: 4 }, (_, index) => [index, { ...socials, x: 'y'.repeat(200 * 1024) }]),
  );
  const path = `//trpc/${Array.from({ length: 4 }, () => 'user.patchSocials').join(',')}?batch=1`;
  const answer = await server.request('POST', path, { key: user.key, json: batch });
  assert.is(answer.status, 200, answer.text.slice(0, 300));
  const text = await server.request('POST', '//trpc/paste.create', {
    key: user.key,
    json: { text: 'x'.repeat(MIB) },
  });
  assert.is(text.status, 200);
});

const parts = (count: number, part: string) => `[${Array.from({ length: count }, () => part).join(',')}]`;
for (const [what, text] of [
  ['values', parts(500_000, '1')],
  ['lists', `${'['.repeat(150_000)}${']'.repeat(150_000)}`],
  ['objects', parts(150_000, '{}')],
  ['names', `{${Array.from({ length: 150_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
] as const)
  test(`413: JSON with more ${what} than any request needs, before it is parsed`, async () => {
    const body = `{"text":"x","more":${text}}`;
    const headers = { 'content-type': 'application/json' };
    for (const { key } of [user, { key: undefined }]) {
      const typed = await server.request('POST', '//trpc/paste.create', { key, body, headers });
      assert.is(typed.status, 413, typed.text.slice(0, 200));
      assert.is(typed.body.error.data.httpStatus, 413);
      const answer = await server.request('POST', '/paste/create', { key, body, headers });
      assert.is(answer.status, 413, answer.text.slice(0, 200));
      assert.is(answer.body.error, true);
    }
    const list = await server.request('POST', '/url/import?format=json', {
      key: user.key,
      body: text,
      headers,
    });
    assert.is(list.status, 413, list.text.slice(0, 200));
  });

test('a connection serves further requests after a typed call that is refused', async () => {
  const body = JSON.stringify({ more: Array.from({ length: 150_000 }, () => []) });
  const { hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname);
  const call = (length: number, rest: string) =>
    `POST /trpc/paste.create HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${rest}`;
  socket.write(call(body.length, `\r\n${body}`) + call(2, 'Connection: close\r\n\r\n{}'));
  const answers = (await socket.setEncoding('utf8').toArray()).join('');
  assert.equal(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 401']);
});

test('413: a form with more fields than any list has items', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = `text=x${'&a=1'.repeat(10_000)}`;
  const { key } = user;
  assert.is((await server.request('POST', '/paste/create', { key, body, headers })).status, 413);
  const fewer = body.slice(0, -4);
  assert.is((await server.request('POST', '/paste/create', { key, body: fewer, headers })).status, 200);
});

test.run();
