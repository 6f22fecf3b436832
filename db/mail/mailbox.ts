import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** The stored state of a mailbox; past its expiry a mailbox is expired whatever this says. */
type MailboxState = 'OPEN' | 'CLOSED' | 'SUSPENDED' | 'DELETED';

/** What a rule of a mailbox does with a mail that fits. */
type MailAction =
  | 'read'
  | 'delete'
  | { readonly tag: string }
  | { readonly forward: string }
  | { readonly webhook: true };

/** A rule of a mailbox: all of `when` has to hold; texts are contained, without regard to case. */
export interface MailRule {
  readonly when: {
    readonly from?: string | undefined;
    readonly subject?: string | undefined;
    readonly hasAttachment?: boolean | undefined;
    /** Whether it has one-time codes. */
    readonly codes?: boolean | undefined;
  };
  readonly do: readonly MailAction[];
}

/** A receiving address. A deleted one stays reserved, so that no other account gets its mail. */
export interface Mailbox {
  readonly id: number;
  /** Lower case. */
  readonly address: string;
  /** Null for guest mailboxes, and for deleted mailboxes of deleted accounts. */
  readonly ownerId: number | null;
  /** Created by somebody without an account: only its cookie and administrators open it. */
  readonly guest: boolean;
  readonly state: MailboxState;
  readonly suspendedBy: number | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly tokenHash: string;
  /** Of the password with which mail is sent into it, and only into it; null if there is none. */
  readonly sendingHash: string | null;
  /** What is done with mail that arrives. */
  readonly rules: readonly MailRule[];
}

/** A row of the table. */
export interface MailboxRow {
  id: number;
  address: string;
  owner_id: number | null;
  guest: boolean | number;
  status: MailboxState;
  suspended_by: number | null;
  created_at: number;
  expires_at: number | null;
  token_hash: string;
  sending_hash: string | null;
  rules: string | null;
}

/** A row as a mailbox. */
export const mailboxOf = (row: MailboxRow): Mailbox => ({
  id: row.id,
  address: row.address,
  ownerId: row.owner_id,
  guest: Boolean(row.guest),
  state: row.status,
  suspendedBy: row.suspended_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  tokenHash: row.token_hash,
  sendingHash: row.sending_hash,
  rules: row.rules === null ? [] : json(row.rules),
});

/** A guest mailbox, or one whose owner is not a deleted account. */
const HELD = `(guest OR owner_id NOT IN ${DELETED_USERS})`;

/** Inserts an open mailbox; violates a unique index if the address is or was ever taken. */
export async function insertMailbox(
  trx: Queryable,
  mailbox: Pick<Mailbox, 'address' | 'ownerId' | 'createdAt' | 'expiresAt' | 'tokenHash'>,
  guest = false,
): Promise<Mailbox> {
  const [row] = await trx('mailboxes')
    .insert({
      address: mailbox.address,
      owner_id: mailbox.ownerId,
      guest,
      status: 'OPEN',
      created_at: mailbox.createdAt,
      expires_at: mailbox.expiresAt,
      token_hash: mailbox.tokenHash,
    })
    .returning('*');
  return mailboxOf(row);
}

/** Frees the address of a deleted mailbox; mails that were removed from it are forgotten with it. */
export const freeAddress = (trx: Queryable, address: string): Promise<number> =>
  trx('mailboxes').where({ address, status: 'DELETED' }).delete();

/** The mailbox with this address (lower case); null if there is none, or if the account of its owner is deleted. */
export async function mailboxByAddress(db: Queryable, address: string): Promise<Mailbox | null> {
  const [row] = await query<MailboxRow>(db, `SELECT * FROM mailboxes WHERE address = ? AND ${HELD}`, [
    address,
  ]);
  return row === undefined ? null : mailboxOf(row);
}

/** The address without the tag that senders may add to its name: `name+tag@` is `name@`. */
export const untagged = (address: string): string => address.replace(/^([^+@]+)\+[^@]*(?=@)/, '$1');

/** The mailbox with this row id; null if there is none. */
export async function mailboxById(db: Queryable, id: number): Promise<Mailbox | null> {
  const row = await db('mailboxes').where('id', id).first();
  return row === undefined ? null : mailboxOf(row);
}

/**
 * The owners of the mailboxes that mail to this address (lower case) reaches: that of its own, and, as `name+tag@`
 * may be `name@`, that of the name before the tag. Null for guest mailboxes and for those of deleted accounts, which
 * stay reserved.
 */
export async function mailboxHolders(db: Queryable, address: string): Promise<(number | null)[]> {
  return db('mailboxes')
    .whereIn('address', [address, untagged(address)])
    .pluck('owner_id');
}

/** Mailboxes that are not deleted, those of guests included, except those of deleted accounts; newest first. */
export async function listMailboxes(db: Queryable, limit: number, offset: number): Promise<Mailbox[]> {
  const found: MailboxRow[] = await db('mailboxes')
    .whereNot('status', 'DELETED')
    .whereRaw(HELD)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
  return found.map(mailboxOf);
}

/** Mailboxes of an account that are not deleted, newest first. */
export async function mailboxesOf(db: Queryable, ownerId: number): Promise<Mailbox[]> {
  const found: MailboxRow[] = await db('mailboxes')
    .where('owner_id', ownerId)
    .whereNot('status', 'DELETED')
    .orderBy('id', 'desc');
  return found.map(mailboxOf);
}

/** How many guest mailboxes receive mail at a moment. */
export async function countGuestMailboxes(db: Queryable, at: number): Promise<number> {
  const [row] = await query<{ open: number }>(
    db,
    "SELECT count(*) AS open FROM mailboxes WHERE guest AND expires_at > ? AND status <> 'DELETED'",
    [at],
  );
  return row?.open ?? 0;
}

/** Mailboxes that expired before a moment and still hold messages, at most `limit`. */
export async function endedMailboxes(db: Queryable, before: number, limit: number): Promise<number[]> {
  const found = await query<{ id: number }>(
    db,
    `SELECT id FROM mailboxes WHERE expires_at <= ? AND EXISTS (
       SELECT 1 FROM mail_messages WHERE mailbox_id = mailboxes.id AND removed_at IS NULL
     ) ORDER BY id LIMIT ?`,
    [before, limit],
  );
  return found.map(({ id }) => id);
}

/** Locks a mailbox that expired before a moment until the commit; false if its expiry was changed meanwhile. */
export async function lockEndedMailbox(db: Db, trx: Queryable, id: number, before: number): Promise<boolean> {
  const found = await query(
    trx,
    `SELECT id FROM mailboxes WHERE id = ? AND expires_at <= ? ${db.dialect.forUpdate}`,
    [id, before],
  );
  return found.length > 0;
}

/** Locks a mailbox until the commit, so that no mail arrives meanwhile; null if it is deleted. */
export async function lockMailbox(db: Db, trx: Queryable, id: number): Promise<Mailbox | null> {
  const [row] = await query<MailboxRow>(
    trx,
    `SELECT * FROM mailboxes WHERE id = ? AND status <> 'DELETED' ${db.dialect.forUpdate}`,
    [id],
  );
  return row === undefined ? null : mailboxOf(row);
}

/**
 * What somebody may have set up in an account's mailboxes ends: cookies (no cookie has the empty hash), sending
 * credentials and rules.
 */
export async function endMailboxAccess(trx: Queryable, ownerId: number): Promise<void> {
  await trx('mailboxes')
    .where('owner_id', ownerId)
    .update({ token_hash: '', sending_hash: null, rules: null });
}

/** Changes a mailbox and returns its new state; null if it is deleted. */
export async function updateMailbox(
  trx: Queryable,
  id: number,
  change: Partial<Pick<Mailbox, 'state' | 'suspendedBy' | 'expiresAt' | 'sendingHash' | 'rules'>>,
): Promise<Mailbox | null> {
  const [row] = await trx('mailboxes')
    .where('id', id)
    .whereNot('status', 'DELETED')
    // knex leaves out undefined values.
    .update({
      status: change.state,
      suspended_by: change.suspendedBy,
      expires_at: change.expiresAt,
      sending_hash: change.sendingHash,
      rules: change.rules === undefined ? undefined : JSON.stringify(change.rules),
    })
    .returning('*');
  return row === undefined ? null : mailboxOf(row);
}
