/**
 * PostgreSQL is not available when a server starts. The server waits for an unreachable database for some
 * time, says so, and serves as soon as the database answers. If it stays unreachable, and at once if it
 * refuses, the start ends with exit code 1 and a line that names the database and the reason.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PATIENCE_MS } from '../../server/runtime/open-database.js';
import { freePort, launchServer, type ServerProcess } from '../support/servers/server-process.js';
import { type Cluster, openCluster, postgresPrograms } from '../support/stores/postgres-cluster.js';
import { printed, until } from '../support/until.js';

const programs = postgresPrograms();
const test = suite('a start without PostgreSQL');

async function withServer<T>(url: string, check: (server: ServerProcess) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
  const server = await launchServer({ dataDir, env: { DATABASE_URL: url } });
  try {
    return await check(server);
  } finally {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Forwards connections from one port of this machine to another. */
async function forward(from: number, to: number): Promise<Server> {
  const forwarder = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    pipeline(near, far, near, () => undefined);
  });
  await once(forwarder.listen(from, '127.0.0.1'), 'listening');
  return forwarder;
}

/**
 * Makes a database reachable for a server that waits for it: starting it could outlast the waiting time. False if even this
 * took so long, on a machine that stood still, that the server had given up.
 */
async function isWaitedFor(cluster: Cluster): Promise<boolean> {
  const [url, port] = [new URL(cluster.url), await freePort()];
  const clusterPort = Number(url.port);
  url.port = String(port);
  const launched = performance.now();
  return withServer(url.href, async (server) => {
    await printed(server, /waiting for PostgreSQL at 127\.0\.0\.1:\d+, database postgres/);
    const forwarder = await forward(port, clusterPort);
    const isLate = performance.now() - launched > PATIENCE_MS - 1_000;
    try {
      const serves = async () => (await fetch(`${server.origin}/status`).catch(() => null))?.ok === true;
      const hasEnded = () => server.child.exitCode !== null;
      await until(async () => hasEnded() || (await serves()));
      assert.ok(isLate || !hasEnded(), server.output());
      return !hasEnded();
    } finally {
      forwarder.close();
    }
  });
}

if (programs !== null) {
  // The longest test first; the others run meanwhile.
  const staysAway = withServer('postgres://holdall@127.0.0.1:1/holdall', async (server) => {
    assert.is(await server.ended, 1);
    assert.match(server.output(), /DATABASE_URL: PostgreSQL at 127\.0\.0\.1:1, .* ECONNREFUSED/);
  });
  staysAway.catch(() => undefined);

  test('a database that starts later is waited for, with a message', async () => {
    const cluster = await openCluster(programs);
    try {
      while (!(await isWaitedFor(cluster))) console.log('# the server had given up before');
    } finally {
      await cluster.remove();
    }
  });

  test('a database that does not exist ends the start at once, with its name and the reason', async () => {
    const cluster = await openCluster(programs);
    try {
      await withServer(cluster.url.replace(/postgres$/, 'nowhere'), async (server) => {
        assert.is(await server.ended, 1);
        assert.match(server.output(), /DATABASE_URL: PostgreSQL at .* database nowhere, cannot be opened/);
        assert.match(server.output(), /database "nowhere" does not exist/);
      });
    } finally {
      await cluster.remove();
    }
  });

  test('a database that stays unreachable ends the start with its address and the reason', () => staysAway);
}

test.run();
