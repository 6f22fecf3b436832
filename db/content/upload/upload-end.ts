import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

/** When uploads count as ended: their address has expired at `at`. One that is being processed has until `stuckSince`: its bytes are complete. */
interface Ended {
  readonly at: number;
  readonly stuckSince: number;
}

const HAS_ENDED = "expires_at <= ? AND (state <> 'processing' OR expires_at <= ?)";

/** Uploads that have ended, at most `limit`, the oldest first. */
export async function endedUploads(
  db: Queryable,
  { at, stuckSince }: Ended,
  limit: number,
): Promise<number[]> {
  const rows = await query<{ id: number }>(
    db,
    `SELECT id FROM uploads WHERE ${HAS_ENDED} ORDER BY expires_at LIMIT ?`,
    [at, stuckSince, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes those of these uploads that have still ended; returns how many did, and the names of their parts, whose bytes
 * have to be removed afterwards. Several may do this at once: each upload is deleted by one of them.
 */
export async function deleteEnded(
  db: Db,
  trx: Queryable,
  ids: readonly number[],
  { at, stuckSince }: Ended,
): Promise<{ readonly total: number; readonly keys: readonly string[] }> {
  const ended = await query<{ id: number }>(
    trx,
    `SELECT id FROM uploads WHERE ${db.dialect.inNumbers('id')} AND ${HAS_ENDED} ORDER BY id ${db.dialect.skipLocked}`,
    [JSON.stringify(ids), at, stuckSince],
  );
  const deleted = JSON.stringify(ended.map(({ id }) => id));
  const parts = await query<{ part_key: string }>(
    trx,
    `DELETE FROM upload_parts WHERE ${db.dialect.inNumbers('upload_id')} RETURNING part_key`,
    [deleted],
  );
  await query(trx, `DELETE FROM uploads WHERE ${db.dialect.inNumbers('id')}`, [deleted]);
  return { total: ended.length, keys: parts.map(({ part_key }) => part_key) };
}

/** Deletes the uploads of an account for one purpose of which bytes are still missing; the sweep removes their bytes. */
export async function deleteUnfinished(trx: Queryable, ownerId: number, purpose: string): Promise<number> {
  return trx('uploads').where({ owner_id: ownerId, purpose, state: 'receiving' }).delete();
}
