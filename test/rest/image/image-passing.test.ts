/**
 * Content that is not cached in memory is sent through reused buffers: nobody may ever see someone else's
 * bytes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mapLimit } from '../../../routers/base/map-limit.js';
import { fileForm, startServer, type TestServer } from '../../harness.js';

const MiB = 1024 * 1024;
/** As many of these as memory keeps, plus one. */
const LARGE = 8 * MiB;
const SMALL = 250 * 1024;
const FILES = 240;
const AT_ONCE = 40;
/** More than the buffers of one connection hold. */
const WAITING = 80;

const test = suite<{ server: TestServer }>('uncached content');

test.before(async (given) => {
  given.server = await startServer();
});
test.after(({ server }) => server.close());

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function upload(server: TestServer, bytes: Buffer): Promise<{ url: string; hash: string }> {
  const form = fileForm(bytes, 'x.bin');
  const { status, body } = await server.request('POST', '/image/upload', { key: server.owner.key, form });
  assert.is(status, 200);
  return { url: `${server.base}/image/get/${body.uniqueId}`, hash: sha256(bytes) };
}

const answerOf = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject);
  });

/** Reads an answer: at once, or a little with each turn of the event loop. */
async function readAll(answer: IncomingMessage, slowly: boolean): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of answer) {
    hash.update(chunk);
    if (slowly) for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  }
  return hash.digest('hex');
}

/** The bodies of the answers to concurrent requests, read only after `meanwhile`. */
async function pipelined(
  { app }: TestServer,
  paths: readonly string[],
  meanwhile: () => Promise<unknown>,
): Promise<string[]> {
  const socket = connect(app.address.port, '127.0.0.1');
  socket.pause();
  const last = paths.length - 1;
  for (const [index, path] of paths.entries())
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${index === last ? 'Connection: close\r\n' : ''}\r\n`);
  await meanwhile();
  let bytes = await buffer(socket);
  return paths.map(() => {
    const head = bytes.indexOf('\r\n\r\n') + 4;
    const length = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1]);
    const hash = sha256(bytes.subarray(head, head + length));
    bytes = bytes.subarray(head + length);
    return hash;
  });
}

test('each reader gets its own content, among slow and disconnecting readers', async ({ server }) => {
  for (let filled = 0; filled < 11; filled += 1) {
    const { url } = await upload(server, randomBytes(LARGE - 1024));
    await (await fetch(url)).arrayBuffer();
  }
  const { hot } = server.app.services;
  const files: { url: string; hash: string }[] = [];
  await mapLimit(8, Array.from({ length: FILES }), async () => {
    files.push(await upload(server, randomBytes(SMALL)));
  });
  const before = hot.bytes;
  for (const { url } of files.splice(0, AT_ONCE)) await (await fetch(url)).arrayBuffer();
  const some = files.splice(0, WAITING);
  const hashes = await pipelined(
    server,
    some.map(({ url }) => new URL(url).pathname),
    () =>
      mapLimit(AT_ONCE, [...files.entries()], async ([number, { url, hash }]) => {
        const answer = await answerOf(url);
        if (number % 4 === 0) answer.destroy();
        else assert.is(await readAll(answer, number % 4 === 1), hash);
      }),
  );
  assert.equal(
    hashes,
    some.map(({ hash }) => hash),
  );
  assert.ok(hot.bytes < before + FILES * SMALL, 'memory did not keep them all');
  const ranges = files.slice(0, AT_ONCE).map(({ url }) => fetch(url, { headers: { range: 'bytes=1-9' } }));
  for (const answer of await Promise.all(ranges)) assert.is((await answer.arrayBuffer()).byteLength, 9);
});

test('so do readers of large content in pieces', async ({ server }) => {
  const files = await Promise.all([1, 2, 3].map(() => upload(server, randomBytes(LARGE + MiB))));
  const readers = Array.from({ length: 8 }, () => files).flat();
  await mapLimit(readers.length, [...readers.entries()], async ([number, { url, hash }]) => {
    const answer = await answerOf(url);
    if (number % 4 === 0) answer.once('data', () => answer.destroy());
    else assert.is(await readAll(answer, number % 4 === 1), hash);
  });
  const [first] = files;
  const part = await fetch(first?.url ?? '', { headers: { range: `bytes=${MiB}-${4 * MiB}` } });
  assert.is(part.status, 206);
  assert.is((await part.arrayBuffer()).byteLength, 3 * MiB + 1);
});

test.run();
