import { addHappened, type Happening } from '../../../db/content/told/told.js';
import { DAY_MS } from '../../../db/engine/days.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { Services } from '../context.js';

/** What happens within this time is one message. */
const JOINED_MS = 20_000;
/** The least time between two messages about one thing. */
const PAUSE_MS = 60_000;
/** The hour of UTC at which is told what is told once a day. */
const DAILY_HOUR = 6;

/** When the next daily mails are sent. */
export function nextDaily(at: number): number {
  const shift = DAILY_HOUR * 60 * 60 * 1000;
  return Math.floor((at - shift) / DAY_MS) * DAY_MS + DAY_MS + shift;
}

/** Plans to tell owners what happened to something of theirs, in the transaction in which it is counted. */
export async function planTelling(
  app: Pick<Services, 'db' | 'jobs'>,
  trx: Queryable,
  happenings: readonly Happening[],
): Promise<void> {
  const at = Date.now();
  const happened = happenings.map((one) => ({
    ...one,
    due: one.mode === 'daily' ? nextDaily(at) : at + JOINED_MS,
  }));
  const planned = await addHappened(app.db, trx, happened, PAUSE_MS);
  // One job for all that one account is told at that time.
  const jobs = new Map(planned.map(({ ownerId, due }) => [`telling ${ownerId} ${due}`, { ownerId, due }]));
  for (const [uniqueKey, { ownerId, due }] of jobs) await planJob(app, trx, ownerId, due, uniqueKey);
}

/** Plans to tell an account at this time what is due then. */
export const planJob = (
  { jobs }: Pick<Services, 'jobs'>,
  trx: Queryable,
  ownerId: number,
  due: number,
  uniqueKey = `telling ${ownerId} ${due}`,
): Promise<void> => jobs.add(trx, 'telling', { userId: ownerId }, { runAt: due, uniqueKey });
