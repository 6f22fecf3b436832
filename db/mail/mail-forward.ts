import type { Queryable } from '../engine/queryable.js';

/** Where a mailbox sends what arrives. Nothing is sent before the target has agreed. */
interface MailForward {
  readonly mailboxId: number;
  readonly target: string;
  readonly confirmed: boolean;
}

interface Row {
  mailbox_id: number;
  target: string;
  code_hash: string | null;
}

const fromRow = (row: Row): MailForward => ({
  mailboxId: row.mailbox_id,
  target: row.target,
  confirmed: row.code_hash === null,
});

/** Where a mailbox forwards to, or will once the target agrees; null if nowhere. */
export async function forwardOf(db: Queryable, mailboxId: number): Promise<MailForward | null> {
  const row = await db('mail_forwards').where('mailbox_id', mailboxId).first();
  return row === undefined ? null : fromRow(row);
}

/** Replaces the target of a mailbox by one that has yet to agree. */
export async function putForward(
  trx: Queryable,
  forward: {
    readonly mailboxId: number;
    readonly target: string;
    readonly codeHash: string;
    readonly expiresAt: number;
  },
): Promise<void> {
  const { mailboxId, target, codeHash, expiresAt } = forward;
  await trx('mail_forwards')
    .insert({ mailbox_id: mailboxId, target, code_hash: codeHash, expires_at: expiresAt })
    .onConflict('mailbox_id')
    .merge();
}

/** The mailbox and the target that a code belongs to; null if it is wrong, used or expired. */
export async function forwardOfCode(
  db: Queryable,
  codeHash: string,
  at: number,
): Promise<{ readonly address: string; readonly target: string } | null> {
  const row = await db('mail_forwards')
    .join('mailboxes', 'mailboxes.id', 'mail_forwards.mailbox_id')
    .where('code_hash', codeHash)
    .andWhere('mail_forwards.expires_at', '>', at)
    .first('mailboxes.address', 'mail_forwards.target');
  return row ?? null;
}

/** Uses up a code: from now on the mailbox forwards. Returns the mailbox; null if the code is wrong or expired. */
export async function confirmForward(trx: Queryable, codeHash: string, at: number): Promise<number | null> {
  const [row] = await trx('mail_forwards')
    .where('code_hash', codeHash)
    .andWhere('expires_at', '>', at)
    .update({ code_hash: null })
    .returning('mailbox_id');
  return row?.mailbox_id ?? null;
}

/** Ends the forwarding of a mailbox; false if it did not forward. */
export async function deleteForward(trx: Queryable, mailboxId: number): Promise<boolean> {
  return (await trx('mail_forwards').where('mailbox_id', mailboxId).delete()) > 0;
}

/** Ends the forwarding of all mailboxes of an account; returns how many forwarded. */
export const deleteForwardsOf = (trx: Queryable, ownerId: number): Promise<number> =>
  trx('mail_forwards')
    .whereIn('mailbox_id', trx('mailboxes').select('id').where('owner_id', ownerId))
    .delete();

/** Deletes requests that the target did not confirm in time. */
export async function deleteUnconfirmed(trx: Queryable, at: number): Promise<void> {
  await trx('mail_forwards').whereNotNull('code_hash').andWhere('expires_at', '<=', at).delete();
}
