import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { has, searchPath } from '../../bench/processors.js';
import { freePort } from '../servers/server-process.js';
import { skipping } from '../skip.js';
import { until } from '../until.js';
import { serverUser } from './postgres-cluster.js';

/** A running PgBouncer. */
export interface Pooler {
  /** The address of the database through it. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer in transaction mode in front of a database, with the settings of docs/scaling.md; null, with a skip
 * line, if it is not installed.
 */
export async function startPgBouncer(database: string): Promise<Pooler | null> {
  if (!has('pgbouncer')) {
    skipping('pgbouncer is not installed');
    return null;
  }
  const folder = await mkdtemp(join(tmpdir(), 'holdall-pgbouncer-'));
  const port = await freePort();
  const { hostname, port: behind, username, pathname } = new URL(database);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${behind} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 6
max_client_conn = 500
server_login_retry = 1
query_wait_timeout = 10
`,
  );
  // It refuses to run as root.
  const user = await serverUser();
  for (const path of user === null ? [] : [folder, file]) await chown(path, user?.uid ?? 0, user?.gid ?? 0);
  const child = spawn('pgbouncer', [file], { cwd: '/', ...user, stdio: 'pipe', env: searchPath() });
  child.stdout.resume();
  const complaints = text(child.stderr);
  const ended = once(child, 'close');
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer: ${await complaints}`);
    const client = new pg.Client({ connectionString: url });
    return client
      .connect()
      .then(
        () => true,
        () => false,
      )
      .finally(() => client.end().catch(() => undefined));
  });
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      // At once: with SIGTERM newer releases wait for their clients.
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
