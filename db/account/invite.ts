import { UNEXPIRED } from '../content/life.js';
import type { Db } from '../engine/connect.js';
import { type Condition, type Page, queryPage, type Window } from '../engine/paging.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { Role } from './role.js';

interface NewInvite {
  readonly codeHash: string;
  /** The code itself, encrypted, for the list of invites; null for codes that are printed once. */
  readonly codeCipher: string | null;
  readonly role: Role;
  /** Null for the codes printed for the first owner. */
  readonly createdBy: number | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly maxUses: number;
}

/** An invite as administrators see it. */
export interface Invite extends NewInvite {
  readonly id: number;
  readonly uses: number;
  readonly usedAt: number | null;
  /** The account that used it last. */
  readonly usedBy: number | null;
}

interface Row {
  id: number;
  code_hash: string;
  code_cipher: string | null;
  role: Role;
  created_by: number | null;
  created_at: number;
  expires_at: number | null;
  max_uses: number;
  uses: number;
  used_at: number | null;
  used_by: number | null;
}

const fromRow = (row: Row): Invite => ({
  id: row.id,
  codeHash: row.code_hash,
  codeCipher: row.code_cipher,
  role: row.role,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  maxUses: row.max_uses,
  uses: row.uses,
  usedAt: row.used_at,
  usedBy: row.used_by,
});

/** Inserts an invite and returns it as stored; violates a unique index if the code exists. */
export async function insertInvite(trx: Queryable, invite: NewInvite): Promise<Invite> {
  const [row] = await trx('invites')
    .insert({
      code_hash: invite.codeHash,
      code_cipher: invite.codeCipher,
      role: invite.role,
      created_by: invite.createdBy,
      created_at: invite.createdAt,
      expires_at: invite.expiresAt,
      max_uses: invite.maxUses,
      uses: 0,
    })
    .returning('*');
  return fromRow(row);
}

/** Whether this code was printed for the first owner. */
export async function ownerInvites(db: Queryable, codeHash: string): Promise<boolean> {
  const row = await db('invites').where('code_hash', codeHash).whereNull('created_by').first('id');
  return row !== undefined;
}

const USABLE = `uses < max_uses AND ${UNEXPIRED} AND created_by IS NOT NULL`;

/** Whether the code would be accepted; checked first to avoid the work for an account that cannot be created. */
export async function isUsableInvite(db: Queryable, codeHash: string, at: number): Promise<boolean> {
  const found = await query(db, `SELECT id FROM invites WHERE code_hash = ? AND ${USABLE}`, [codeHash, at]);
  return found.length > 0;
}

/** Uses an invite once; null if it is unknown, used up or expired. A single atomic statement. */
export async function takeInvite(trx: Queryable, codeHash: string, at: number): Promise<Invite | null> {
  const [row] = await query<Row>(
    trx,
    `UPDATE invites SET uses = uses + 1, used_at = ? WHERE code_hash = ? AND ${USABLE} RETURNING *`,
    [at, codeHash, at],
  );
  return row === undefined ? null : fromRow(row);
}

/** Records who used an invite. */
export async function setInviteUser(trx: Queryable, inviteId: number, userId: number): Promise<void> {
  await trx('invites').where('id', inviteId).update({ used_by: userId });
}

/**
 * Revokes an invite for one of these roles: deletes it if it was never used, otherwise allows no further use.
 * False if there is none.
 */
export async function revokeInvite(
  trx: Queryable,
  codeHash: string,
  roles: readonly Role[],
): Promise<boolean> {
  const known = () =>
    trx('invites').where('code_hash', codeHash).whereNotNull('created_by').whereIn('role', roles);
  if ((await known().where('uses', 0).delete()) > 0) return true;
  return (await known().update({ max_uses: trx.ref('uses') })) > 0;
}

/** Revokes the invites that an account has created, as `revokeInvite` does. */
export async function revokeInvitesOf(trx: Queryable, userId: number): Promise<void> {
  const made = () => trx('invites').where('created_by', userId);
  await made().where('uses', 0).delete();
  await made().update({ max_uses: trx.ref('uses') });
}

/** Invites, newest first; `used` true for those used up, false for the others, null for all. */
export async function listInvites(db: Db, used: boolean | null, window: Window): Promise<Page<Invite>> {
  const where: Condition[] = [
    ['code_cipher IS NOT NULL'],
    used === null ? null : [used ? 'uses >= max_uses' : 'uses < max_uses'],
  ];
  return queryPage(db, { from: 'invites', where }, window, fromRow);
}
