import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { type Mailbox, type MailboxRow, mailboxOf, untagged } from './mailbox.js';

/**
 * Where mail to an address goes: `open` into the mailbox, `closed` nowhere for now (it is closed, suspended or expired,
 * or its owner is banned), `unknown` nowhere.
 */
export type Destination =
  | { readonly recipient: string; readonly state: 'open'; readonly mailbox: Mailbox }
  | { readonly recipient: string; readonly state: 'closed' | 'unknown'; readonly mailbox: null };

/** The local part of a mailbox for everything of its domain that has no mailbox of its own. */
export const CATCH_ALL = '*';

/** The addresses whose mailbox gets mail to an address, the first that exists before the others. */
const candidates = (recipient: string): string[] => [
  recipient,
  untagged(recipient),
  `${CATCH_ALL}${recipient.slice(recipient.lastIndexOf('@'))}`,
];

type Row = MailboxRow & { readonly stands: number };

/** Where mail to these addresses (lower case) goes at a moment. */
export const destinations = (db: Db, recipients: readonly string[], at: number): Promise<Destination[]> =>
  resolve(db, db.read, recipients, at, '');

/** As `destinations`, inside a write: locks the mailboxes until the commit. */
export const lockDestinations = (
  db: Db,
  trx: Queryable,
  recipients: readonly string[],
  at: number,
): Promise<Destination[]> => resolve(db, trx, recipients, at, db.dialect.forUpdate);

async function resolve(
  db: Db,
  queryable: Queryable,
  recipients: readonly string[],
  at: number,
  lock: string,
): Promise<Destination[]> {
  const wanted = [...new Set(recipients.flatMap(candidates))];
  const rows = await query<Row>(
    queryable,
    `SELECT mailboxes.*, CASE WHEN guest OR EXISTS (SELECT 1 FROM users
         WHERE users.id = mailboxes.owner_id AND role NOT IN ('BANNED', 'DELETED')) THEN 1 ELSE 0 END AS stands
       FROM mailboxes WHERE ${db.dialect.inStrings('address')} ORDER BY id ${lock}`,
    [JSON.stringify(wanted)],
  );
  const mailboxes = new Map(rows.map((row) => [row.address, row]));
  const holders = await accountsOf(db, queryable, wanted);
  return recipients.map((recipient): Destination => {
    const row = candidates(recipient)
      .map((address) => mailboxes.get(address))
      .find((one) => one !== undefined);
    // A mailbox may be older than the account that was given its address, and a catch-all gets nobody else's mail.
    const isOthers = [recipient, untagged(recipient)].some((address) =>
      (holders.get(address) ?? []).some((id) => id !== row?.owner_id),
    );
    if (row === undefined || row.status === 'DELETED' || isOthers)
      return { recipient, state: 'unknown', mailbox: null };
    const isEnded = row.expires_at !== null && row.expires_at <= at;
    if (row.status !== 'OPEN' || Number(row.stands) === 0 || isEnded)
      return { recipient, state: 'closed', mailbox: null };
    return { recipient, state: 'open', mailbox: mailboxOf(row) };
  });
}

/** The accounts by address, among these addresses. */
async function accountsOf(
  db: Db,
  queryable: Queryable,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = await query<{ id: number; email_key: string }>(
    queryable,
    `SELECT id, email_key FROM users WHERE ${db.dialect.inStrings('email_key')}`,
    [JSON.stringify(addresses)],
  );
  const held = new Map<string, number[]>();
  for (const { id, email_key } of found) held.set(email_key, [...(held.get(email_key) ?? []), id]);
  return held;
}
