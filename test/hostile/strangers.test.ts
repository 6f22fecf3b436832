/**
 * Unauthenticated callers hold few resources of the server, and not for long; authenticated ones are not
 * affected.
 */
import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { until } from '../support/until.js';
import { nothingStaged } from './guarantees.js';
import { ask, headOf, open } from './raw.js';

const MIB = 1024 * 1024;
const MAIL = { MAILGUN_SIGNING_KEY: 'a signing key' };
/** How often a trickling client sends a byte, in milliseconds. */
const TRICKLE_MS = 20;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'multipart/form-data; boundary=b' };
const FILE_PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';

let server: TestServer;
let user: TestAccount;
const port = () => server.app.address.port;
const unauthenticated = () => server.app.services.limits.unauthenticated;

/** No request is counted, staged or open any more. */
async function nothingStays(): Promise<void> {
  await until(() => unauthenticated().memory.held === 0 && unauthenticated().staging.held === 0);
  await nothingStaged(server.dataDir);
}

const announced = (
  target: string,
  bytes: number,
  headers: Readonly<Record<string, string>>,
  method = 'POST',
) => headOf(method, target, { ...headers, 'Content-Length': String(bytes) });

/** Sends a byte now and then until the server ends the connection, and returns the answer. */
async function trickle(start: string): Promise<string> {
  const socket = await open(port());
  socket.write(start);
  const pieces = setInterval(() => socket.write('x'), TRICKLE_MS);
  const answer: Buffer[] = [];
  try {
    for await (const piece of socket) answer.push(piece);
  } catch {
    // Data sent after the server has closed may reset the connection; the answer before that counts.
  } finally {
    clearInterval(pieces);
    socket.destroy();
  }
  return Buffer.concat(answer).toString();
}

const pace = suite('trickling bodies');
pace.before(async () => {
  server = await startServer(MAIL, { graceMs: 3_000, bytesPerSecond: 64 * 1024 });
  user = await server.account();
});
pace.after(() => server.close());

const slow: Readonly<Record<string, () => string>> = {
  'a text': () => `${announced('/v1/paste/create', 8 * MIB - 1, JSON_TYPE)}{"text":"`,
  'a text of somebody known': () =>
    `${announced('/v1/paste/create', MIB, { ...JSON_TYPE, 'X-API-Key': user.key })}{"text":"`,
  'a text in chunks': () =>
    `${headOf('POST', '/v1/paste/create', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' })}fffff\r\n{"text":"`,
  'a form with a text': () => `${announced('/v1/paste/create', MIB, FORM_TYPE)}${FILE_PART}`,
  'a login': () => `${announced('/v1/auth/login', 1000, JSON_TYPE)}{"email":"`,
  'a call of tRPC': () => `${announced('/trpc/paste.create', MIB, JSON_TYPE)}{"text":"`,
  'the form of a page': () =>
    `${announced('/web/paste-create', MIB, { 'Content-Type': 'application/x-www-form-urlencoded' })}text=`,
  'a mail without a token': () => `${announced('/v1/email/inbound', 30 * MIB, FORM_TYPE)}${FILE_PART}`,
  'a file of a stranger': () => `${announced('/v1/image/upload', 7 * MIB, FORM_TYPE)}${FILE_PART}`,
  'a bare file of a stranger': () => announced('/v1/image/upload?filename=a.bin', 7 * MIB, {}),
  'a picture of a stranger': () =>
    announced('/v1/user/get/@me/avatar', MIB, { 'Content-Type': 'image/png' }, 'PUT'),
  'the fields before the file of somebody known': () =>
    `${announced('/v1/image/upload', MIB, { ...FORM_TYPE, 'X-API-Key': user.key })}--b\r\nContent-Disp`,
};
pace('each is answered 408 in the envelope, and its connection ends', async () => {
  const answers = Object.entries(slow).map(async ([what, start]) => [what, await trickle(start())] as const);
  for (const [what, answer] of await Promise.all(answers)) {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 408 /, what);
    assert.match(head, /connection: close/i, what);
    const { error, uniqueId, message } = JSON.parse(body);
    assert.equal([error, uniqueId, message], [true, null, 'The request did not arrive in time'], what);
  }
  await nothingStays();
});

pace('the rest of a body after its refusal may not trickle either', async () => {
  const answer = await trickle(announced('/v1/nowhere', MIB, JSON_TYPE));
  assert.match(answer, /^HTTP\/1\.1 404 /);
  assert.is(answer.split('HTTP/1.1').length, 2);
});

const patient = [
  ['with a key in its head', () => ({ 'X-API-Key': user.key }), () => FILE_PART, '\r\n--b--\r\n'],
  [
    'with a key in a field before it',
    () => ({}),
    () => `--b\r\nContent-Disposition: form-data; name="key"\r\n\r\n${user.key}\r\n${FILE_PART}`,
    '\r\n--b--\r\n',
  ],
] as const;
pace('a file with a key in a header, or in a field before it, has no time limit', async () => {
  const uploads = patient.map(async ([what, headers, before, after]) => {
    const start = before();
    const socket = await open(port());
    const size = start.length + 4 + after.length;
    socket.write(
      `${announced('/v1/image/upload', size, { ...FORM_TYPE, ...headers(), Connection: 'close' })}${start}ab`,
    );
    // It began earlier, so its own time is over too.
    await trickle(announced('/v1/image/upload?filename=a.bin', MIB, {}));
    socket.write(`cd${after}`);
    assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 200 /, what);
  });
  await Promise.all(uploads);
  await nothingStays();
});

pace('a text that keeps up may take longer than the grace period', async () => {
  const text = JSON.stringify({ text: 'x'.repeat(MIB) });
  const head = announced('/v1/paste/create', text.length, {
    ...JSON_TYPE,
    'X-API-Key': user.key,
    Connection: 'close',
  });
  const socket = await open(port());
  socket.write(head + text.slice(0, -1));
  await trickle(announced('/v1/image/upload?filename=a.bin', MIB, {}));
  socket.write(text.slice(-1));
  assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 200 /);
});

const budget = suite('resources held by strangers together');
budget.before(async () => {
  server = await startServer(MAIL);
  user = await server.account();
});
budget.after(() => server.close());

/** Starts text bodies until what they hold comes within `room` bytes of the limit. */
async function fill(room: number): Promise<Socket[]> {
  const bytes = Buffer.alloc(4 * MIB, 'x');
  const sockets: Socket[] = [];
  for (let left = unauthenticated().memory.limit - room; left > 0; left -= bytes.length) {
    const socket = await open(port());
    socket.write(announced('/v1/paste/create', 8 * MIB, JSON_TYPE));
    socket.write(bytes.subarray(0, left));
    sockets.push(socket);
  }
  await until(() => unauthenticated().memory.held >= unauthenticated().memory.limit - room);
  return sockets;
}

budget(
  'past the memory limit strangers are refused with 503 until it is free; accounts are served',
  async () => {
    const outcast = await server.account('BANNED');
    const sockets = await fill(MIB);
    const long = { text: 'x'.repeat(2 * MIB) };
    const refused = await server.request('POST', '/paste/create', { json: long });
    assert.equal([refused.status, refused.body.error], [503, true]);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    const form = await server.request('POST', '/paste/create', {
      form: fileForm('x'.repeat(2 * MIB), 'a.txt'),
    });
    assert.is(form.status, 503);
    const call = await server.request('POST', '//trpc/paste.create', { json: long });
    assert.equal([call.status, call.body.error.data.reason], [503, 'UNAVAILABLE']);
    const banned = await server.request('POST', '/paste/create', { json: long, key: outcast.key });
    assert.is(banned.status, 403, 'who may do nothing is refused before a byte is taken');
    assert.match(call.headers.get('retry-after') ?? '', /^\d+$/);
    const kept = { text: 'x'.repeat(MIB) };
    assert.is((await server.request('POST', '/paste/create', { json: kept, key: user.key })).status, 200);
    const named = fileForm('x'.repeat(MIB), 'a.txt');
    assert.is((await server.request('POST', '/paste/create', { form: named, key: user.key })).status, 200);
    for (const socket of sockets) socket.destroy();
    await nothingStays();
    assert.is((await server.request('POST', '/paste/create', { json: long })).status, 401);
    await nothingStays();
  },
);

budget('many small pieces are counted by what they take, not by what they announce', async () => {
  const socket = await open(port());
  socket.write(headOf('POST', '/v1/paste/create', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }));
  const pieces = 10_000;
  socket.write('1\r\nx\r\n'.repeat(pieces));
  await until(() => unauthenticated().memory.held > 50 * pieces);
  socket.destroy();
  await nothingStays();
});

for (const [what, target, headers, before] of [
  ['a form', '/v1/image/upload', FORM_TYPE, FILE_PART],
  ['a bare file', '/v1/image/upload?filename=a.bin', {}, ''],
  ['a mail', '/v1/email/inbound', FORM_TYPE, FILE_PART],
] as const)
  budget(
    `past the staging limit ${what} of a stranger is refused with 503, and nothing of it remains`,
    async () => {
      const { staging } = unauthenticated();
      // Others hold all but a mebibyte.
      const others = staging.limit - MIB;
      staging.add(others);
      try {
        const bytes = Buffer.alloc(4 * MIB, 'x');
        const head = announced(target, before.length + bytes.length + 9, headers);
        const body = Buffer.concat([Buffer.from(head + before), bytes, Buffer.from('\r\n--b--\r\n')]);
        const answer = await ask(port(), body);
        assert.is(answer.status, 503, answer.body.toString());
        assert.match(answer.headers.get('retry-after')?.[0] ?? '', /^\d+$/);
        const known = fileForm(bytes, 'a.bin');
        assert.is(
          (await server.request('POST', '/image/upload', { form: known, key: user.key })).status,
          200,
        );
        await until(() => staging.held === others);
      } finally {
        staging.add(-others);
      }
      await nothingStays();
    },
  );

budget('a file is counted while it is staged, and released when its sender vanishes', async () => {
  const socket = await open(port());
  const bytes = Buffer.alloc(4 * MIB, 'x');
  socket.write(announced('/v1/image/upload', 7 * MIB, FORM_TYPE) + FILE_PART);
  socket.write(bytes);
  await until(() => unauthenticated().staging.held > 3 * MIB);
  assert.ok(unauthenticated().memory.held < MIB, `${unauthenticated().memory.held}`);
  socket.destroy();
  await nothingStays();
});

budget('parts that are skipped are not counted', async () => {
  const socket = await open(port());
  socket.write(announced('/v1/image/upload', 7 * MIB, FORM_TYPE) + FILE_PART.replace('"file"', '"other"'));
  await new Promise((resolve) => socket.write(Buffer.alloc(6 * MIB, 'x'), resolve));
  socket.write('\r\n');
  await until(() => unauthenticated().memory.held > 0 && unauthenticated().memory.held < MIB);
  socket.destroy();
  await nothingStays();
});

pace.run();
budget.run();
