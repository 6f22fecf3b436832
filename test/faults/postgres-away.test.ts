/**
 * PostgreSQL is not there when a server starts. The operator reads what is wrong: a server waits some time for a
 * database that is away, says so, and serves as soon as it answers. When it stays away, and at once when it
 * refuses, the start ends with 1 and a line that names the database and the reason.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openCluster, postgresPrograms } from '../support/postgres-cluster.js';
import { launchServer, type ServerProcess } from '../support/server-process.js';
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

if (programs !== null) {
  // The longest first; the others happen meanwhile.
  const staysAway = withServer('postgres://holdall@127.0.0.1:1/holdall', async (server) => {
    assert.is(await server.ended, 1);
    assert.match(server.output(), /DATABASE_URL: PostgreSQL at 127\.0\.0\.1:1, .* ECONNREFUSED/);
  });
  staysAway.catch(() => undefined);

  test('a database that comes up later is waited for, in words', async () => {
    const cluster = await openCluster(programs);
    try {
      await cluster.kill('SIGKILL');
      await withServer(cluster.url, async (server) => {
        await printed(server, /waiting for PostgreSQL at 127\.0\.0\.1:\d+, database postgres/);
        await cluster.start();
        await until(async () => (await fetch(`${server.origin}/status`).catch(() => null))?.ok === true);
      });
    } finally {
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
