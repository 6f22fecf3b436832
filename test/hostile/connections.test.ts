/** Connections whose answers are delayed, come early, or end the connection. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { until } from '../support/until.js';
import { filesIn, nothingStaged, openIn } from './guarantees.js';
import { converse, headOf, open } from './raw.js';

const MIB = 1024 * 1024;
/** More than the system buffers for a client that does not read. */
const LARGE = 12 * MIB;
const MANY = 50;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'multipart/form-data; boundary=b' };
const FILE_PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';

let server: TestServer;
const port = () => server.app.address.port;
const unauthenticated = () => server.app.services.limits.unauthenticated;
const announced = (target: string, bytes: number, headers: Readonly<Record<string, string>>) =>
  headOf('POST', target, { ...headers, 'Content-Length': String(bytes) });
const nothingCounted = () =>
  until(() => unauthenticated().memory.held === 0 && unauthenticated().staging.held === 0);

/** What many simple clients do: everything is sent before anything is read. */
async function sendThenRead(bytes: Buffer): Promise<string> {
  const socket = await open(port());
  socket.pause();
  await new Promise<void>((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
  return Buffer.concat(await socket.toArray()).toString();
}

const connections = suite('connections');
connections.before(async () => {
  server = await startServer({}, { graceMs: 4_000, bytesPerSecond: 64 * 1024 });
});
connections.after(() => server.close());

for (const [what, query] of [
  ['bytes', ''],
  ['base64', '?base64=true'],
] as const)
  connections(
    `of pipelined requests for ${what} one is processed at a time, and none after the client is gone`,
    async () => {
      const form = fileForm(Buffer.alloc(LARGE, what), 'large.bin');
      const { body } = await server.request('POST', '/image/upload', { key: server.owner.key, form });
      const filesOpen = async () => (await openIn(process.pid, server.dataDir)).files;
      const before = await filesOpen();
      const socket = await open(port());
      socket.write(headOf('GET', `/v1/image/get/${body.uniqueId}${query}`, {}).repeat(MANY));
      await until(async () => (await filesOpen()) > before);
      assert.is((await server.request('GET', '/status')).status, 200);
      assert.ok((await filesOpen()) - before <= 2, `${await filesOpen()} files are open`);
      socket.destroy();
      await until(async () => (await filesOpen()) === before);
    },
  );

connections('pipelined requests are answered in order, with their bodies', async () => {
  const text = (number: number) => JSON.stringify({ text: `text ${number}` });
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  const key = { 'X-API-Key': server.owner.key };
  const bytes = numbers.map(
    (number) =>
      announced('/v1/paste/create', text(number).length, { ...JSON_TYPE, ...key }) +
      text(number) +
      headOf('GET', `/v1/nothing-${number}`, {}),
  );
  const answers = await converse(port(), bytes.join(''), { answers: 2 * numbers.length });
  assert.equal(
    answers.map(({ status }) => status),
    numbers.flatMap(() => [200, 404]),
  );
  for (const number of numbers)
    assert.is(JSON.parse(answers[2 * number]?.body.toString() ?? '').message.content, `text ${number}`);
});

const early = {
  'a text that is too long': () => [413, announced('/v1/paste/create', LARGE, JSON_TYPE)],
  'a file with a wrong key': () => [
    401,
    announced('/v1/image/upload?filename=a.bin', LARGE, { 'X-API-Key': 'wrong' }),
  ],
  'a form with a wrong key': () => [
    401,
    announced('/v1/image/upload', LARGE, { ...FORM_TYPE, 'X-API-Key': 'wrong' }) + FILE_PART,
  ],
  'a file of a stranger in a form': () => [401, announced('/v1/image/upload', LARGE, FORM_TYPE) + FILE_PART],
  'a body for nobody': () => [404, announced('/v1/nowhere', LARGE, {})],
} satisfies Record<string, () => [number, string]>;

for (const [what, start] of Object.entries(early)) {
  connections(`${what} is answered before all of it has arrived, and no longer counts`, async () => {
    const [status, head] = start();
    const socket = await open(port());
    socket.write(head);
    socket.write(Buffer.alloc(9 * MIB, 'x'));
    const [answer] = await new Promise<Buffer[]>((resolve) =>
      socket.once('data', (...data) => resolve(data)),
    );
    assert.match(answer?.toString() ?? '', new RegExp(`^HTTP/1\\.1 ${status} `));
    // It keeps sending.
    socket.write(Buffer.alloc(2 * MIB, 'x'));
    await nothingCounted();
    await nothingStaged(server.dataDir);
    socket.destroy();
  });

  connections(
    `${what} gets its answer on a connection that ends with it, even if it is read late`,
    async () => {
      const [status, head] = start();
      const bytes = Buffer.concat([
        Buffer.from(head.replace('\r\n', '\r\nConnection: close\r\n')),
        Buffer.alloc(LARGE, 'x'),
      ]);
      for (let turn = 0; turn < 5; turn += 1)
        assert.match(await sendThenRead(bytes), new RegExp(`^HTTP/1\\.1 ${status} `));
      await nothingCounted();
    },
  );
}

connections('a request that timed out is not carried out when the rest of it arrives', async () => {
  const json = JSON.stringify({ text: 'too late' });
  const key = { 'X-API-Key': server.owner.key };
  const count = async (): Promise<number> => {
    const { status, body } = await server.request('GET', '/paste/stats', { key: server.owner.key });
    assert.is(status, 200);
    return body.message.total_pastes;
  };
  const before = await count();
  assert.type(before, 'number');
  // Its side is closed some time after the answer: until then the rest may still arrive.
  const closed = new Promise((resolve) => {
    server.app.server.once('connection', (theirs) => theirs.once('close', resolve));
  });
  const socket = await open(port());
  socket.write(announced('/v1/paste/create', json.length, { ...JSON_TYPE, ...key }) + json.slice(0, 5));
  const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  assert.match(answer.toString(), /^HTTP\/1\.1 408 /);
  socket.write(json.slice(5));
  await closed;
  socket.destroy();
  assert.is(await count(), before);
  assert.is(await filesIn(server.dataDir, 'staging'), 0);
});

connections('while strangers hold too much, an account can still sign in', async () => {
  const { memory } = unauthenticated();
  memory.add(memory.limit);
  try {
    const { email, password } = server.owner;
    const json = { email, password };
    assert.is((await server.request('POST', '/auth/login', { json })).status, 200);
    const long = { email, password: 'x'.repeat(100_000) };
    assert.is((await server.request('POST', '/auth/login', { json: long })).status, 503);
  } finally {
    memory.add(-memory.limit);
  }
});

connections.run();
