import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** An open page of a front end, connected to one of the processes. */
export interface LiveSession {
  readonly id: string;
  /** Null for a visitor who is not signed in. */
  readonly userId: number | null;
  /** The row of the session that its cookie belongs to. */
  readonly sessionId: number | null;
  /** What a visitor who was closed is recognised by. */
  readonly visitor: string;
  readonly userAgent: string;
  readonly ipAddress: string;
  readonly page: string;
  readonly connectedAt: number;
}

interface Row {
  id: string;
  user_id: number | null;
  session_id: number | null;
  visitor: string;
  user_agent: string;
  ip_address: string;
  page: string;
  connected_at: number;
}

const fromRow = (row: Row): LiveSession => ({
  id: row.id,
  userId: row.user_id,
  sessionId: row.session_id,
  visitor: row.visitor,
  userAgent: row.user_agent,
  ipAddress: row.ip_address,
  page: row.page,
  connectedAt: row.connected_at,
});

/** Records an open page, and forgets those not seen since `forgotten`. */
export async function insertLiveSession(trx: Queryable, live: LiveSession, forgotten: number): Promise<void> {
  await trx('live_sessions').where('seen_at', '<', forgotten).delete();
  await trx('live_sessions').insert({
    id: live.id,
    user_id: live.userId,
    session_id: live.sessionId,
    visitor: live.visitor,
    user_agent: live.userAgent,
    ip_address: live.ipAddress,
    page: live.page,
    connected_at: live.connectedAt,
    seen_at: live.connectedAt,
  });
}

/** Sets the page that a live session shows. */
export async function movePage(trx: Queryable, id: string, page: string): Promise<void> {
  await trx('live_sessions').where('id', id).update({ page });
}

/** Records that these live sessions are still connected. */
export async function touchLiveSessions(
  db: Db,
  trx: Queryable,
  ids: readonly string[],
  at: number,
): Promise<void> {
  await query(trx, `UPDATE live_sessions SET seen_at = ? WHERE ${db.dialect.inStrings('id')}`, [
    at,
    JSON.stringify(ids),
  ]);
}

/** The live sessions seen since a moment and not closed, newest first, at most `limit`. */
export async function liveSessionsSince(db: Queryable, since: number, limit: number): Promise<LiveSession[]> {
  const found: Row[] = await db('live_sessions')
    .where('seen_at', '>=', since)
    .whereNull('closed_at')
    .orderBy('connected_at', 'desc')
    .limit(limit);
  return found.map(fromRow);
}

/** A live session seen since a moment and not closed; null if there is none. */
export async function liveSession(db: Queryable, id: string, since: number): Promise<LiveSession | null> {
  const row: Row | undefined = await db('live_sessions')
    .where('id', id)
    .andWhere('seen_at', '>=', since)
    .whereNull('closed_at')
    .first();
  return row === undefined ? null : fromRow(row);
}

/** Marks a live session as closed, which keeps its visitor away for a while; false if it is closed already. */
export async function closeLiveSession(trx: Queryable, id: string, at: number): Promise<boolean> {
  const closed = await trx('live_sessions')
    .where('id', id)
    .whereNull('closed_at')
    .update({ closed_at: at, seen_at: at });
  return closed > 0;
}

/** Removes live sessions whose pages were left, except those that were closed. */
export async function removeLiveSessions(db: Db, trx: Queryable, ids: readonly string[]): Promise<void> {
  await query(trx, `DELETE FROM live_sessions WHERE closed_at IS NULL AND ${db.dialect.inStrings('id')}`, [
    JSON.stringify(ids),
  ]);
}

/** Whether a page of this visitor was closed since a moment. */
export async function wasClosed(db: Queryable, visitor: string, since: number): Promise<boolean> {
  const row = await db('live_sessions')
    .where('visitor', visitor)
    .andWhere('closed_at', '>=', since)
    .first('id');
  return row !== undefined;
}
