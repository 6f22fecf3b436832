import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** The stored state of a mailbox; past its expiry a mailbox is expired whatever this says. */
export type MailboxState = 'OPEN' | 'CLOSED' | 'SUSPENDED' | 'DELETED';

/** A receiving address. A deleted one stays reserved, so that no other account gets its mail. */
export interface Mailbox {
  readonly id: number;
  /** Lower case. */
  readonly address: string;
  /** Null for deleted mailboxes of deleted accounts. */
  readonly ownerId: number | null;
  readonly state: MailboxState;
  readonly suspendedBy: number | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly tokenHash: string;
}

interface Row {
  id: number;
  address: string;
  owner_id: number | null;
  status: MailboxState;
  suspended_by: number | null;
  created_at: number;
  expires_at: number | null;
  token_hash: string;
}

const fromRow = (row: Row): Mailbox => ({
  id: row.id,
  address: row.address,
  ownerId: row.owner_id,
  state: row.status,
  suspendedBy: row.suspended_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  tokenHash: row.token_hash,
});

/** The owner is not a deleted account. Also false for a null owner, which only deleted mailboxes have. */
const OWNED = `owner_id NOT IN ${DELETED_USERS}`;
/**
 * Banned and deleted accounts get no mail, and none gets what is addressed to another account: a mailbox may be older
 * than the account that was given its address.
 */
const OWNER_STANDS = `EXISTS (SELECT 1 FROM users
    WHERE users.id = mailboxes.owner_id AND role NOT IN ('BANNED', 'DELETED'))
  AND NOT EXISTS (SELECT 1 FROM users
    WHERE users.email_key = mailboxes.address AND users.id <> mailboxes.owner_id)`;

/** Inserts an open mailbox; violates a unique index if the address is or was ever taken. */
export async function insertMailbox(
  trx: Queryable,
  mailbox: Pick<Mailbox, 'address' | 'ownerId' | 'createdAt' | 'expiresAt' | 'tokenHash'>,
): Promise<Mailbox> {
  const [row] = await trx('mailboxes')
    .insert({
      address: mailbox.address,
      owner_id: mailbox.ownerId,
      status: 'OPEN',
      created_at: mailbox.createdAt,
      expires_at: mailbox.expiresAt,
      token_hash: mailbox.tokenHash,
    })
    .returning('*');
  return fromRow(row);
}

/** The mailbox with this address (lower case); null if there is none, or if its owner is deleted. */
export async function mailboxByAddress(db: Queryable, address: string): Promise<Mailbox | null> {
  const [row] = await query<Row>(db, `SELECT * FROM mailboxes WHERE address = ? AND ${OWNED}`, [address]);
  return row === undefined ? null : fromRow(row);
}

/**
 * The owners of the mailboxes that mail to this address (lower case) reaches: that of its own, and, as `name+tag@`
 * may be `name@`, that of the name before the tag. Null for mailboxes of deleted accounts, which stay reserved.
 */
export async function mailboxHolders(db: Queryable, address: string): Promise<(number | null)[]> {
  const untagged = address.replace(/^([^+@]*)\+[^@]*(?=@)/, '$1');
  return db('mailboxes').whereIn('address', [address, untagged]).pluck('owner_id');
}

/** Mailboxes that are not deleted and whose owner is not deleted, newest first. */
export async function listMailboxes(db: Queryable, limit: number, offset: number): Promise<Mailbox[]> {
  const found: Row[] = await db('mailboxes')
    .whereNot('status', 'DELETED')
    .whereRaw(OWNED)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
  return found.map(fromRow);
}

/** Mailboxes of an account that are not deleted, newest first. */
export async function mailboxesOf(db: Queryable, ownerId: number): Promise<Mailbox[]> {
  const found: Row[] = await db('mailboxes')
    .where('owner_id', ownerId)
    .whereNot('status', 'DELETED')
    .orderBy('id', 'desc');
  return found.map(fromRow);
}

/** The mailboxes among these addresses (lower case) that accept mail at a moment. */
export async function openMailboxes(db: Db, addresses: readonly string[], at: number): Promise<Mailbox[]> {
  return openOnes(db, db.read, addresses, at, '');
}

/** As `openMailboxes`, inside a write: locks the mailboxes until the commit. */
export async function lockOpenMailboxes(
  db: Db,
  trx: Queryable,
  addresses: readonly string[],
  at: number,
): Promise<Mailbox[]> {
  return openOnes(db, trx, addresses, at, db.dialect.forUpdate);
}

async function openOnes(
  db: Db,
  queryable: Queryable,
  addresses: readonly string[],
  at: number,
  lock: string,
): Promise<Mailbox[]> {
  const found = await query<Row>(
    queryable,
    `SELECT * FROM mailboxes WHERE ${db.dialect.inStrings('address')}
       AND status = 'OPEN' AND ${OWNER_STANDS} AND (expires_at IS NULL OR expires_at > ?) ORDER BY id ${lock}`,
    [JSON.stringify(addresses), at],
  );
  return found.map(fromRow);
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
  const [row] = await query<Row>(
    trx,
    `SELECT * FROM mailboxes WHERE id = ? AND status <> 'DELETED' ${db.dialect.forUpdate}`,
    [id],
  );
  return row === undefined ? null : fromRow(row);
}

/** The cookies of an account's mailboxes stop working: no cookie has the empty hash. */
export async function forgetMailboxCookies(trx: Queryable, ownerId: number): Promise<void> {
  await trx('mailboxes').where('owner_id', ownerId).update({ token_hash: '' });
}

/** Changes a mailbox and returns its new state; null if it is deleted. */
export async function updateMailbox(
  trx: Queryable,
  id: number,
  change: Partial<Pick<Mailbox, 'state' | 'suspendedBy' | 'expiresAt'>>,
): Promise<Mailbox | null> {
  const [row] = await trx('mailboxes')
    .where('id', id)
    .whereNot('status', 'DELETED')
    // knex leaves out undefined values.
    .update({ status: change.state, suspended_by: change.suspendedBy, expires_at: change.expiresAt })
    .returning('*');
  return row === undefined ? null : fromRow(row);
}
