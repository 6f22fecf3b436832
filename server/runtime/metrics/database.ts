import { countUsers } from '../../../db/account/account.js';
import type { Db } from '../../../db/engine/connect.js';
import { query } from '../../../db/engine/query.js';
import { totalsByKind } from '../../../db/statistics/stats.js';
import { jobCounts } from '../../../db/system/job.js';
import { byPlural } from '../../../routers/base/kinds.js';
import type { Services } from '../../../routers/core/context.js';
import { type Metric, single } from './metric.js';

const max = { combine: 'max' } as const;

/** Metrics of the database; only `holdall_database_up` 0 if it does not respond. */
export async function readDatabase({ db, log }: Pick<Services, 'db' | 'log'>): Promise<Metric[]> {
  const up = (value: 0 | 1) => single('holdall_database_up', 'Whether the database responds.', value, max);
  try {
    const started = performance.now();
    await db.read.raw('SELECT 1');
    const seconds = (performance.now() - started) / 1000;
    const [users, totals, jobs, size] = await Promise.all([
      countUsers(db.read),
      totalsByKind(db, null),
      jobCounts(db),
      sizeOf(db),
    ]);
    const items = { users, ...byPlural((kind) => totals[kind].items) };
    const labelled = (name: string, help: string, samples: (readonly [Record<string, string>, number])[]) =>
      ({
        name,
        help,
        type: 'gauge',
        combine: 'max',
        samples: samples.map(([labels, value]) => ({ suffix: '', labels, value })),
      }) as const;
    return [
      up(1),
      single('holdall_database_seconds', 'Time taken by the simplest statement.', seconds, max),
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
        jobs.map(({ kind, oldest }) => [
          { kind },
          oldest === null ? 0 : Math.max(0, (Date.now() - oldest) / 1000),
        ]),
      ),
    ];
  } catch (error) {
    log.error({ err: error }, 'the database did not respond to a metrics query');
    return [up(0)];
  }
}

/** Null if the database does not tell: some engines have no such function, or it is forbidden. */
async function sizeOf(db: Db): Promise<number | null> {
  const found = await query<{ bytes: number | null }>(db.read, db.dialect.size).catch(() => []);
  return found[0]?.bytes ?? null;
}
