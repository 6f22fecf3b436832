/** The clean-up in the background, with the services of a real server. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openHousekeeping } from '../../server/upkeep/housekeeping.js';
import { startServer, type TestServer } from '../harness.js';
import { until } from '../support/until.js';

interface World {
  server: TestServer;
}
const test = suite<World>('housekeeping');
test.before(async (world) => {
  world.server = await startServer();
});
test.after(({ server }) => server.close());

const EVERY_MS = 5;

test('a turn that takes longer than the time between two is never joined by the next, and the end waits for it', async ({
  server,
}) => {
  const { services } = server.app;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let turns = 0;
  let over = 0;
  const blobs = {
    ...services.blobs,
    sweepStaging: async (graceMs: number) => {
      turns += 1;
      await held;
      const removed = await services.blobs.sweepStaging(graceMs);
      over += 1;
      return removed;
    },
  };
  const tempDir = join(server.dataDir, 'tmp');
  const options = { tempDir, visitLogDays: null, shared: false, everyMs: EVERY_MS };
  const housekeeping = openHousekeeping({ ...services, blobs }, options);
  await until(() => turns > 0);
  // Timers of one length are called in the order of their making, so some of its turns have come by then.
  for (let turn = 0; turn < 5; turn += 1) await delay(EVERY_MS);
  assert.is(turns, 1);
  const stopped = housekeeping.stop().then(() => over);
  letGo();
  assert.is(await stopped, 1);
  assert.is(turns, 1);
});

test('a turn of which one part fails lasts until the other parts are over', async ({ server }) => {
  const { services } = server.app;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let turns = 0;
  let over = 0;
  let failures = 0;
  const blobs = {
    ...services.blobs,
    sweepStaging: async (graceMs: number) => {
      turns += 1;
      await held;
      const removed = await services.blobs.sweepStaging(graceMs);
      over += 1;
      return removed;
    },
  };
  const db = {
    ...services.db,
    write: async () => {
      failures += 1;
      throw new Error('the database takes nothing');
    },
  };
  const tempDir = join(server.dataDir, 'tmp');
  const options = { tempDir, visitLogDays: null, shared: false, everyMs: EVERY_MS };
  const housekeeping = openHousekeeping({ ...services, blobs, db }, options);
  await until(() => turns > 0 && failures > 0);
  for (let turn = 0; turn < 5; turn += 1) await delay(EVERY_MS);
  assert.is(turns, 1);
  const stopped = housekeeping.stop().then(() => over);
  letGo();
  assert.is(await stopped, 1);
});

test('after a turn that took long the next ones come again', async ({ server }) => {
  const { services } = server.app;
  let turns = 0;
  const blobs = {
    ...services.blobs,
    sweepStaging: async (graceMs: number) => {
      turns += 1;
      return services.blobs.sweepStaging(graceMs);
    },
  };
  const tempDir = join(server.dataDir, 'tmp');
  const options = { tempDir, visitLogDays: null, shared: false, everyMs: EVERY_MS };
  const housekeeping = openHousekeeping({ ...services, blobs }, options);
  await until(() => turns > 2);
  await housekeeping.stop();
});

test('logs of visits go back so many days, whatever number of visits they hold; the counts stay', async ({
  server,
}) => {
  const { services } = server.app;
  const { db } = services;
  const { key } = server.owner;
  const json = { url: 'https://example.org/' };
  const { uniqueId } = (await server.request('POST', '/url/create', { key, json })).body;
  await server.request('GET', `/url/r/${uniqueId}`);
  const [{ url_id: urlId, id: newest }] = await db.read('url_visits').select('url_id', 'id');
  await db.write(async (trx) => {
    await trx('url_visits').where('id', newest).delete();
    const visited_at = Date.now() - 31 * 24 * 60 * 60 * 1000;
    const hundred = Array.from({ length: 100 }, () => ({ url_id: urlId, visited_at, visits: 1 }));
    for (let inserted = 0; inserted < 2_500; inserted += 100) await trx('url_visits').insert(hundred);
  });
  await server.request('GET', `/url/r/${uniqueId}`);
  const housekeeping = openHousekeeping(services, {
    tempDir: join(server.dataDir, 'tmp'),
    visitLogDays: 30,
    shared: false,
    everyMs: 60_000,
  });
  const left = async () => Number((await db.read('url_visits').count({ n: '*' }).first())?.n);
  await until(async () => (await left()) === 1);
  await housekeeping.stop();
  assert.is(await left(), 1);
  const counted = await db.read('visit_days').sum({ n: 'visits' }).where('url_id', urlId).first();
  assert.is(Number(counted?.n), 2);
});

test.run();
