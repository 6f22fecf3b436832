/** Bytes that memory does not keep pass through buffers that are used again: nobody may ever see another's. */
import { createHash, randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { atOnce } from '../../routers/at-once.js';
import { fileForm, startServer, type TestServer } from '../harness.js';

const MiB = 1024 * 1024;
/** Of these, one less than memory keeps fills it. */
const LARGE = 8 * MiB;
const SMALL = 250 * 1024;
const FILES = 160;
const AT_ONCE = 40;

const test = suite<{ server: TestServer }>('bytes that pass');

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

test('each reader gets its own, among slow ones and such that go away', async ({ server }) => {
  for (let filled = 0; filled < 11; filled += 1) {
    const { url } = await upload(server, randomBytes(LARGE - 1024));
    await (await fetch(url)).arrayBuffer();
  }
  const { hot } = server.app.services;
  const files: { url: string; hash: string }[] = [];
  await atOnce(8, Array.from({ length: FILES }), async () => {
    files.push(await upload(server, randomBytes(SMALL)));
  });
  const before = hot.bytes;
  await atOnce(AT_ONCE, [...files.entries()], async ([number, { url, hash }]) => {
    const answer = await answerOf(url);
    if (number % 4 === 0) answer.destroy();
    else assert.is(await readAll(answer, number % 4 === 1), hash);
  });
  assert.ok(hot.bytes < before + FILES * SMALL, 'memory did not keep them all');
  const ranges = files.slice(0, AT_ONCE).map(({ url }) => fetch(url, { headers: { range: 'bytes=1-9' } }));
  for (const answer of await Promise.all(ranges)) assert.is((await answer.arrayBuffer()).byteLength, 9);
});

test.run();
