/**
 * A part of a resumable upload is stopped in its middle by what stores it. The request is refused in the words of the
 * fault; what HEAD names afterwards is there, the upload continues behind it, and nothing is left of the rest.
 *
 * disk full: 507, and nothing of the part is kept
 * object store resets the connection, or refuses: 503, and what was stored before stays
 * object store cut off while the last bytes are made a file: it becomes one once the store is back
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { canMount, mountDisk } from '../support/servers/small-disk.js';
import { bucketEnv, faultyLine, ownBucket } from '../support/stores/object-store.js';
import { until } from '../support/until.js';
import { pathOf, tusOf } from '../support/uploads/tus.js';

const MB = 1024 * 1024;
const test = suite('resumable uploads whose store fails');
const mounts = canMount();
const bucket = await ownBucket();

const offsetOf = async (server: TestServer, path: string): Promise<number> =>
  Number((await tusOf(server).head(path)).headers.get('upload-offset'));

/** Sends the rest; the file is the whole one, and nothing of its parts is left. */
async function finish(server: TestServer, path: string, bytes: Buffer): Promise<void> {
  const tus = tusOf(server);
  const from = await offsetOf(server, path);
  if (from < bytes.length) {
    const sent = await tus.patch(path, from, bytes.subarray(from));
    assert.is(sent.status, 204, sent.text);
  }
  const { message } = (await tus.settled(path)).body;
  assert.is(message.state, 'done', message.reason);
  const stored = await fetch(`${server.base}/image/get/${message.image.uniqueId}`);
  assert.ok(Buffer.from(await stored.arrayBuffer()).equals(bytes));
  await nothingLeft(server);
}

async function nothingLeft(server: TestServer): Promise<void> {
  const left = async () => {
    const keys: string[] = [];
    for await (const { key } of server.app.services.storage.blobs.parts.list()) keys.push(key);
    return [...keys, ...(await readdir(join(server.dataDir, 'staging')))];
  };
  await until(async () => (await left()).length === 0);
}

if (mounts)
  test('a disk that is full in the middle of a part', async () => {
    const disk = mountDisk(16 * MB);
    const dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
    for (const name of ['blobs', 'staging', 'uploads']) {
      await mkdir(join(disk.folder, name));
      await symlink(join(disk.folder, name), join(dataDir, name));
    }
    const server = await startServer({ DATA_DIR: dataDir });
    try {
      const tus = tusOf(server);
      const bytes = randomBytes(5 * MB);
      const path = pathOf(await tus.create(server.owner.key, bytes.length));
      assert.is((await tus.patch(path, 0, bytes.subarray(0, MB))).status, 204);
      await disk.fill(MB);
      const full = await tus.patch(path, MB, bytes.subarray(MB));
      assert.equal([full.status, full.body.error], [507, true]);
      assert.is(full.headers.get('tus-resumable'), '1.0.0');
      assert.match(full.body.message, 'no space left');
      assert.is(await offsetOf(server, path), MB);
      const [part = ''] = await readdir(join(disk.folder, 'uploads'));
      const { size } = await stat(join(disk.folder, 'uploads', part));
      assert.is(size, MB, 'what did not fit as a whole takes no room');
      const begun = await tus.create(server.owner.key, 3 * MB, {}, { body: bytes.subarray(0, 3 * MB) });
      assert.is(begun.status, 507);
      assert.is((await readdir(join(disk.folder, 'uploads'))).length, 1, 'nothing of the other one');
      assert.is((await server.app.services.db.read('uploads').select('id')).length, 1);
      await disk.free();
      await finish(server, path, bytes);
    } finally {
      await server.close();
      disk.remove();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

if (bucket !== null)
  test('an object store that is cut off in the middle of a part, and of the file', async () => {
    const line = await faultyLine(bucket.endpoint);
    const server = await startServer(bucketEnv({ ...bucket, endpoint: line.url }));
    try {
      const tus = tusOf(server);
      const bytes = randomBytes(19 * MB);
      const path = pathOf(await tus.create(server.owner.key, bytes.length));
      for (const fault of ['reset at half', 'server error'] as const) {
        const from = await offsetOf(server, path);
        // Those after the first part of a request.
        let parts = 0;
        line.fault = (method, target) => {
          if (method !== 'PUT' || !target.includes('/uploads/')) return 'none';
          parts += 1;
          return parts > 1 ? fault : 'none';
        };
        const cut = await tus.patch(path, from, bytes.subarray(from));
        assert.equal([cut.status, cut.body.error], [503, true], fault);
        assert.ok(Number(cut.headers.get('retry-after')) > 0);
        assert.is(cut.headers.get('tus-resumable'), '1.0.0');
        assert.equal(await readdir(join(server.dataDir, 'staging')), []);
        line.fault = () => 'none';
        const kept = (await offsetOf(server, path)) - from;
        assert.ok(kept >= 8 * MB && kept < 9 * MB, `the part that was stored whole: ${kept}`);
      }
      // All bytes arrive, and cannot be made a file.
      line.fault = (_, target) => (target.includes('/blobs/') ? 'server error' : 'none');
      const from = await offsetOf(server, path);
      assert.is((await tus.patch(path, from, bytes.subarray(from))).status, 204);
      await until(async () => line.seen.some((request) => request.includes('/blobs/')));
      assert.is((await tus.state(path)).body.message.state, 'processing');
      assert.is((await tus.end(path)).status, 423);
      line.fault = () => 'none';
      await server.app.services.db.write((trx) => trx('jobs').update({ run_at: Date.now() }));
      await finish(server, path, bytes);
    } finally {
      await server.close();
      await line.close();
    }
  });

test.run();
