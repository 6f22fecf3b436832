/**
 * PostgreSQL behind PgBouncer in transaction mode, where each transaction may run on another connection: everything that
 * is counted stays exact, searches end, and a primary that restarts at once in the middle of load loses nothing that was
 * acknowledged. Callers see success or 503 in the envelope.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDb } from '../../db/engine/connect.js';
import { SearchEnded } from '../../db/engine/search-reader.js';
import { OWNER, type ServerProcess, startServer } from '../support/servers/server-process.js';
import { startPgBouncer } from '../support/stores/pgbouncer.js';
import { type Cluster, openCluster, postgresPrograms } from '../support/stores/postgres-cluster.js';
import { until } from '../support/until.js';
import { Client } from './clients/client.js';
import { checkPromises } from './clients/guarantees.js';
import { newActor, startTroubledLoad } from './servers/troubled.js';

const key = OWNER.OWNER_API_KEY;
/** A statement that never ends by itself. */
const ENDLESS =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i > 0) SELECT count(*) FROM n WHERE i < 0';

interface World {
  readonly cluster: Cluster;
  /** The address of the database through PgBouncer. */
  readonly url: string;
  readonly servers: readonly ServerProcess[];
  readonly clients: readonly [Client, Client];
}

const test = suite('PostgreSQL behind PgBouncer');
const programs = postgresPrograms();

/** Two servers of one installation behind PgBouncer; nothing runs where it is not installed. */
async function withServers(work: (world: World) => Promise<void>): Promise<void> {
  if (programs === null) return;
  const cluster = await openCluster(programs);
  const pooler = await startPgBouncer(cluster.url);
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
  try {
    if (pooler === null) return;
    const env = { DATABASE_URL: pooler.url, LOG_LEVEL: 'warn' };
    // The tables are made through it as well.
    const servers = await Promise.all([startServer({ dataDir, env }), startServer({ dataDir, env })]);
    const clients = servers.map(({ origin }) => new Client(origin, key)) as [Client, Client];
    try {
      await work({ cluster, url: pooler.url, servers, clients });
    } finally {
      for (const client of clients) client.close();
      for (const server of servers) assert.is(await server.stop(), 0, 'the server lived on');
    }
  } finally {
    await pooler?.stop();
    await cluster.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

test('limits of uses and views are exact with two servers; a search that takes too long ends', () =>
  withServers(async ({ url, clients, servers }) => {
    const [one] = clients;
    const link = await one.json('POST', '/url/create', { url: 'https://example.org/', maxUses: 15 });
    const visit = (index: number) =>
      fetch(`${servers[index % 2]?.origin}/v1/url/r/${link.uniqueId}`, { redirect: 'manual' });
    const visits = await Promise.all(Array.from({ length: 40 }, (_, index) => visit(index)));
    assert.is(visits.filter(({ status }) => status === 301 || status === 302).length, 15);

    const form = new FormData();
    form.set('maxViews', '9');
    form.set('file', new Blob(['seen nine times']), 'nine.txt');
    const sent = await fetch(`${one.origin}/v1/image/upload`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: form,
    });
    assert.is(sent.status, 200);
    const { uniqueId } = (await sent.json()) as { uniqueId: string };
    const views = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        fetch(`${servers[index % 2]?.origin}/v1/image/get/${uniqueId}?raw=true`),
      ),
    );
    const seen = views.filter(({ status }) => status === 200).length;
    assert.is(seen, 9, views.map(({ status }) => status).join());

    const db = await openDb({ databaseUrl: url, dataDir: '' });
    try {
      const error = await db.search
        .query(ENDLESS, [], new AbortController().signal)
        .catch((reason: unknown) => reason);
      assert.instance(error, SearchEnded);
      assert.equal(await db.search.query('SELECT 1 AS n', [], new AbortController().signal), [{ n: 1 }]);
    } finally {
      await db.close();
    }
  }));

test('a primary that restarts at once under load loses nothing that was acknowledged', () =>
  withServers(async ({ cluster, clients: [client, other] }) => {
    const actor = await newActor(client);
    const load = startTroubledLoad(actor, [503]);
    await load.acknowledged(60);
    await cluster.kill('SIGQUIT');
    await load.refused(10);
    await cluster.start();
    await load.acknowledged(40);
    await load.stop();
    for (const one of [client, other])
      await until(async () => (await one.send('GET', '/status')).status === 200);
    await checkPromises(other, actor.ledger);
  }));

test.run();
