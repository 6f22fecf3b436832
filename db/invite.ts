import type { Queryable } from './connect.js';
import { rows } from './rows.js';

/** A code that makes accounts. */
export interface NewInvite {
  readonly codeHash: string;
  readonly role: string;
  readonly createdAt: number;
}

/** Adds a code for one account. */
export async function insertInvite(trx: Queryable, invite: NewInvite): Promise<void> {
  await trx('invites').insert({
    code_hash: invite.codeHash,
    role: invite.role,
    created_at: invite.createdAt,
    max_uses: 1,
    uses: 0,
  });
}

/** True when this code was printed for the first owner. */
export async function ownerInvites(db: Queryable, codeHash: string): Promise<boolean> {
  return (
    (await db('invites').select('id').where({ code_hash: codeHash, role: 'OWNER' }).first()) !== undefined
  );
}

/** Claims a name for ever; true for exactly one caller. */
export async function claimOnce(trx: Queryable, name: string): Promise<boolean> {
  const claimed = await rows(
    trx,
    'INSERT INTO installation (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING RETURNING name',
    [name, String(Date.now())],
  );
  return claimed.length > 0;
}
