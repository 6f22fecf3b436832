/** Background clean-up, with the services of a real server. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insertUser } from '../../db/account/account.js';
import { noteImported } from '../../db/content/imported.js';
import { DAY_MS } from '../../db/engine/days.js';
import type { Queryable } from '../../db/engine/queryable.js';
import { redateVisits } from '../../db/system/clock.js';
import type { BlobStore } from '../../routers/base/ports/storage.js';
import { forgetExpired } from '../../routers/features/auth/expire.js';
import { type Housekeeping, openHousekeeping } from '../../server/runtime/upkeep/housekeeping.js';
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
const often = (server: TestServer) => ({
  tempDir: join(server.dataDir, 'tmp'),
  visitLogDays: null,
  shared: false,
  everyMs: EVERY_MS,
});

/** A store whose sweeps of staged files last until they are released, and how many have begun and ended. */
function holdSweeps(store: BlobStore) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const sweep = {
    turns: 0,
    over: 0,
    letGo: () => letGo(),
    blobs: {
      ...store,
      sweepStaging: async (graceMs: number) => {
        sweep.turns += 1;
        await held;
        const removed = await store.sweepStaging(graceMs);
        sweep.over += 1;
        return removed;
      },
    },
  };
  return sweep;
}

/** No other turn joins the first one, which is held in its sweep, and the end waits for it. */
async function lastsUntilLetGo(
  housekeeping: Housekeeping,
  sweep: ReturnType<typeof holdSweeps>,
): Promise<void> {
  // Timers of one duration fire in the order of their creation, so some of its turns have come by then.
  for (let turn = 0; turn < 5; turn += 1) await delay(EVERY_MS);
  assert.is(sweep.turns, 1);
  const stopped = housekeeping.stop().then(() => sweep.over);
  sweep.letGo();
  assert.is(await stopped, 1);
  assert.is(sweep.turns, 1);
}

test('a turn that outlasts the interval is not overlapped by the next, and shutdown waits for it', async ({
  server,
}) => {
  const { services } = server.app;
  const sweep = holdSweeps(services.storage.blobs);
  const housekeeping = openHousekeeping(
    { ...services, storage: { ...services.storage, blobs: sweep.blobs } },
    often(server),
  );
  await until(() => sweep.turns > 0);
  await lastsUntilLetGo(housekeeping, sweep);
});

test('a turn of which one part fails lasts until the other parts are done', async ({ server }) => {
  const { services } = server.app;
  let failures = 0;
  const sweep = holdSweeps(services.storage.blobs);
  const db = {
    ...services.db,
    write: async () => {
      failures += 1;
      throw new Error('the database takes nothing');
    },
  };
  const housekeeping = openHousekeeping(
    { ...services, storage: { ...services.storage, blobs: sweep.blobs }, db },
    often(server),
  );
  await until(() => sweep.turns > 0 && failures > 0);
  await lastsUntilLetGo(housekeeping, sweep);
});

test('after a long turn the next ones run again', async ({ server }) => {
  const { services } = server.app;
  let turns = 0;
  const blobs = {
    ...services.storage.blobs,
    sweepStaging: async (graceMs: number) => {
      turns += 1;
      return services.storage.blobs.sweepStaging(graceMs);
    },
  };
  const housekeeping = openHousekeeping(
    { ...services, storage: { ...services.storage, blobs } },
    often(server),
  );
  await until(() => turns > 2);
  await housekeeping.stop();
});

test('visit logs are kept for a limited number of days, regardless of their size; the counts stay', async ({
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

test('visits logged while the clock was ahead are redated when it is corrected, and no others', async ({
  server,
}) => {
  const { db } = server.app.services;
  const json = { url: 'https://example.org/' };
  const made = await server.request('POST', '/url/create', { key: server.owner.key, json });
  await server.request('GET', `/url/r/${made.body.uniqueId}`);
  const { url_id: urlId, visited_at: at } = await db.read('url_visits').orderBy('id', 'desc').first();
  const log = async (trx: Queryable, visited_at: number, count: number) => {
    for (let n = 0; n < count; n += 1)
      await trx('url_visits').insert({ url_id: urlId, visited_at, visits: 1 });
  };
  await db.write(async (trx) => {
    await log(trx, at + 1e9, 100);
    await log(trx, at - 1, 3);
    await log(trx, at + 2e9, 2);
    await redateVisits(trx, at, 60_000);
  });
  const dates = await db.read('url_visits').where('url_id', urlId).orderBy('id').pluck('visited_at');
  assert.equal(dates, [at, ...Array(100).fill(at), ...Array(3).fill(at - 1), at, at]);
});

test('accounts that stay unverified for a month are removed, however many there are', async ({ server }) => {
  const { db } = server.app.services;
  const day = 24 * 60 * 60 * 1000;
  const insert = async (count: number, createdAt: number) => {
    for (let n = 0; n < count; n += 1) {
      const name = `waiting-${createdAt}-${n}`;
      await db.write((trx) =>
        insertUser(trx, {
          username: name,
          email: `${name}@example.org`,
          passwordHash: '',
          role: 'USER',
          status: 'PENDING',
          invitedBy: null,
          createdAt,
        }),
      );
    }
  };
  await insert(450, Date.now() - 31 * day);
  await insert(1, Date.now() - 29 * day);
  // Items came with it.
  await insert(1, Date.now() - 40 * day);
  await db.write(async (trx) => {
    const came = await trx('users')
      .where('created_at', '<', Date.now() - 35 * day)
      .first('id');
    await noteImported(trx, { source: 'kutt', key: 'account 1', kind: 'account', itemId: Number(came?.id) });
  });
  await forgetExpired(server.app.services);
  const left = await db.read('users').where('status', 'PENDING').count({ n: '*' }).first();
  assert.is(Number(left?.n), 2);
});

test('entries of the audit log are removed after 400 days, however many there are', async ({ server }) => {
  const { app } = server;
  const { db } = app.services;
  const now = Date.now();
  const entry = { event: 'sign-in', actor_id: null, subject_id: null, ip_address: null, details: '{}' };
  const old = Array.from({ length: 2_500 }, (_, index) => ({ ...entry, at: now - 401 * DAY_MS - index }));
  await db.write(async (trx) => {
    for (let from = 0; from < old.length; from += 50)
      await trx('audit_log').insert(old.slice(from, from + 50));
    await trx('audit_log').insert({ ...entry, at: now - 399 * DAY_MS });
  });
  await forgetExpired(app.services);
  const left = await db.read('audit_log').select('at').where('event', 'sign-in');
  assert.equal(left, [{ at: now - 399 * DAY_MS }]);
});

test('jobs that were given up a month ago are removed, except deletions', async ({ server }) => {
  const { db } = server.app.services;
  const at = Date.now() - 31 * 24 * 60 * 60 * 1000;
  const late = { payload: '', created_at: at, run_at: at, attempts: 30 };
  await db.write((trx) =>
    trx('jobs').insert([
      { ...late, kind: 'mail', failed_at: at },
      { ...late, kind: 'webhook', failed_at: Date.now() },
      { ...late, kind: 'accountDeletion', failed_at: at },
    ]),
  );
  await forgetExpired(server.app.services);
  const left = await db.read('jobs').whereNotNull('failed_at').orderBy('kind');
  assert.equal(
    left.map(({ kind }) => kind),
    ['accountDeletion', 'webhook'],
  );
});

test.run();
