import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

const OPEN = "owner_id = ? AND purpose = 'guest' AND state IN ('receiving', 'processing') AND expires_at > ?";

/** Some unfinished uploads of guests. */
interface Unfinished {
  readonly total: number;
  /** Bytes that have arrived. */
  readonly received: number;
  /** When the first of them ends, epoch milliseconds. */
  readonly firstEnd: number;
}

/** The unfinished uploads at `at` that guests send to an account, and those among them that come from one network. */
export async function guestUploads(
  trx: Queryable,
  ownerId: number,
  sentFrom: string,
  at: number,
): Promise<Unfinished & { readonly ofNetwork: Unfinished }> {
  const rows = await query<{ own: boolean | number; total: number; received: number; first_end: number }>(
    trx,
    `SELECT own, count(*) AS total, sum(received) AS received, min(expires_at) AS first_end
     FROM (SELECT received, expires_at, CASE WHEN sent_from = ? THEN 1 ELSE 0 END AS own FROM uploads WHERE ${OPEN}) AS open
     GROUP BY own`,
    [sentFrom, ownerId, at],
  );
  const of = (some: typeof rows): Unfinished => ({
    total: some.reduce((sum, row) => sum + Number(row.total), 0),
    received: some.reduce((sum, row) => sum + Number(row.received), 0),
    firstEnd: Math.min(...some.map((row) => Number(row.first_end)), Number.MAX_SAFE_INTEGER),
  });
  return { ...of(rows), ofNetwork: of(rows.filter(({ own }) => Number(own) === 1)) };
}

/**
 * Deletes an unfinished upload of a guest that nobody sends to: of the network that has most of them, one without bytes
 * first, then the oldest. One that has bytes has to be without new ones for a while: its address ends at `before` or
 * earlier. False if there is none. The sweep removes its bytes.
 */
export async function dropIdleUpload(
  trx: Queryable,
  ownerId: number,
  { at, before }: { readonly at: number; readonly before: number },
): Promise<boolean> {
  const [found] = await query<{ id: number }>(
    trx,
    `SELECT id FROM (
       SELECT id, received, state, expires_at, lock_until, count(*) OVER (PARTITION BY sent_from) AS together
       FROM uploads WHERE ${OPEN}
     ) AS open
     WHERE state = 'receiving' AND (received = 0 OR expires_at <= ?) AND (lock_until IS NULL OR lock_until <= ?)
     ORDER BY together DESC, CASE WHEN received = 0 THEN 0 ELSE 1 END, expires_at, id LIMIT 1`,
    [ownerId, at, before, at],
  );
  if (found === undefined) return false;
  return (await trx('uploads').where('id', found.id).delete()) > 0;
}

/**
 * Deletes the oldest unfinished upload of a guest from this network without a byte, whose address ends at `before` or
 * earlier. False if there is none.
 */
export async function dropEmptyUpload(
  trx: Queryable,
  ownerId: number,
  sentFrom: string,
  { at, before }: { readonly at: number; readonly before: number },
): Promise<boolean> {
  const [found] = await query<{ id: number }>(
    trx,
    `SELECT id FROM uploads WHERE ${OPEN} AND sent_from = ? AND state = 'receiving' AND received = 0 AND expires_at <= ?
     AND (lock_until IS NULL OR lock_until <= ?) ORDER BY expires_at, id LIMIT 1`,
    [ownerId, at, sentFrom, before, at],
  );
  if (found === undefined) return false;
  return (await trx('uploads').where('id', found.id).delete()) > 0;
}
