/**
 * Requests whose length, framing or method lies: each gets one clear answer, and its body is never taken as a
 * second request.
 */
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { isClear, nothingStaged } from './guarantees.js';
import { ask, converse, headOf } from './raw.js';

const test = suite('hostile framing');
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

const port = () => server.app.address.port;
const key = () => server.owner.key;
const PASTE = '{"text":"hello"}';
const CREATE = '/v1/paste/create';
const BYTES = { 'Content-Type': 'application/octet-stream' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (headers: Readonly<Record<string, string>>, body: string) =>
  `${headOf('POST', CREATE, { 'X-API-Key': key(), ...JSON_TYPE, ...headers })}${body}`;
/** More than is read of an unauthenticated body. */
const UNREAD = 12 * 1024 * 1024;
const inner = 'GET /v1/never HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Bytes for which a server and a proxy in front of it may disagree about where the request ends. */
const smuggled: Readonly<Record<string, () => string>> = {
  'a length and chunks': () =>
    post({ 'Content-Length': '4', 'Transfer-Encoding': 'chunked' }, `0\r\n\r\n${inner}`),
  'chunks and a length': () =>
    post({ 'Transfer-Encoding': 'chunked', 'Content-Length': String(inner.length + 5) }, `0\r\n\r\n${inner}`),
  'two lengths': () => post({ 'Content-Length': '16', 'content-length': '0' }, `${PASTE}${inner}`),
  'a list of lengths': () => post({ 'Content-Length': '16, 16' }, `${PASTE}${inner}`),
  'a negative length': () => post({ 'Content-Length': '-1' }, inner),
  'a length with a sign': () => post({ 'Content-Length': '+16' }, `${PASTE}${inner}`),
  'a length beyond all numbers': () => post({ 'Content-Length': '9'.repeat(40) }, inner),
  'a hexadecimal length': () => post({ 'Content-Length': '0x10' }, `${PASTE}${inner}`),
  'chunked twice': () =>
    post({ 'Transfer-Encoding': 'chunked', 'transfer-encoding': 'chunked' }, `0\r\n\r\n${inner}`),
  'chunked in disguise': () => post({ 'Transfer-Encoding': '\x0bchunked' }, `0\r\n\r\n${inner}`),
  'an unknown coding': () => post({ 'Transfer-Encoding': 'chunked, identity' }, `0\r\n\r\n${inner}`),
  'a space before the colon': () => post({ 'Transfer-Encoding ': 'chunked' }, `0\r\n\r\n${inner}`),
  'a folded header': () => post({ 'X-A': 'b\r\n Transfer-Encoding: chunked' }, `0\r\n\r\n${inner}`),
  'a bare carriage return': () => post({ 'X-A': 'b\rTransfer-Encoding: chunked' }, `0\r\n\r\n${inner}`),
  'a chunk that lies': () =>
    post({ 'Transfer-Encoding': 'chunked' }, `5\r\nhello world\r\n0\r\n\r\n${inner}`),
  'a chunk without a number': () => post({ 'Transfer-Encoding': 'chunked' }, `zz\r\nhello\r\n0\r\n\r\n`),
  'a negative chunk': () => post({ 'Transfer-Encoding': 'chunked' }, `-1\r\nhello\r\n0\r\n\r\n`),
  'a chunk beyond all numbers': () => post({ 'Transfer-Encoding': 'chunked' }, `${'f'.repeat(17)}\r\nx`),
  'a chunk with an endless extension': () =>
    post({ 'Transfer-Encoding': 'chunked' }, `5;${'x'.repeat(200_000)}\r\nhello\r\n0\r\n\r\n`),
  'trailers without end': () =>
    post({ 'Transfer-Encoding': 'chunked' }, `0\r\n${'X-T: x\r\n'.repeat(20_000)}\r\n`),
  'HTTP/1.0 with chunks': () =>
    post({ 'Transfer-Encoding': 'chunked' }, `0\r\n\r\n${inner}`).replace('HTTP/1.1', 'HTTP/1.0'),
  'HTTP/9.9': () => inner.replace('HTTP/1.1', 'HTTP/9.9'),
  'HTTP/2 without being asked': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a TLS greeting': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
};

for (const [what, bytes] of Object.entries(smuggled)) {
  test(`${what}: refused, the connection ends, and what follows is not served`, async () => {
    const answers = await converse(port(), bytes(), { answers: 2 });
    assert.ok(answers.length <= 1, `${answers.map(({ status }) => status)}`);
    for (const answer of answers) {
      isClear(answer, what);
      assert.ok(answer.status >= 400, `${answer.status}`);
    }
  });
}

test('two requests on one connection get two answers in order', async () => {
  const first = post({ 'Content-Length': String(PASTE.length) }, PASTE);
  const [one, two] = await converse(port(), `${first}${inner}`, { answers: 2 });
  assert.equal([one?.status, two?.status], [200, 404]);
});

test('a body shorter than announced is neither answered nor stored; excess bytes are the next request', async () => {
  const before = (await server.request('GET', '/paste/stats')).body.message.total_pastes;
  const short = post({ 'Content-Length': '400', Connection: 'close' }, PASTE);
  const cut = converse(port(), short);
  server.app.server.closeIdleConnections();
  const longer = await converse(port(), post({ 'Content-Length': '3' }, PASTE), { answers: 2 });
  assert.ok(longer.length > 0 && longer.every(({ status }) => status === 400));
  server.app.server.closeAllConnections();
  assert.equal(await cut, []);
  assert.is((await server.request('GET', '/paste/stats')).body.message.total_pastes, before);
});

test('Expect: 100-continue is answered at once; other expectations are 417', async () => {
  const ready = post({ Expect: '100-continue', 'Content-Length': String(PASTE.length) }, PASTE);
  const answers = await converse(port(), ready);
  assert.equal(
    answers.map(({ status }) => status),
    [100, 200],
  );
  const odd = await ask(port(), post({ Expect: 'a miracle', 'Content-Length': '16' }, PASTE));
  assert.is(odd.status, 417);
  isClear(odd, 'an expectation');
});

test('an Upgrade to another protocol is ignored, and changes nothing else', async () => {
  const offer = { Connection: 'Upgrade', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQCAAAAAAIAAAAA' };
  for (const [method, target, status] of [
    ['GET', '/v1/status', 200],
    ['HEAD', '/v1/status', 200],
    ['GET', '/v1/nowhere', 404],
    ['POST', CREATE, 401],
  ] as const) {
    const answer = await ask(port(), headOf(method, target, offer), { head: method === 'HEAD' });
    assert.is(answer.status, status, `${method} ${target}`);
    assert.equal(answer.headers.get('connection'), ['close']);
  }
  // As Java's HttpClient and `curl --http2` send their bodies.
  const whole = { ...offer, 'Content-Length': String(PASTE.length) };
  const chunks = `5\r\n${PASTE.slice(0, 5)}\r\nb\r\n${PASTE.slice(5)}\r\n0\r\n\r\n`;
  for (const sent of [
    post(whole, PASTE),
    post({ ...offer, 'Transfer-Encoding': 'chunked' }, chunks),
    post({ ...whole, Upgrade: 'websocket' }, PASTE),
  ]) {
    const answer = await ask(port(), sent);
    assert.is(answer.status, 200, sent);
    assert.match(answer.body.toString(), '"content":"hello"');
    assert.equal(answer.headers.get('connection'), ['close']);
  }
  const waits = await converse(port(), post({ ...whole, Expect: '100-continue' }, PASTE));
  assert.equal(
    waits.map(({ status }) => status),
    [100, 200],
  );
  const twice = `${headOf('GET', '/v1/status', {})}${headOf('GET', '/v1/status', offer)}`;
  for (const { status } of await converse(port(), twice, { answers: 2 })) assert.is(status, 200);
});

test('a compressed body is refused, and never decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20));
  for (const coding of ['gzip', 'x-gzip', 'br', 'deflate', 'zstd', 'nonsense'])
    for (const target of [CREATE, '/v1/image/upload', '/v1/auth/login', '/trpc/paste.create']) {
      const head = headOf('POST', target, {
        'X-API-Key': key(),
        ...JSON_TYPE,
        'Content-Encoding': coding,
        'Content-Length': String(bomb.length),
      });
      const answer = await ask(port(), Buffer.concat([Buffer.from(head), bomb]));
      assert.ok([400, 415].includes(answer.status), `${coding} ${target} ${answer.status}`);
    }
});

test('methods: 405 if the path lacks it; 400, 404 or 405 if it is unknown', async () => {
  for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'M-SEARCH', 'PURGE', 'LOCK', 'SOURCE', 'QUERY'])
    for (const target of ['/v1/image/get/x', '/r/x', '/web/login', '/status', '/web/assets/none.js']) {
      const answer = await ask(port(), headOf(method, target, {}));
      if (!target.startsWith('/web')) isClear(answer, `${method} ${target}`);
      assert.ok([400, 404, 405].includes(answer.status), `${method} ${target} ${answer.status}`);
    }
  for (const method of ['get', 'Get', 'FOO', 'GET\t', '', 'G\x00ET', 'GET/', 'X'.repeat(9_000)]) {
    const answer = await ask(port(), headOf(method, '/v1/status', {}));
    isClear(answer, method.slice(0, 20));
    assert.ok(answer.status === 400 || answer.status === 431, `${method.slice(0, 20)} ${answer.status}`);
  }
  for (const [method, status] of [
    ['OPTIONS', [200, 204, 404, 405]],
    ['DELETE', [405]],
  ] as const) {
    const answer = await ask(port(), headOf(method, CREATE, {}));
    isClear(answer, method);
    assert.ok(
      status.some((one) => one === answer.status),
      `${method} ${answer.status}`,
    );
  }
});

test('headers: too many or too long ones are 431; unusual ones are accepted or refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`X-${index}`, 'x']));
  const some = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`X-${index}`, 'x']));
  for (const [headers, statuses] of [
    [many, [431]],
    [some, [200]],
    [{ Cookie: 'x'.repeat(20_000) }, [431]],
    [{ 'X-A': 'a\x00b' }, [400]],
    [{ 'X-A': '\xff\xfe' }, [200]],
    [{ '': 'x' }, [400]],
    [{ 'X\x7fA': 'x' }, [400]],
    [{ Authorization: 'Basic %%%' }, [200]],
    [{ 'X-API-Key': '\xff\xfe', 'x-api-key': 'second' }, [200, 401]],
    [{ Accept: `text/html;q=${'9'.repeat(5_000)}` }, [200, 302, 406]],
    [{ 'Accept-Encoding': '*;q=nan, ,;;' }, [200]],
    [{ 'If-None-Match': `${'"x",'.repeat(3_000)}` }, [200]],
    [{ 'If-Modified-Since': 'yesterday' }, [200]],
  ] as [Record<string, string>, number[]][]) {
    const answer = await ask(port(), headOf('GET', '/v1/status', headers));
    const what = JSON.stringify(headers).slice(0, 60);
    if (answer.status >= 400) isClear(answer, what);
    assert.ok(statuses.includes(answer.status), `${what} ${answer.status}`);
  }
});

test('cookies with invalid bytes are no session, and cause no error', async () => {
  for (const cookie of [
    'session_token=%ff%fe%',
    'session_token=\xff\xfe\x80',
    'session_token',
    '=;=;=',
    'session_token=; session_token=x',
    '__proto__=x; constructor=y; session_token=__proto__',
    `session_token=${'x'.repeat(10_000)}`,
    `${'a=b; '.repeat(2_500)}`,
    'session_token="quoted\\"',
    'session_token=a,b; verify_token=%00; mailbox_token=%0d%0a; oauth_state=../../x',
  ])
    for (const target of [
      '/v1/auth/me',
      '/v1/status',
      '/web/login',
      '/trpc/auth.me',
      '/v1/chatapp/callback',
    ]) {
      const answer = await ask(port(), headOf('GET', target, { Cookie: cookie }));
      assert.ok(answer.status < 500, `${cookie.slice(0, 40)} ${target} ${answer.status}`);
    }
});

/** Bodies that are refused before they have been read, with the reason. */
const unread: Readonly<Record<string, readonly [status: number, head: () => string, size: number]>> = {
  'a raw file from nobody': [
    401,
    () => headOf('POST', '/v1/image/upload?filename=a.bin', { 'Content-Length': String(UNREAD) }),
    UNREAD,
  ],
  'a raw archive from nobody': [
    401,
    () => headOf('POST', '/v1/image/upload/zip', { ...BYTES, 'Content-Length': String(UNREAD) }),
    UNREAD,
  ],
  'a picture from nobody': [
    401,
    () => headOf('PUT', '/v1/user/get/@me/avatar', { ...BYTES, 'Content-Length': String(UNREAD) }),
    UNREAD,
  ],
  'a text in one chunk too large': [
    413,
    () =>
      `${headOf('POST', CREATE, { 'X-API-Key': key(), ...JSON_TYPE, 'Transfer-Encoding': 'chunked' })}${UNREAD.toString(16)}\r\n`,
    UNREAD,
  ],
};

for (const [what, [status, head, size]] of Object.entries(unread))
  test(`${what}: its connection ends with the answer, and serves no other request`, async () => {
    const end = head().includes('chunked') ? '\r\n0\r\n\r\n' : '';
    const next = headOf('GET', '/v1/status', {});
    const bytes = Buffer.concat([Buffer.from(head()), Buffer.alloc(size, 'x'), Buffer.from(end + next)]);
    const answers = await converse(port(), bytes, { answers: 2 });
    assert.equal(
      answers.map((answer) => answer.status),
      [status],
    );
  });

test('nothing is left behind, and the server keeps running', async () => {
  await nothingStaged(server.dataDir);
  assert.is((await server.request('GET', '/status')).status, 200);
});

test.run();
