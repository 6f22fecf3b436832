import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

/** Who held the lock of an upload before: nobody, somebody who has ended, or somebody who may still be writing. */
export type LockTaken = 'free' | 'overdue';

/**
 * Takes the lock of an upload for `token`. Held by another and not overdue, it is taken only with `force`; then, and
 * if it was overdue, the answer says so: whoever held it may still be writing to the last part. Null if it is held.
 */
export async function takeUploadLock(
  db: Db,
  trx: Queryable,
  lock: { id: number; token: string; at: number; until: number; force: boolean },
): Promise<LockTaken | null> {
  const [row] = await query<{ lock_token: string | null; lock_until: number | null }>(
    trx,
    `SELECT lock_token, lock_until FROM uploads WHERE id = ? ${db.dialect.forUpdate}`,
    [lock.id],
  );
  if (row === undefined) return null;
  const isFree = row.lock_token === null;
  if (!isFree && (row.lock_until ?? 0) > lock.at && !lock.force) {
    await trx('uploads').where('id', lock.id).update({ lock_wanted: true });
    return null;
  }
  await trx('uploads')
    .where('id', lock.id)
    .update({ lock_token: lock.token, lock_until: lock.until, lock_wanted: false });
  return isFree ? 'free' : 'overdue';
}

/** Keeps the lock until `until`. `lost` if another has it, `wanted` if another waits for it. */
export async function keepUploadLock(
  trx: Queryable,
  id: number,
  token: string,
  until: number,
): Promise<'held' | 'wanted' | 'lost'> {
  const [row] = await trx('uploads')
    .where({ id, lock_token: token })
    .update({ lock_until: until })
    .returning<{ lock_wanted: boolean | number }[]>('lock_wanted');
  if (row === undefined) return 'lost';
  return row.lock_wanted ? 'wanted' : 'held';
}

/** Gives the lock back, if this token still has it. */
export async function releaseUploadLock(trx: Queryable, id: number, token: string): Promise<void> {
  await trx('uploads')
    .where({ id, lock_token: token })
    .update({ lock_token: null, lock_until: null, lock_wanted: false });
}

/** Whether some request holds the lock of an upload at `at`. */
export async function isUploadHeld(db: Queryable, id: number, at: number): Promise<boolean> {
  const held = await db('uploads').where('id', id).andWhere('lock_until', '>', at).first('id');
  return held !== undefined;
}
