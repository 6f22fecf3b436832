import { DELETED_USERS } from '../../account/account.js';
import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

/** What members of a collection may do, each also what those before it may: look at it, add own files, edit it. */
export const MEMBER_ROLES = ['viewer', 'adder', 'editor'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** An account with which a collection is kept together. */
export interface Member {
  readonly userId: number;
  readonly role: MemberRole;
  readonly createdAt: number;
}

interface Row {
  user_id: number;
  role: MemberRole;
  created_at: number;
}

/** The members of a collection, in the order in which they came; deleted accounts left out. */
export async function membersOf(db: Queryable, collectionId: number): Promise<Member[]> {
  const rows = await query<Row>(
    db,
    `SELECT user_id, role, created_at FROM collection_members
     WHERE collection_id = ? AND user_id NOT IN ${DELETED_USERS} ORDER BY created_at, user_id`,
    [collectionId],
  );
  return rows.map((row) => ({ userId: row.user_id, role: row.role, createdAt: row.created_at }));
}

/** As what an account is a member of a collection; null if it is none. */
export async function memberRole(
  db: Queryable,
  collectionId: number,
  userId: number,
): Promise<MemberRole | null> {
  const [row] = await query<Row>(
    db,
    'SELECT role FROM collection_members WHERE collection_id = ? AND user_id = ?',
    [collectionId, userId],
  );
  return row?.role ?? null;
}

/** Makes an account a member of a collection, or gives it another role; true if it was none. */
export async function putMember(
  trx: Queryable,
  collectionId: number,
  { userId, role, createdAt }: Member,
): Promise<boolean> {
  const changed = await query(
    trx,
    'UPDATE collection_members SET role = ? WHERE collection_id = ? AND user_id = ? RETURNING user_id',
    [role, collectionId, userId],
  );
  if (changed.length > 0) return false;
  await query(
    trx,
    'INSERT INTO collection_members (collection_id, user_id, role, created_at) VALUES (?, ?, ?, ?)',
    [collectionId, userId, role, createdAt],
  );
  return true;
}

/** Ends a membership; false if there is none. */
export async function deleteMember(trx: Queryable, collectionId: number, userId: number): Promise<boolean> {
  const gone = await query(
    trx,
    'DELETE FROM collection_members WHERE collection_id = ? AND user_id = ? RETURNING user_id',
    [collectionId, userId],
  );
  return gone.length > 0;
}

/** Whom a collection is offered; null for nobody. */
export async function offeredTo(db: Queryable, collectionId: number): Promise<number | null> {
  const [row] = await query<{ user_id: number }>(
    db,
    `SELECT user_id FROM collection_offers WHERE collection_id = ? AND user_id NOT IN ${DELETED_USERS}`,
    [collectionId],
  );
  return row?.user_id ?? null;
}

/** Offers a collection to an account, and to no other any more. */
export async function putOffer(
  trx: Queryable,
  collectionId: number,
  userId: number,
  at: number,
): Promise<void> {
  await query(
    trx,
    `INSERT INTO collection_offers (collection_id, user_id, created_at) VALUES (?, ?, ?)
     ON CONFLICT (collection_id) DO UPDATE SET user_id = excluded.user_id, created_at = excluded.created_at`,
    [collectionId, userId, at],
  );
}

/** Ends the offer of a collection, that to this account if one is given; false if there is none. */
export async function deleteOffer(
  trx: Queryable,
  collectionId: number,
  userId: number | null,
): Promise<boolean> {
  const gone = await query(
    trx,
    `DELETE FROM collection_offers WHERE collection_id = ? ${userId === null ? '' : 'AND user_id = ?'}
     RETURNING user_id`,
    userId === null ? [collectionId] : [collectionId, userId],
  );
  return gone.length > 0;
}

/** Of these collections, what an account is in each, and whether it is offered to it. */
export async function partsIn(
  db: Db,
  userId: number,
  collectionIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly role: MemberRole | null; readonly offered: boolean }>> {
  const ids = JSON.stringify(collectionIds);
  const rows = await query<{ id: number; role: MemberRole | null; offered: number }>(
    db.read,
    `SELECT p.id, m.role, CASE WHEN o.user_id IS NULL THEN 0 ELSE 1 END AS offered FROM collections p
     LEFT JOIN collection_members m ON m.collection_id = p.id AND m.user_id = ?
     LEFT JOIN collection_offers o ON o.collection_id = p.id AND o.user_id = ?
     WHERE ${db.dialect.inNumbers('p.id')}`,
    [userId, userId, ids],
  );
  return new Map(rows.map(({ id, role, offered }) => [id, { role, offered: Number(offered) === 1 }]));
}

/** Ends every membership of an account, and every offer to it. */
export async function forgetMember(trx: Queryable, userId: number): Promise<void> {
  await query(trx, 'DELETE FROM collection_members WHERE user_id = ?', [userId]);
  await query(trx, 'DELETE FROM collection_offers WHERE user_id = ?', [userId]);
}
