import { countUsers } from '../../../db/account/account-list.js';
import type { Db } from '../../../db/engine/connect.js';
import { query } from '../../../db/engine/query.js';
import { totalsByKind } from '../../../db/statistics/stats.js';
import { lastBackup } from '../../../db/system/installation.js';
import { jobCounts } from '../../../db/system/job.js';
import { byPlural } from '../../../routers/base/kinds.js';
import { within } from '../../../routers/base/text/within.js';
import type { Services } from '../../../routers/core/context.js';
import { type Metric, single } from './metric.js';

const max = { combine: 'max' } as const;

/** How long the figures of a database that answers may take, in milliseconds. */
const FIGURES_MS = 3_000;

/** Metrics of the database, in five seconds at most; only `holdall_database_up` 0 if it does not respond. */
export async function readDatabase({
  db,
  log,
  probes,
  singleFlight,
}: Pick<Services, 'db' | 'log' | 'probes' | 'singleFlight'>): Promise<Metric[]> {
  const isUp = (await probes.database.ask()) === 'ok';
  const { seconds } = probes.database.facts();
  // One reading at a time: each that does not end holds connections.
  const reading = isUp ? singleFlight('metrics of the database', () => readFigures(db)) : Promise.resolve([]);
  const figures = await within(
    FIGURES_MS,
    reading.catch((error: unknown) => {
      log.error({ err: error }, 'the database did not respond to a metrics query');
    }),
  );
  return [
    single('holdall_database_up', 'Whether the database responds.', isUp ? 1 : 0, max),
    ...(seconds === null
      ? []
      : [single('holdall_database_seconds', 'Time taken by the simplest statement.', seconds, max)]),
    ...(figures ?? []),
  ];
}

async function readFigures(db: Db): Promise<Metric[]> {
  const [users, totals, jobs, size, backedUpAt] = await Promise.all([
    countUsers(db.read),
    totalsByKind(db, null),
    jobCounts(db),
    sizeOf(db),
    lastBackup(db),
  ]);
  const items = { users, ...byPlural((kind) => totals[kind].items) };
  const ageOf = (at: number | null) => (at === null ? 0 : Math.max(0, (Date.now() - at) / 1000));
  const labelled = (name: string, help: string, samples: (readonly [Record<string, string>, number])[]) =>
    ({
      name,
      help,
      type: 'gauge',
      combine: 'max',
      samples: samples.map(([labels, value]) => ({ suffix: '', labels, value })),
    }) as const;
  return [
    ...(size === null ? [] : [single('holdall_database_bytes', 'Size of the database.', size, max)]),
    single('holdall_uploaded_bytes', 'Bytes of images as they were uploaded.', totals.image.bytes, max),
    labelled(
      'holdall_items',
      'Accounts and items.',
      Object.entries(items).map(([kind, count]) => [{ kind }, count]),
    ),
    labelled(
      'holdall_jobs',
      'Waiting and failed jobs.',
      jobs.flatMap(({ kind, waiting, failed }) => [
        [{ kind, state: 'waiting' }, waiting],
        [{ kind, state: 'failed' }, failed],
      ]),
    ),
    labelled(
      'holdall_jobs_oldest_seconds',
      'Age of the oldest waiting job of each kind.',
      jobs.map(({ kind, oldest }) => [{ kind }, ageOf(oldest)]),
    ),
    ...(backedUpAt === null
      ? []
      : [single('holdall_backup_age_seconds', 'Age of the last complete backup.', ageOf(backedUpAt), max)]),
  ];
}

/** Null if the database does not tell: some engines have no such function, or it is forbidden. */
async function sizeOf(db: Db): Promise<number | null> {
  const found = await query<{ bytes: number | null }>(db.read, db.dialect.size).catch(() => []);
  return found[0]?.bytes ?? null;
}
