/**
 * One part of DATA_DIR is full, or read-only, while the others are not. Only requests that need that part are
 * refused, with 507 or 503 and a sentence, and leave nothing behind; everything else works.
 *
 * files and staging full: uploads 507; reads, pastes, links and deletions work
 * temporary files full: files that must be rewritten are 507, never stored with their metadata or in part
 * database full: all writes are 507, visits included; reads work
 * files read-only: uploads 503, `/status` 503; reads, pastes and links work
 * everything read-only: the start ends with a sentence
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sweep } from '../../server/runtime/upkeep/sweep.js';
import { type Answer, fileForm, startServer, type TestServer } from '../harness.js';
import { nothingStaged } from '../hostile/guarantees.js';
import { tar } from '../support/media/archive-fixtures.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';
import { launchServer } from '../support/servers/server-process.js';
import { canMount, mountDisk, type SmallDisk } from '../support/servers/small-disk.js';

const MB = 1024 * 1024;

/** A server with some of its folders on a small disk and the others on a large one. */
async function withServer(
  small: readonly string[],
  check: (server: TestServer, disk: SmallDisk) => Promise<void>,
): Promise<void> {
  const disk = mountDisk(16 * MB);
  const large = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
  const dataDir = small.includes('database') ? disk.folder : large;
  for (const name of ['blobs', 'staging', 'tmp']) {
    const place = join(small.includes(name) ? disk.folder : large, name);
    await mkdir(place, { recursive: true });
    if (join(dataDir, name) !== place) await symlink(place, join(dataDir, name));
  }
  const server = await startServer({ DATA_DIR: dataDir });
  try {
    await check(server, disk);
  } finally {
    await server.close();
    disk.remove();
    await rm(large, { recursive: true, force: true });
  }
}

const key = ({ owner }: TestServer) => ({ key: owner.key });
const upload = (server: TestServer, bytes: Uint8Array, path = '/image/upload') =>
  server.request('POST', path, { ...key(server), form: fileForm(bytes, 'a.bin') });
const paste = (server: TestServer) =>
  server.request('POST', '/paste/create', { ...key(server), json: { text: 'hello' } });
const shorten = (server: TestServer) =>
  server.request('POST', '/url/create', { ...key(server), json: { url: 'https://example.org' } });
/** The cookie of a session whose last use was recorded a day ago. */
async function signIn(server: TestServer): Promise<string> {
  const { email, password } = server.owner;
  const { headers } = await server.request('POST', '/auth/login', { json: { email, password } });
  await server.app.services.db.write((trx) => trx('sessions').decrement('last_used_at', 86_400_000));
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

const rows = async (server: TestServer) =>
  (await server.app.services.db.read('images').count({ total: '*' }).first())?.total;

function refused({ status, body }: Answer, as: 503 | 507): void {
  assert.is(status, as, JSON.stringify(body));
  assert.is(body.error, true);
  assert.match(body.message, as === 507 ? /no space left/ : /cannot write/);
}

/** Nothing is staged, no row lacks its bytes, and the sweep leaves only bytes that rows refer to. */
async function nothingIsLeft(server: TestServer): Promise<void> {
  const { services } = server.app;
  await services.jobs.settle();
  await nothingStaged(server.dataDir);
  await services.db.write((trx) => trx('blobs').whereNotNull('doomed_at').decrement('doomed_at', 3_600_000));
  await sweep(services, -1);
  const named = (await services.db.read('blobs').select('sha256')).map(({ sha256 }) => sha256);
  const stored: string[] = [];
  for await (const { sha256 } of services.storage.blobs.list()) stored.push(sha256);
  assert.equal(stored.sort(), named.sort());
}

const test = suite('one full part of the disk');

if (canMount()) {
  test('files and staging full', () =>
    withServer(['blobs', 'staging'], async (server, disk) => {
      const bytes = randomBytes(3 * MB);
      const { uniqueId } = (await upload(server, bytes)).body;
      const link = (await shorten(server)).body.uniqueId;
      await disk.fill(MB);
      const before = await rows(server);
      for (const answer of await Promise.all([1, 2, 3, 4].map(() => upload(server, randomBytes(2 * MB)))))
        refused(answer, 507);
      refused(
        await upload(server, await tar([{ name: 'a.jpg', data: randomBytes(3 * MB) }]), '/image/upload/zip'),
        507,
      );
      assert.is(await rows(server), before);
      assert.is((await upload(server, randomBytes(1000))).status, 200, 'what fits is taken');
      assert.is((await server.request('GET', `/image/get/${uniqueId}`)).status, 200);
      assert.is((await paste(server)).status, 200);
      assert.is((await server.request('GET', `/url/r/${link}`)).status, 301);
      await disk.fill();
      assert.is((await server.request('GET', '/status')).body.storage, 'failing');
      assert.is((await server.request('DELETE', `/image/get/${uniqueId}`, key(server))).status, 200);
      assert.is((await upload(server, randomBytes(2 * MB))).status, 200, 'a deletion makes room');
      await disk.free();
      assert.is((await upload(server, bytes)).status, 200);
      await nothingIsLeft(server);
    }));

  test('temporary files full', () =>
    withServer(['tmp'], async (server, disk) => {
      const photo = await jpegPhoto(6);
      const noise = sharp(randomBytes(600 * 600 * 3), { raw: { width: 600, height: 600, channels: 3 } });
      const large = await noise
        .withExif({ IFD0: { Make: 'Acme' } })
        .jpeg()
        .toBuffer();
      await disk.fill();
      refused(await upload(server, photo), 507);
      refused(await upload(server, await tar([{ name: 'a.jpg', data: photo }]), '/image/upload/zip'), 507);
      await disk.free();
      // For the system, a single write that finds room for half of its bytes is not an error.
      await disk.fill(large.length / 2);
      refused(await upload(server, large), 507);
      assert.is((await upload(server, randomBytes(1000))).status, 200);
      await disk.free();
      const { uniqueId } = (await upload(server, photo)).body;
      await disk.fill();
      refused(await server.request('GET', `/image/get/${uniqueId}?width=320`), 507);
      await disk.free();
      assert.is((await server.request('GET', `/image/get/${uniqueId}?width=320`)).status, 200);
      await nothingIsLeft(server);
    }));

  test('database full', () =>
    withServer(['database'], async (server, disk) => {
      const bytes = randomBytes(MB);
      const { uniqueId } = (await upload(server, bytes)).body;
      const link = (await shorten(server)).body.uniqueId;
      const json = { imagesUids: [uniqueId] };
      const made = await server.request('POST', '/image/playlist/create', { ...key(server), json });
      const cookie = await signIn(server);
      await disk.fill();
      assert.is((await server.request('GET', '/auth/me', { headers: { cookie } })).status, 200, 'signed in');
      const answers = await Promise.all([paste(server), shorten(server), upload(server, randomBytes(MB))]);
      for (const answer of answers) refused(answer, 507);
      refused(await server.request('GET', `/url/r/${link}`), 507);
      const playlist = await server.request('GET', `/image/playlist/get/${made.body.uniqueId}`);
      assert.is(playlist.status, 200, 'a look limits nothing, so it need not be counted');
      const got = await fetch(`${server.base.replace('localhost', '127.0.0.1')}/image/get/${uniqueId}`);
      assert.ok(bytes.equals(Buffer.from(await got.arrayBuffer())));
      assert.is((await server.request('GET', `/url/get/${link}`)).body.message.visits, 0);
      await disk.free();
      assert.is((await paste(server)).status, 200);
      assert.is((await server.request('GET', `/url/r/${link}`)).status, 301);
      const [sound] = await server.app.services.db.admin.raw('PRAGMA integrity_check');
      assert.equal(sound, { integrity_check: 'ok' });
      await nothingIsLeft(server);
    }));

  test('files read-only', () =>
    withServer(['blobs', 'staging'], async (server, disk) => {
      const { uniqueId } = (await upload(server, randomBytes(1000))).body;
      disk.protect(true);
      const answer = await upload(server, randomBytes(1000));
      refused(answer, 503);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      const status = await server.request('GET', '/status');
      assert.equal([status.status, status.body.storage, status.body.database], [503, 'failing', 'ok']);
      assert.is((await server.request('GET', `/image/get/${uniqueId}`)).status, 200);
      assert.is((await paste(server)).status, 200);
      disk.protect(false);
      assert.is((await upload(server, randomBytes(1000))).status, 200);
      await nothingIsLeft(server);
    }));

  test('everything read-only at the start', async () => {
    const disk = mountDisk(16 * MB);
    disk.protect(true);
    try {
      const server = await launchServer({ dataDir: disk.folder });
      assert.is(await server.ended, 1);
      assert.match(server.output(), /^Holdall cannot start: DATA_DIR cannot be written to: EROFS: [^\n]*\n$/);
    } finally {
      disk.remove();
    }
  });
}

test.run();
