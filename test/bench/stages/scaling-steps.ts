import { join } from 'node:path';
import type pg from 'pg';
import { acceleratingProxies, startProxy } from '../../support/servers/proxy.js';
import { startPgBouncer } from '../../support/stores/pgbouncer.js';
import { openCluster, postgresPrograms } from '../../support/stores/postgres-cluster.js';
import type { Place } from '../case.js';
import { type Holdall, startHoldall } from '../holdall.js';
import { startBalancer } from '../others.js';
import { pinnedTo, TWO_CORES } from '../processors.js';

/** An installation of Holdall at one step of docs/scaling.md. */
export interface Step {
  readonly label: string;
  /** A server of it, by which things are made. */
  readonly holdall: Holdall;
  /** Where clients ask. */
  readonly origin: string;
  /** Further servers. */
  readonly more: readonly number[];
  /** The database, the pooler and the proxy. */
  readonly others: readonly number[];
}

const WRAP = pinnedTo(...TWO_CORES);

/** Starts each step that this machine has the programs for, with data of its own; the first one is the simplest. */
export async function startSteps(place: Place): Promise<readonly [Step, ...Step[]]> {
  const { folder, atEnd } = place;
  const start = async (name: string, env: Readonly<Record<string, string>> = {}, workers = 1) => {
    const holdall = await startHoldall(join(folder, name), { wrap: WRAP, workers, env });
    atEnd(() => holdall.server.stop());
    return holdall;
  };
  const step = (label: string, holdall: Holdall, more: Partial<Step> = {}): Step => ({
    label,
    holdall,
    origin: holdall.server.origin,
    more: [],
    others: [],
    ...more,
  });
  const one = step('one process, SQLite', await start('one'));
  const two = step('WORKERS=2, SQLite', await start('two', {}, 2));
  return [one, two, ...(await accelerated(place, start, step)), ...(await onPostgres(place, start, step))];
}

type Start = (name: string, env?: Readonly<Record<string, string>>) => Promise<Holdall>;
type MakeStep = (label: string, holdall: Holdall, more?: Partial<Step>) => Step;

/** One process behind a proxy that sends files. */
async function accelerated({ folder, atEnd }: Place, start: Start, step: MakeStep): Promise<Step[]> {
  const nginx = acceleratingProxies.find(({ name }) => name === 'nginx');
  const holdall = await start('accelerated', { ACCEL: 'nginx', TRUST_PROXY: 'true' });
  const dataDir = join(folder, 'accelerated');
  const proxy =
    nginx && (await startProxy(nginx.over(dataDir), holdall.server.origin, join(folder, 'nginx')));
  if (proxy === undefined || proxy === null) return [];
  atEnd(proxy.stop);
  return [step('ACCEL=nginx, SQLite', holdall, { origin: proxy.origin, others: [proxy.pid] })];
}

/** One process on PostgreSQL, one through PgBouncer, and two behind a proxy. */
async function onPostgres({ folder, atEnd }: Place, start: Start, step: MakeStep): Promise<Step[]> {
  const programs = postgresPrograms();
  if (programs === null) return [];
  const cluster = await openCluster(programs, undefined, { durable: true });
  atEnd(cluster.remove);
  const { pid } = cluster;
  const database = await namedDatabases(cluster.url);
  const direct = await start('postgres', { DATABASE_URL: await database('direct') });
  const steps = [step('one process, PostgreSQL', direct, { others: [pid] })];

  const pooler = await startPgBouncer(await database('pooled'));
  if (pooler !== null) {
    atEnd(pooler.stop);
    const pooled = await start('pooled', { DATABASE_URL: pooler.url });
    steps.push(step('one process, PgBouncer', pooled, { others: [pid, pooler.pid] }));
  }

  const env = { DATABASE_URL: await database('shared'), TRUST_PROXY: 'true' };
  const servers = [await start('shared', env), await start('shared', env)] as const;
  const origins = servers.map(({ server }) => server.origin);
  const balancer = await startBalancer(join(folder, 'balancer'), origins, WRAP);
  if (balancer === null) return steps;
  atEnd(balancer.stop);
  const others = [pid, balancer.pid];
  return [
    ...steps,
    step('two processes and a proxy, PostgreSQL', servers[0], {
      origin: balancer.origin,
      more: [servers[1].pid],
      others,
    }),
  ];
}

/** Makes databases on a cluster; resolves with their addresses. */
async function namedDatabases(cluster: string): Promise<(name: string) => Promise<string>> {
  const { default: driver } = await import('pg');
  return async (name) => {
    const client: pg.Client = new driver.Client({ connectionString: cluster });
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    const url = new URL(cluster);
    url.pathname = `/${name}`;
    return url.href;
  };
}
