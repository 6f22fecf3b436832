import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { KEPT } from '../life.js';

/** Whether an account is told weekly about broken targets. */
export const hasDigest = async (db: Queryable, userId: number): Promise<boolean> =>
  (await db('link_digests').where('user_id', userId).first('user_id')) !== undefined;

/** Tells an account from now on, the first time when it is due. One that is told already keeps its turn. */
export async function addDigest(trx: Queryable, userId: number, dueAt: number): Promise<void> {
  await query(
    trx,
    'INSERT INTO link_digests (user_id, due_at) VALUES (?, ?) ON CONFLICT (user_id) DO NOTHING',
    [userId, dueAt],
  );
}

/** Tells an account no longer. */
export const removeDigest = (trx: Queryable, userId: number): Promise<unknown> =>
  trx('link_digests').where('user_id', userId).delete();

/** The accounts whose turn it is, the longest ago first. */
export async function digestsDue(db: Queryable, at: number, limit: number): Promise<number[]> {
  const found = await query<{ user_id: number }>(
    db,
    'SELECT user_id FROM link_digests WHERE due_at <= ? ORDER BY due_at LIMIT ?',
    [at, limit],
  );
  return found.map((row) => row.user_id);
}

/** Takes the turn of an account, so that nobody else does; false if somebody has. */
export async function takeDigest(trx: Queryable, userId: number, at: number, next: number): Promise<boolean> {
  const taken = await query(
    trx,
    'UPDATE link_digests SET due_at = ? WHERE user_id = ? AND due_at <= ? RETURNING user_id',
    [next, userId, at],
  );
  return taken.length > 0;
}

/** How many links of an account have a target that does not answer, and some of their targets. */
export async function brokenLinks(
  db: Db,
  ownerId: number,
  limit: number,
): Promise<{ readonly total: number; readonly targets: readonly string[] }> {
  const broken = `FROM short_urls WHERE owner_id = ? AND health = 'broken' AND ${KEPT}`;
  const [sum] = await query<{ total: number }>(db.read, `SELECT count(*) AS total ${broken}`, [ownerId]);
  const some = await query<{ original_url: string }>(
    db.read,
    `SELECT original_url ${broken} ORDER BY checked_at DESC, id DESC LIMIT ?`,
    [ownerId, limit],
  );
  return { total: Number(sum?.total ?? 0), targets: some.map((row) => row.original_url) };
}
