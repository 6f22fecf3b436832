import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ROOT } from '../root.js';
import { freePort } from '../servers/server-process.js';
import { skipping } from '../skip.js';
import { until } from '../until.js';

const run = promisify(execFile);
const SCRIPT = join(ROOT, '.ci', 'postgres.sh');

/** A complete PostgreSQL server for one test, to be stopped, killed and frozen. */
export interface Cluster {
  /** The address of an empty database on it. */
  readonly url: string;
  /** Its first process, while it runs. */
  readonly pid: number;
  /** Starts it, with its existing data, and resolves once it answers. */
  start(): Promise<void>;
  /** Stops it without notice (SIGKILL), or at once with a notice to each connection (SIGQUIT). */
  kill(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void>;
  /** Freezes all its processes: connections stay open and nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  remove(): Promise<void>;
}

/** The folder of the PostgreSQL programs; null, with a skip line, if there is none. */
export function postgresPrograms(): string | null {
  try {
    return execFileSync(SCRIPT, ['where'], { encoding: 'utf8' }).trim();
  } catch {
    skipping('the programs of PostgreSQL are not installed');
    return null;
  }
}

/**
 * Creates a cluster in a folder of its own (or below `parent`) and starts it. It survives a kill, but a crash of the machine
 * only if it is `durable`.
 */
export async function openCluster(
  programs: string,
  parent = tmpdir(),
  { durable = false } = {},
): Promise<Cluster> {
  const place = await newPlace(parent);
  const { data, as } = place;
  const flags = ['-U', 'holdall', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'];
  await run(join(programs, 'initdb'), ['-D', data, ...flags], as);
  const cluster = clusterAt(programs, place, durable);
  await cluster.start();
  return cluster;
}

/** A standby that follows another cluster until it is promoted. */
export interface Standby extends Cluster {
  /** Makes it a primary, and resolves once it takes changes. */
  promote(): Promise<void>;
}

/**
 * Creates a standby of a running cluster. If it is synchronous, the cluster acknowledges a commit from then on only when the
 * standby has it, too.
 */
export async function openStandby(
  programs: string,
  primary: Cluster,
  { synchronous = true } = {},
): Promise<Standby> {
  const place = await newPlace(tmpdir());
  const { data, as } = place;
  const slot = `follower_${place.port}`;
  const copy = ['-D', data, '-d', primary.url, '--write-recovery-conf', '--no-sync', '--checkpoint=fast'];
  await run(join(programs, 'pg_basebackup'), [...copy, '--create-slot', '--slot', slot], as);
  const cluster = clusterAt(programs, place);
  // The copy brought the setting along; a standby waits for nobody once it is promoted.
  if (synchronous) await setAll(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await cluster.start();
  await untilFollowed(primary.url, synchronous ? 'sync' : 'async');
  return Object.assign(cluster, {
    promote: async () => {
      await setAll(cluster.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
      await setAll(cluster.url, 'SELECT pg_promote(true)');
    },
  });
}

/** Executes a statement, and lets the cluster read its settings again. */
async function setAll(url: string, statement: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(statement);
    await client.query('SELECT pg_reload_conf()');
  });
}

const untilFollowed = (url: string, how: 'sync' | 'async'): Promise<void> =>
  withClient(url, (client) =>
    until(async () => {
      const { rows } = await client.query(
        "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = $1",
        [how],
      );
      return rows.length > 0;
    }),
  );

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Where a cluster lies, and who its processes run as. */
interface ClusterPlace {
  readonly folder: string;
  readonly data: string;
  readonly port: number;
  readonly as: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
}

async function newPlace(parent: string): Promise<ClusterPlace> {
  const folder = await mkdtemp(join(parent, 'holdall-postgres-'));
  const user = await serverUser();
  if (user !== null) await chown(folder, user.uid, user.gid);
  return { folder, data: join(folder, 'data'), port: await freePort(), as: { cwd: '/', ...user } };
}

/** The cluster with the data that lies there; it is not started yet. */
function clusterAt(programs: string, { folder, data, port, as }: ClusterPlace, durable = false): Cluster {
  const settings = [
    'unix_socket_directories=',
    ...(durable ? [] : ['fsync=off', 'min_wal_size=2MB', 'max_wal_size=8MB']),
  ];
  let server: ChildProcess | null = null;

  async function kill(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    if (signal === 'SIGKILL') {
      // Its children would notice by themselves, but some of them late, and it must not restart them
      // meanwhile.
      server.kill('SIGSTOP');
      signalAll(await childrenOf(server), signal);
    }
    server.kill(signal);
    await gone;
    server = null;
  }

  async function signalEvery(signal: NodeJS.Signals): Promise<void> {
    if (server === null) throw new Error('the cluster is not running');
    signalAll([...(await childrenOf(server)), server.pid ?? 0], signal);
  }

  const cluster: Cluster = {
    url: `postgres://holdall@127.0.0.1:${port}/postgres`,
    get pid() {
      return server?.pid ?? 0;
    },
    start: async () => {
      const options = settings.flatMap((setting) => ['-c', setting]);
      const args = ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...options];
      server = spawn(join(programs, 'postgres'), args, { ...as, stdio: 'ignore' });
      await untilItAnswers(cluster.url);
    },
    kill,
    freeze: () => signalEvery('SIGSTOP'),
    thaw: () => signalEvery('SIGCONT'),
    remove: async () => {
      await kill('SIGKILL');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return cluster;
}

/** Who servers run as that refuse to run as root, as PostgreSQL does; null for whoever runs the tests. */
export async function serverUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

async function childrenOf({ pid }: ChildProcess): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

const untilItAnswers = (url: string): Promise<void> =>
  until(() =>
    withClient(url, async () => undefined).then(
      () => true,
      () => false,
    ),
  );
