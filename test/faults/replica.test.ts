/**
 * DATABASE_READ_URL: statistics are read on a replica as long as it is known to be no older than READ_LAG, and on the primary
 * when it falls behind, is frozen or is gone. Nobody gets an error for it, and what decides something is never read there.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, openDb } from '../../db/engine/connect.js';
import { migrate } from '../../db/engine/migrate.js';
import { query } from '../../db/engine/query.js';
import { OWNER, startServer } from '../support/servers/server-process.js';
import {
  type Cluster,
  openCluster,
  openStandby,
  postgresPrograms,
  type Standby,
} from '../support/stores/postgres-cluster.js';
import { until } from '../support/until.js';
import { Client } from './clients/client.js';

interface World {
  primary: Cluster;
  standby: Standby;
  opened: Db[];
}

const programs = postgresPrograms();
const test = suite<World>('a replica for reads');

test.before.each(async (world) => {
  if (programs === null) return;
  world.opened = [];
  world.primary = await openCluster(programs);
  const db = await open(world, 60_000);
  await migrate(db);
  world.standby = await openStandby(programs, world.primary, { synchronous: false });
});
test.after.each(async (world) => {
  if (programs === null) return;
  for (const db of world.opened) await db.close();
  await world.standby.remove();
  await world.primary.remove();
});

/** Opens the database with this bound, in milliseconds. */
async function open({ primary, standby, opened }: World, lagMs: number): Promise<Db> {
  const replica = standby === undefined ? null : { url: standby.url, lagMs };
  const db = await openDb({ databaseUrl: primary.url, dataDir: '', replica });
  opened.push(db);
  return db;
}

/** Where a read goes. */
const isOnReplica = async (db: Db): Promise<boolean> => {
  const [row] = await db.behind(({ read }) =>
    query<{ there: boolean }>(read, 'SELECT pg_is_in_recovery() AS there'),
  );
  return row?.there === true;
};

/** Lets the standby receive changes without showing them. */
async function replay({ standby }: World, what: 'pause' | 'resume'): Promise<void> {
  const client = new pg.Client({ connectionString: standby.url });
  await client.connect();
  await client.query(`SELECT pg_wal_replay_${what}()`);
  await client.end();
}

if (programs !== null) {
  test('it serves reads while it follows; one that falls behind the bound serves none', async (world) => {
    const patient = await open(world, 3_600_000);
    await until(() => isOnReplica(patient));
    const strict = await open(world, 300);
    await until(() => isOnReplica(strict));
    await replay(world, 'pause');
    await until(async () => !(await isOnReplica(strict)));
    await strict.write((trx) => query(trx, "INSERT INTO installation (name, value) VALUES ('late', 'x')"));
    const late = (db: Db) =>
      db.behind(({ read }) => query(read, "SELECT 1 FROM installation WHERE name = 'late'"));
    assert.is((await late(strict)).length, 1, 'the primary has it');
    assert.is((await late(patient)).length, 0, 'what is within the bound may be missing');
    await replay(world, 'resume');
    await until(() => isOnReplica(strict));
    assert.is((await late(strict)).length, 1);
  });

  test('one that is killed, or is no replica any more, costs nobody an answer', async (world) => {
    const db = await open(world, 3_600_000);
    await until(() => isOnReplica(db));
    await world.standby.kill('SIGKILL');
    assert.not(await isOnReplica(db));
    await world.standby.start();
    await world.standby.promote();
    const later = await open(world, 300);
    for (let times = 0; times < 20; times += 1) {
      const found = await later.behind(({ read }) =>
        query<{ port: number }>(read, "SELECT current_setting('port')::int AS port"),
      );
      assert.equal(found, [{ port: Number(new URL(world.primary.url).port) }], 'another history');
    }
  });

  test('a server counts exactly, and its statistics are as new as READ_LAG says', async (world) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'holdall-replica-'));
    const { primary, standby } = world;
    const env = {
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: standby.url,
      READ_LAG: '1',
      LOG_LEVEL: 'warn',
    };
    const server = await startServer({ dataDir, env });
    const client = new Client(server.origin, OWNER.OWNER_API_KEY);
    try {
      const link = await client.json('POST', '/url/create', { url: 'https://example.org/', maxUses: 5 });
      const visit = async () => (await client.send('GET', `/url/r/${link.uniqueId}`)).status;
      const counted = async () => {
        const { body, status } = await client.send('GET', `/url/get/${link.uniqueId}/stats`);
        assert.is(status, 200, body.toString());
        return JSON.parse(body.toString()).message.visits;
      };
      for (let times = 0; times < 2; times += 1) assert.is(await visit(), 301);
      await until(async () => (await counted()) === 2);
      await replay(world, 'pause');
      const visits = await Promise.all(Array.from({ length: 6 }, visit));
      assert.is(visits.filter((status) => status === 301).length, 3, 'three of five uses were left');
      await until(async () => (await counted()) === 5);
      await standby.freeze();
      await until(async () => (await counted()) === 5);
      await standby.thaw();
    } finally {
      client.close();
      assert.is(await server.stop(), 0);
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}

test.run();
