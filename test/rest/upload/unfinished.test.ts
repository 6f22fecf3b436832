// on both databases
/** Uploads that were begun and never finished: what they count, and that nothing of them stays, however many they are. */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deleteEnded } from '../../../db/content/upload/upload-end.js';
import type { Services } from '../../../routers/core/context.js';
import { sweepReservations } from '../../../routers/features/image/upload/register.js';
import { sweepUploads } from '../../../routers/features/upload/end.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { bucketEnv, ownBucket } from '../../support/stores/object-store.js';
import { pathOf, tusOf } from '../../support/uploads/tus.js';

/** More than one batch of the sweep. */
const MANY = 120;
const FILES = 52;

const bucket = await ownBucket();

function unfinishedUploads(store: string, env: Record<string, string>): void {
  const test = suite(`unfinished uploads: ${store}`);
  let server: TestServer;
  let second: TestServer;
  let user: TestAccount;
  test.before(async () => {
    server = await startServer(env);
    second = await startServer({ ...env, DATA_DIR: server.dataDir });
    user = await server.account();
  });
  test.after(async () => {
    await second.close();
    await server.close();
  });

  const allParts = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of server.app.services.storage.blobs.parts.list()) keys.push(key);
    return keys;
  };
  const rowsOf = async (table: string): Promise<number> =>
    (await server.app.services.db.read(table).select('*')).length;
  const usageOf = async ({ key }: TestAccount) =>
    (await server.request('GET', '/limits/me', { key })).body.message.usage;
  /** Ends everything that is unfinished, as if its time had passed. */
  const expire = async (): Promise<void> => {
    await server.app.services.db.write(async (trx) => {
      await trx('uploads').update({ expires_at: Date.now() - 1 });
      // What was promised may be registered for an hour more.
      await trx('reservations').update({ expires_at: Date.now() - 2 * 3_600_000 });
    });
  };
  /** The services of a process, and how many writes it does. */
  const counting = ({ app }: TestServer) => {
    const { services } = app;
    const counted = { writes: 0 };
    const write: Services['db']['write'] = (unit) => {
      counted.writes += 1;
      return services.db.write(unit);
    };
    return { counted, services: { ...services, db: { ...services.db, write } } };
  };
  /** Runs `work` for `total` numbers, some at once. */
  const each = async (total: number, work: (index: number) => Promise<unknown>): Promise<void> => {
    let next = 0;
    const lane = async () => {
      while (next < total) await work(next++);
    };
    await Promise.all(Array.from({ length: 8 }, lane));
  };

  test('many uploads, begun in every way, count once while they are open, and leave nothing when they end', async () => {
    const tus = tusOf(server);
    const before = await usageOf(user);
    await each(MANY, async (index) => {
      const path = pathOf(await tus.create(user.key, 1000));
      if (index % 2 === 0) assert.is((await tus.patch(path, 0, randomBytes(300))).status, 204);
    });
    await each(FILES, async (index) => {
      const { key } = user;
      const json = { contentType: 'text/plain', size: 4 };
      const { url } = (await server.request('POST', '/image/generate-upload-url', { key, json })).body;
      const filename = `${store}-${index}.txt`;
      const packed = await server.request(
        'POST',
        `/files/presigned-url/put?filename=${filename}&contentType=text%2Fplain`,
        { key },
      );
      assert.is(packed.status, 200, packed.text);
      const headers = { 'content-type': 'text/plain' };
      for (const to of [url, packed.body.url])
        assert.is((await fetch(to, { method: 'PUT', body: `${index}`.padEnd(4), headers })).status, 200);
    });
    const open = await usageOf(user);
    assert.is(open.IMAGE.dailyCount - before.IMAGE.dailyCount, MANY + FILES);
    assert.is(open.IMAGE.dailyBytes - before.IMAGE.dailyBytes, MANY * 1000 + FILES * 4);
    assert.is(open.FILE.dailyCount - before.FILE.dailyCount, FILES);

    await expire();
    assert.equal(await usageOf(user), before);
    const here = counting(server);
    const there = counting(second);
    const both = [here.services, there.services];
    const uploads = await Promise.all(both.map((services) => sweepUploads(services, 0)));
    assert.is((uploads[0] ?? 0) + (uploads[1] ?? 0), MANY, 'each upload counts for one process');
    assert.ok(here.counted.writes + there.counted.writes < 20, 'many are deleted in one write');
    const reserved = await Promise.all(both.map((services) => sweepReservations(services, -1)));
    assert.is((reserved[0] ?? 0) + (reserved[1] ?? 0), 2 * FILES);
    for (const table of ['uploads', 'upload_parts', 'reservations', 'images'])
      assert.is(await rowsOf(table), 0, table);
    // What one process left to the other.
    await Promise.all(both.map((services) => sweepUploads(services, -60_000)));
    assert.equal(await allParts(), []);
    assert.equal(await readdir(join(server.dataDir, 'staging')), []);
    assert.equal(await usageOf(user), before);
    const named = await server.app.services.db.read('blobs').where('refs', '>', 0).select('*');
    assert.equal(named, []);
  });

  test('an upload that was continued after the sweep had found it stays', async () => {
    const tus = tusOf(server);
    const path = pathOf(await tus.create(user.key, 10));
    const { db } = server.app.services;
    const [row] = await db.read('uploads').select('id');
    assert.is((await tus.patch(path, 0, randomBytes(4))).status, 204);
    const at = Date.now();
    const ended = await db.write((trx) => deleteEnded(db, trx, [row.id], { at, stuckSince: at }));
    assert.equal(ended, { total: 0, keys: [] });
    assert.is((await tus.patch(path, 4, randomBytes(6))).status, 204);
    assert.is((await tus.settled(path)).body.message.state, 'done');
  });

  test.run();
}

unfinishedUploads('disk', {});
if (bucket === null) console.log('# skipped: no object store for unfinished uploads');
else unfinishedUploads('bucket', bucketEnv(bucket));
