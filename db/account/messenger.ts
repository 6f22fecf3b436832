import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** The purpose of the code that a user sends to the bot. */
export type MessengerPurpose = 'verify' | 'link';

/** A messenger account that is linked to a Holdall account. */
interface MessengerLink {
  readonly userId: number;
  /** The user's id at the messenger. */
  readonly messengerId: string;
  /** The chat in which the bot reaches the user. */
  readonly chatId: string;
  readonly username: string | null;
  readonly name: string;
  readonly connectedAt: number;
}

interface Row {
  user_id: number;
  messenger_id: string;
  chat_id: string;
  username: string | null;
  name: string;
  connected_at: number;
}

const fromRow = (row: Row): MessengerLink => ({
  userId: row.user_id,
  messengerId: row.messenger_id,
  chatId: row.chat_id,
  username: row.username,
  name: row.name,
  connectedAt: row.connected_at,
});

/** Sets an account's code for this purpose; the previous one stops working. */
export async function putMessengerCode(
  trx: Queryable,
  code: { userId: number; purpose: MessengerPurpose; codeHash: string; expiresAt: number },
): Promise<void> {
  await trx('messenger_codes')
    .insert({
      user_id: code.userId,
      purpose: code.purpose,
      code_hash: code.codeHash,
      expires_at: code.expiresAt,
    })
    .onConflict(['user_id', 'purpose'])
    .merge();
}

/** Uses up a code; returns its account and purpose, null if it is unknown, used or expired. */
export async function takeMessengerCode(
  trx: Queryable,
  codeHash: string,
  at: number,
): Promise<{ userId: number; purpose: MessengerPurpose } | null> {
  const [row] = await query<{ user_id: number; purpose: MessengerPurpose }>(
    trx,
    'DELETE FROM messenger_codes WHERE code_hash = ? AND expires_at > ? RETURNING user_id, purpose',
    [codeHash, at],
  );
  return row === undefined ? null : { userId: row.user_id, purpose: row.purpose };
}

/** A valid code: its account and expiry (epoch milliseconds). */
export interface MessengerCode {
  readonly userId: number;
  readonly until: number;
}

/** The code with this hash and purpose; null if it would not be accepted. */
export async function liveMessengerCode(
  db: Queryable,
  codeHash: string,
  purpose: MessengerPurpose,
  at: number,
): Promise<MessengerCode | null> {
  const row: MessengerCode | undefined = await db('messenger_codes')
    .where({ code_hash: codeHash, purpose })
    .andWhere('expires_at', '>', at)
    .first({ userId: 'user_id', until: 'expires_at' });
  return row ?? null;
}

/** The messenger link of a Holdall account, or null. */
export async function messengerLinkOfUser(db: Queryable, userId: number): Promise<MessengerLink | null> {
  const row: Row | undefined = await db('messenger_links').where('user_id', userId).first();
  return row === undefined ? null : fromRow(row);
}

/** The link of a messenger account, or null. */
export async function messengerLinkById(db: Queryable, messengerId: string): Promise<MessengerLink | null> {
  const row: Row | undefined = await db('messenger_links').where('messenger_id', messengerId).first();
  return row === undefined ? null : fromRow(row);
}

/**
 * Links the two accounts and replaces the previous link of the Holdall account. Violates a unique index if
 * the messenger account is linked to another account.
 */
export async function saveMessengerLink(trx: Queryable, link: MessengerLink): Promise<void> {
  await trx('messenger_links')
    .insert({
      user_id: link.userId,
      messenger_id: link.messengerId,
      chat_id: link.chatId,
      username: link.username,
      name: link.name,
      connected_at: link.connectedAt,
    })
    .onConflict('user_id')
    .merge();
}

/** Ends the link of an account; false when it has none. */
export async function deleteMessengerLink(trx: Queryable, userId: number): Promise<boolean> {
  return (await trx('messenger_links').where('user_id', userId).delete()) > 0;
}

/** How long an update is remembered: longer than the messenger keeps it for redelivery. */
const REMEMBERED_MS = 48 * 60 * 60 * 1000;

/** Records that an update from the messenger was handled; false if it was handled before. */
export async function noteMessengerUpdate(trx: Queryable, updateId: number, at: number): Promise<boolean> {
  await trx('messenger_updates')
    .where('taken_at', '<', at - REMEMBERED_MS)
    .delete();
  const noted = await query(
    trx,
    'INSERT INTO messenger_updates (update_id, taken_at) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING update_id',
    [updateId, at],
  );
  return noted.length > 0;
}
