/**
 * A data folder of one of the first versions, which had two migrations, opens with this one. The version that ran at
 * commit ab3948a made it, through its interface; it must never be made anew.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { ROOT } from '../support/root.js';

const run = promisify(execFile);

/** What its owner used then. */
const KEY = 'an-api-key-of-november-2026-0123456789';
const SIGN_IN = { email: 'ada@example.org', password: 'a password of 2026' };
const [OPEN, LOCKED, LINK, IMAGE] = ['VGY0D1AS', 'SETH1N0P', '4Y3DCU4Z', '1YQXWV3T'];
const IMAGE_SHA256 = '6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0';

const test = suite<{ dataDir: string; server: TestServer }>('first data folder');

test.before(async (given) => {
  given.dataDir = await mkdtemp(join(tmpdir(), 'holdall-first-'));
  await run('tar', ['-xzf', join(ROOT, 'test/fixtures/first-data-folder.tar.gz'), '-C', given.dataDir]);
  given.server = await startServer({
    DATA_DIR: given.dataDir,
    ...{ OWNER_USERNAME: '', OWNER_EMAIL: '', OWNER_PASSWORD: '', OWNER_API_KEY: '' },
  });
});
test.after(async ({ dataDir, server }) => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

test('its account keeps its password and its key', async ({ server }) => {
  assert.is((await server.request('POST', '/auth/login', { json: SIGN_IN })).status, 200);
  const me = await server.request('GET', '/auth/me', { key: KEY });
  assert.is(me.status, 200);
  assert.is(me.body.message.username, 'ada');
  assert.is(me.body.message.role, 'OWNER');
});

test('its pastes are served, the locked one for its password only', async ({ server }) => {
  const open = await server.request('GET', `/paste/get/${OPEN}`);
  assert.is(open.body.message.title, 'First');
  assert.is(open.body.message.content, 'kept since the first schema');
  assert.is((await server.request('GET', `/paste/get/${LOCKED}`)).status, 403);
  const locked = await server.request('GET', `/paste/get/${LOCKED}?password=door`);
  assert.is(locked.body.message.content, 'kept behind a password');
});

test('its image is served, byte for byte', async ({ server }) => {
  const answer = await fetch(`${server.base}/image/get/${IMAGE}`);
  assert.is(answer.status, 200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.is(createHash('sha256').update(bytes).digest('hex'), IMAGE_SHA256);
});

test('its link leads on, and its visit from then still counts', async ({ server }) => {
  const answer = await fetch(`${server.base}/url/r/${LINK}`, { redirect: 'manual' });
  assert.is(answer.headers.get('location'), 'https://example.org/kept');
  const link = await server.request('GET', `/url/get/${LINK}`, { key: KEY });
  assert.is(link.body.message.visits, 2);
  const logs = await server.request('GET', `/url/get/${LINK}/logs`, { key: KEY });
  assert.is(logs.status, 200);
  assert.match(logs.text, /Firefox/);
});

test('the statistics count what was there before they existed', async ({ server }) => {
  const { body } = await server.request('GET', '/paste/stats');
  assert.is(body.message.total_pastes, 2);
});

test.run();
