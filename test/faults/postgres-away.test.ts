/**
 * PostgreSQL is not there when a server starts. The operator reads what is wrong: a server waits some time for a
 * database that is away, says so, and serves as soon as it answers. When it stays away, and at once when it
 * refuses, the start ends with 1 and a line that names the database and the reason.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openCluster, postgresPrograms } from '../support/postgres-cluster.js';
import { freePort, launchServer, type ServerProcess } from '../support/server-process.js';
import { printed, until } from '../support/until.js';

const programs = postgresPrograms();
const test = suite('a start without PostgreSQL');

async function withServer(url: string, check: (server: ServerProcess) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
  const server = await launchServer({ dataDir, env: { DATABASE_URL: url } });
  try {
    await check(server);
  } finally {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Takes whoever connects to one port of this machine to another one. */
async function forward(from: number, to: number): Promise<Server> {
  const forwarder = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    pipeline(near, far, near, () => undefined);
  });
  await once(forwarder.listen(from, '127.0.0.1'), 'listening');
  return forwarder;
}

if (programs !== null) {
  // The longest first; the others happen meanwhile.
  const staysAway = withServer('postgres://holdall@127.0.0.1:1/holdall', async (server) => {
    assert.is(await server.ended, 1);
    assert.match(server.output(), /DATABASE_URL: PostgreSQL at 127\.0\.0\.1:1, .* ECONNREFUSED/);
  });
  staysAway.catch(() => undefined);

  test('a database that comes up later is waited for, in words', async () => {
    const cluster = await openCluster(programs);
    let forwarder: Server | undefined;
    try {
      const [url, port] = [new URL(cluster.url), await freePort()];
      const clusterPort = Number(url.port);
      url.port = String(port);
      await withServer(url.href, async (server) => {
        await printed(server, /waiting for PostgreSQL at 127\.0\.0\.1:\d+, database postgres/);
        // It is up all the time and comes within reach at once: a start of its own could outlast the patience.
        forwarder = await forward(port, clusterPort);
        await until(async () => (await fetch(`${server.origin}/status`).catch(() => null))?.ok === true);
      });
    } finally {
      forwarder?.close();
      await cluster.remove();
    }
  });

  test('a database that is not there ends the start at once, with its name and the reason', async () => {
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

  test('a database that stays away ends the start with its address and the reason', () => staysAway);
}

test.run();
