/**
 * PostgreSQL is frozen (SIGSTOP): connections stay open and nothing answers. Callers are answered in bounded
 * time, with 503 in the envelope; `/metrics` says within seconds what it knows; no part of a refused change is committed later together with another one;
 * and once PostgreSQL continues, so does the server, with everything that was acknowledged.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNER, startServer } from '../support/servers/server-process.js';
import { openCluster, postgresPrograms } from '../support/stores/postgres-cluster.js';
import { until } from '../support/until.js';
import { Client } from './clients/client.js';
import { checkPromises } from './clients/guarantees.js';
import { newActor, startTroubledLoad } from './servers/troubled.js';

const METRICS_TOKEN = 'sesame';
/** Longer than the two seconds that are promised, because the machine is busy; less than what a statement may take. */
const METRICS_MS = 10_000;

const programs = postgresPrograms();
const test = suite('PostgreSQL frozen under load');

if (programs !== null)
  test('nobody waits forever, and everything continues afterwards', async () => {
    const cluster = await openCluster(programs);
    const dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
    const server = await startServer({
      dataDir,
      env: { DATABASE_URL: cluster.url, LOG_LEVEL: 'warn', METRICS_TOKEN },
    });
    const client = new Client(server.origin, OWNER.OWNER_API_KEY);
    try {
      const actor = await newActor(client);
      const load = startTroubledLoad(actor, [503]);
      await load.acknowledged(100);
      await cluster.freeze();
      const signal = AbortSignal.timeout(METRICS_MS);
      const metrics = await fetch(`${server.origin}/metrics?token=${METRICS_TOKEN}`, { signal });
      const text = await metrics.text();
      assert.match(text, 'holdall_database_up 0\n');
      assert.match(text, 'holdall_store_up 1\n');
      assert.not.match(text, 'holdall_items{');
      await load.refused(12);
      await cluster.thaw();
      await load.acknowledged(50);
      await load.stop();
      await until(async () => (await client.send('GET', '/status')).status === 200);
      await checkPromises(client, actor.ledger);
      assert.is(await server.stop(), 0);
    } finally {
      client.close();
      await server.kill();
      await cluster.remove();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

test.run();
