import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import { OPEN } from './content.js';
import { type CountedSpan, countByDays } from './counted.js';
import { KIND_STORAGE, type Kind } from './kinds.js';
import { KEPT } from './life.js';

/** Who reaches an item of an account: everybody, its owner, or whoever knows its password. */
export type Visibility = 'public' | 'private' | 'protected';

/** SQL conditions on an item, as the indexes of visibilities have them: with a bound value SQLite could not use these. */
export const VISIBLE: Readonly<Record<Visibility, string>> = {
  public: OPEN,
  private: 'NOT is_public',
  protected: 'password_hash IS NOT NULL',
};

/**
 * The index with the items of each account that have a visibility, by time; null if there is none. What everybody reaches
 * has none, because every create would pay for it.
 */
export const visibilityIndex = (kind: Kind, visibility: Visibility | null): string | null =>
  visibility === null || visibility === 'public' ? null : `${KIND_STORAGE[kind].table}_${visibility}`;

/** A span of one account. */
type OwnSpan = CountedSpan & { readonly ownerId: number };

/**
 * How many items outside of the trash have a visibility. What most items have is counted by the day: only those with a
 * password are counted one by one.
 */
export async function countVisible(db: Db, span: OwnSpan, visibility: Visibility): Promise<number> {
  if (visibility === 'protected') return countProtected(db, span, '');
  const open = countByDays(db, { ...span, isOpen: true });
  if (visibility === 'public') return open;
  const [all, opened, listed] = await Promise.all([
    countByDays(db, span),
    open,
    countProtected(db, span, 'AND is_public'),
  ]);
  return Math.max(0, all - opened - listed);
}

async function countProtected(
  db: Db,
  { kinds, ownerId, from, to }: OwnSpan,
  further: '' | 'AND is_public',
): Promise<number> {
  const span = `${from === null ? '' : 'AND created_at >= ?'} ${to === null ? '' : 'AND created_at < ?'}`;
  const counts = kinds.map(
    (kind) =>
      `SELECT count(*) AS n FROM ${db.dialect.through(KIND_STORAGE[kind].table, `${KIND_STORAGE[kind].table}_protected`)}
       WHERE owner_id = ? AND ${VISIBLE.protected} AND ${KEPT} ${further} ${span}`,
  );
  const values = [ownerId, from, to].filter((value) => value !== null);
  const counted = await query<{ n: number }>(
    db.read,
    counts.join(' UNION ALL '),
    kinds.flatMap(() => values),
  );
  return counted.reduce((sum, { n }) => sum + Number(n), 0);
}
