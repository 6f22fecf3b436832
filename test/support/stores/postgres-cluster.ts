import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { ROOT } from '../root.js';
import { freePort } from '../servers/server-process.js';
import { skipping } from '../skip.js';

const run = promisify(execFile);
const SCRIPT = join(ROOT, '.ci', 'postgres.sh');

/** How long a cluster may take to answer, in milliseconds. */
const PATIENCE_MS = 30_000;

/** A complete PostgreSQL server for one test, to be stopped, killed and frozen. */
export interface Cluster {
  /** The address of an empty database on it. */
  readonly url: string;
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

/** Creates a cluster in a folder of its own (or below `parent`) and starts it. */
export async function openCluster(programs: string, parent = tmpdir()): Promise<Cluster> {
  const folder = await mkdtemp(join(parent, 'holdall-postgres-'));
  const data = join(folder, 'data');
  const port = await freePort();
  const user = await serverUser();
  if (user !== null) await chown(folder, user.uid, user.gid);
  const as = { cwd: '/', ...user };
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'holdall', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'],
    as,
  );
  const settings = ['unix_socket_directories=', 'fsync=off', 'min_wal_size=2MB', 'max_wal_size=8MB'];
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
  await cluster.start();
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

async function untilItAnswers(url: string): Promise<void> {
  for (const limit = Date.now() + PATIENCE_MS; ; await delay(20)) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > limit) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
