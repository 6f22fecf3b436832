import type { Window } from '../engine/paging.js';
import type { Queryable } from '../engine/queryable.js';

/** An account at a provider that can sign in to an account here. */
export interface LinkedIdentity {
  readonly id: number;
  readonly userId: number;
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** Its address there when it was last used; says nothing about who may sign in. */
  readonly email: string | null;
  readonly name: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

interface Row {
  id: number;
  user_id: number;
  provider: string;
  issuer: string;
  subject: string;
  email: string | null;
  name: string | null;
  created_at: number;
  last_used_at: number | null;
}

const fromRow = (row: Row): LinkedIdentity => ({
  id: row.id,
  userId: row.user_id,
  provider: row.provider,
  issuer: row.issuer,
  subject: row.subject,
  email: row.email,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

/** The identity of somebody at an issuer; null if no account here has it. */
export async function identityOf(
  db: Queryable,
  issuer: string,
  subject: string,
): Promise<LinkedIdentity | null> {
  const row: Row | undefined = await db('identities').where({ issuer, subject }).first();
  return row === undefined ? null : fromRow(row);
}

/** A section of an account's identities, newest first. */
export async function identitiesOf(
  db: Queryable,
  userId: number,
  { offset, limit }: Window,
): Promise<LinkedIdentity[]> {
  const found: Row[] = await db('identities')
    .where('user_id', userId)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit);
  return found.map(fromRow);
}

/** One identity of an account; null if it has no such identity. */
export async function identityOfUser(
  db: Queryable,
  userId: number,
  id: number,
): Promise<LinkedIdentity | null> {
  const row: Row | undefined = await db('identities').where({ user_id: userId, id }).first();
  return row === undefined ? null : fromRow(row);
}

/** How many identities an account has. */
export async function countIdentities(db: Queryable, userId: number): Promise<number> {
  const row = await db('identities').where('user_id', userId).count({ count: '*' }).first();
  return Number(row?.count ?? 0);
}

/** Links an identity; violates a unique index if an account has it. Returns its row id. */
export async function insertIdentity(trx: Queryable, identity: Omit<LinkedIdentity, 'id'>): Promise<number> {
  const [row] = await trx('identities')
    .insert({
      user_id: identity.userId,
      provider: identity.provider,
      issuer: identity.issuer,
      subject: identity.subject,
      email: identity.email,
      name: identity.name,
      created_at: identity.createdAt,
      last_used_at: identity.lastUsedAt,
    })
    .returning('id');
  return row.id;
}

/** Records that an identity signed in, and what the provider calls it now; false if it was unlinked meanwhile. */
export async function touchIdentity(
  trx: Queryable,
  id: number,
  seen: { readonly email: string | null; readonly name: string | null; readonly at: number },
): Promise<boolean> {
  const changed = await trx('identities')
    .where('id', id)
    .update({ email: seen.email, name: seen.name, last_used_at: seen.at });
  return changed > 0;
}

/** Unlinks an identity; false if the account has no such identity. */
export async function deleteIdentity(trx: Queryable, userId: number, id: number): Promise<boolean> {
  return (await trx('identities').where({ user_id: userId, id }).delete()) > 0;
}

/** Unlinks every identity of an account; returns how many there were. */
export async function deleteIdentitiesOf(trx: Queryable, userId: number): Promise<number> {
  return trx('identities').where('user_id', userId).delete();
}
