// on both databases
/** Files that the server fetches for its page: how far they are, and how they end. */
import { readdir } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { until } from '../../support/until.js';
import { LOOPBACK_ALLOWED } from '../../support/web/webhook.js';

const test = suite('files that are fetched for a page');
const MAX = 2 * 1024 * 1024;
const HALF = 256 * 1024;
const PAGE = '//web/image-upload/url';
let server: TestServer;
let second: TestServer;
let user: TestAccount;
let other: Server;
let base: string;
/** Answers that wait for what a test does next. */
const open: ServerResponse[] = [];

test.before(async () => {
  other = createServer((request, response) => {
    const known = request.url?.startsWith('/known');
    response.writeHead(200, known ? { 'content-length': String(2 * HALF) } : {});
    response.write(Buffer.alloc(HALF, 'a'), () => open.push(response));
  });
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const env = { MAX_UPLOAD_BYTES: String(MAX), ...LOOPBACK_ALLOWED };
  server = await startServer(env);
  second = await startServer({ ...env, DATA_DIR: server.dataDir });
  user = await server.account();
});
test.after(async () => {
  other.closeAllConnections();
  other.close();
  await second.close();
  await server.close();
});

/** Sends the form, and answers with the page of the transfer once half of the file is on its way. */
async function begun(path: string, fields: Record<string, string> = {}): Promise<string> {
  open.length = 0;
  const form = new URLSearchParams({ url: base + path, ...fields });
  const answer = await server.request('POST', PAGE, { key: user.key, form });
  assert.is(answer.status, 303, answer.text);
  await until(async () => open.length === 1);
  return `/${answer.headers.get('location')}`;
}
const show = (at: string, by = server) => by.request('GET', at, { key: user.key });
const progress = async (at: string) => {
  const headers = { accept: 'application/json' };
  const { status, body } = await server.request('GET', at, { key: user.key, headers });
  return { status, ...body };
};
const rest = () => open[0]?.end(Buffer.alloc(HALF, 'b'));
const partsLeft = async () => {
  const keys: string[] = [];
  for await (const { key } of server.app.services.storage.blobs.parts.list()) keys.push(key);
  return [...keys, ...(await readdir(join(server.dataDir, 'staging')))];
};
const nothingLeft = () => until(async () => (await partsLeft()).length === 0);

test('its page says how much is here, in percent, and reloads itself without a script', async () => {
  const at = await begun('/known', { uniqueId: 'known-size', filename: 'k.bin' });
  await until(async () => (await progress(at)).part === 0.5);
  const { status, text } = await show(at);
  assert.is(status, 202);
  assert.match(text, /<noscript><meta http-equiv="refresh" content="2"/);
  assert.match(text, '50 % of 512 KB');
  assert.match(text, /<progress value="0.5"/);
  assert.equal(await progress(at), { status: 202, text: '50 % of 512 KB', part: 0.5 });
  const german = { 'accept-language': 'de', accept: 'application/json' };
  const told = await server.request('GET', at, { key: user.key, headers: german });
  assert.is(told.body.text, '50 % von 512 KB');
  rest();
  await until(async () => (await show(at)).status === 200);
  assert.match((await show(at)).text, 'known-size');
  assert.is((await show(at, second)).status, 200, 'any process knows it');
  const { message } = (await server.request('GET', '/image/get/known-size?info=true', { key: user.key }))
    .body;
  assert.equal([message.originalName, message.size], ['k.bin', 2 * HALF]);
  await nothingLeft();
});

test('without a length it says how many bytes are here', async () => {
  const at = await begun('/stream', { uniqueId: 'no-size' });
  await until(async () => (await progress(at)).text === '256 KB so far');
  const { status, text } = await show(at);
  assert.is(status, 202);
  assert.match(text, /<progress aria-label="Progress"/);
  rest();
  await until(async () => (await show(at)).status === 200);
  assert.is((await server.request('GET', '/image/get/no-size?info=true', { key: user.key })).status, 200);
});

test('it is cancelled by a button, in any process, and leaves nothing', async () => {
  for (const by of [server, second]) {
    const at = await begun('/known');
    const ended = await by.request('POST', at, { key: user.key, form: new URLSearchParams() });
    assert.equal(
      [ended.status, ended.headers.get('location')],
      [303, '/web/image-upload/url?done=cancelled'],
    );
    assert.is((await show(at)).status, 404);
    await until(async () => open[0]?.destroyed === true);
    await nothingLeft();
  }
  const { usage } = (await server.request('GET', '/limits/me', { key: user.key })).body.message;
  assert.is(usage.IMAGE.dailyCount, 2, 'those of the tests before');
});

test('what fails on its way is said in the form, with what was typed, in the language of the reader', async () => {
  const at = await begun('/known?cut', { desc: 'what it is', password: 'sesame' });
  open[0]?.destroy();
  await until(async () => (await progress(at)).status === 200);
  const { status, text } = await show(at);
  assert.is(status, 200);
  assert.match(text, 'The connection to the other server was lost: try again');
  assert.match(text, `value="${base}/known?cut"`);
  assert.match(text, 'value="what it is"');
  assert.match(text, 'Enter the password again');
  assert.not.match(text, 'sesame');
  const headers = { 'accept-language': 'sk' };
  const slovak = await server.request('GET', at, { key: user.key, headers });
  assert.match(slovak.text, 'Spojenie s druhým serverom sa prerušilo: skúste to znova');
  await nothingLeft();
});

test('one that grows too large is ended with the limit, with its values in every language', async () => {
  const at = await begun('/stream');
  open[0]?.end(Buffer.alloc(MAX, 'c'));
  await until(async () => (await progress(at)).status === 200);
  assert.match((await show(at)).text, 'A file can be at most 2 MB');
  const headers = { 'accept-language': 'de' };
  assert.match(
    (await server.request('GET', at, { key: user.key, headers })).text,
    /Eine Datei darf höchstens 2 MB/,
  );
  await nothingLeft();
});

test('a server that stops ends its transfers, and says so', async () => {
  open.length = 0;
  const third = await startServer({
    ...{ MAX_UPLOAD_BYTES: String(MAX), DATA_DIR: server.dataDir },
    ...LOOPBACK_ALLOWED,
  });
  const form = new URLSearchParams({ url: `${base}/known` });
  const answer = await third.request('POST', PAGE, { key: user.key, form });
  const at = `/${answer.headers.get('location')}`;
  await until(async () => open.length === 1);
  await third.close();
  const { status, text } = await show(at);
  assert.is(status, 200);
  assert.match(text, 'The transfer has ended with the program of this server: fetch the file again');
  await nothingLeft();
});

test('one whose process was killed has failed once nobody holds it, and counts no more', async () => {
  const at = await begun('/known');
  const { db } = server.app.services;
  const secret = at.split('/').at(-1) ?? '';
  open[0]?.destroy();
  await until(async () => (await progress(at)).status === 200);
  const long = Date.now() - 60_000;
  // As a kill leaves it.
  await db.write((trx) =>
    trx('uploads')
      .orderBy('id', 'desc')
      .where('state', 'failed')
      .update({ state: 'receiving', lock_token: 'dead', lock_until: long, expires_at: long + 86_400_000 }),
  );
  const before = (await server.request('GET', '/limits/me', { key: user.key })).body.message.usage;
  const { text } = await show(at);
  assert.match(text, 'The transfer has ended with the program of this server: fetch the file again');
  const after = (await server.request('GET', '/limits/me', { key: user.key })).body.message.usage;
  assert.ok(after.IMAGE.dailyCount < before.IMAGE.dailyCount);
  const state = await server.request('GET', `/image/upload/resumable/${secret}`);
  assert.is(state.body.message.state, 'failed');
});

test('the address of an upload of another kind is none of a transfer', async () => {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '10' };
  const made = await server.request('POST', '/image/upload/resumable', { key: user.key, headers });
  const secret = made.headers.get('location')?.split('/').at(-1);
  assert.is((await show(`${PAGE}/${secret}`)).status, 404);
});

test.run();
