import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Tokens at the chat application, encrypted. */
export interface StoredTokens {
  readonly accessCipher: string;
  /** Null if there is none, or if the provider no longer accepts it. */
  readonly refreshCipher: string | null;
  /** When the access token expires, epoch milliseconds. */
  readonly expiresAt: number;
}

/** An account of a chat application that is linked to an account here. */
export interface ChatLink extends StoredTokens {
  readonly id: number;
  readonly userId: number;
  /** The user's id at the chat application. */
  readonly chatId: string;
  readonly username: string;
  readonly globalName: string | null;
  readonly avatar: string;
  readonly email: string | null;
  readonly connectedAt: number;
}

interface Row {
  id: number;
  user_id: number;
  chat_id: string;
  username: string;
  global_name: string | null;
  avatar: string;
  email: string | null;
  access_cipher: string;
  refresh_cipher: string | null;
  expires_at: number;
  connected_at: number;
}

const fromRow = (row: Row): ChatLink => ({
  id: row.id,
  userId: row.user_id,
  chatId: row.chat_id,
  username: row.username,
  globalName: row.global_name,
  avatar: row.avatar,
  email: row.email,
  accessCipher: row.access_cipher,
  refreshCipher: row.refresh_cipher,
  expiresAt: row.expires_at,
  connectedAt: row.connected_at,
});

const tokenColumns = (tokens: StoredTokens) => ({
  access_cipher: tokens.accessCipher,
  refresh_cipher: tokens.refreshCipher,
  expires_at: tokens.expiresAt,
  renewing_until: null,
});

/** The chat link of a Holdall account, or null. */
export async function chatLinkOfUser(db: Queryable, userId: number): Promise<ChatLink | null> {
  const row: Row | undefined = await db('chat_links').where('user_id', userId).first();
  return row === undefined ? null : fromRow(row);
}

/** The link of a chat account, or null. */
export async function chatLinkByChatId(db: Queryable, chatId: string): Promise<ChatLink | null> {
  const row: Row | undefined = await db('chat_links').where('chat_id', chatId).first();
  return row === undefined ? null : fromRow(row);
}

/** As `chatLinkByChatId`, inside a write: locks the link until the commit. */
export async function lockChatLink(db: Db, trx: Queryable, chatId: string): Promise<ChatLink | null> {
  const [row] = await query<Row>(trx, `SELECT * FROM chat_links WHERE chat_id = ? ${db.dialect.forUpdate}`, [
    chatId,
  ]);
  return row === undefined ? null : fromRow(row);
}

/**
 * Links the two accounts and replaces the previous link of the Holdall account. Violates a unique index if
 * the chat account is linked to another account.
 */
export async function saveChatLink(trx: Queryable, link: Omit<ChatLink, 'id'>): Promise<ChatLink> {
  const columns = {
    user_id: link.userId,
    chat_id: link.chatId,
    username: link.username,
    global_name: link.globalName,
    avatar: link.avatar,
    email: link.email,
    connected_at: link.connectedAt,
    ...tokenColumns(link),
  };
  const [row] = await trx('chat_links').insert(columns).onConflict('user_id').merge().returning('*');
  return fromRow(row);
}

/** Ends the link between the two accounts; returns its last state, null if it no longer exists. */
export async function deleteChatLink(
  trx: Queryable,
  userId: number,
  chatId: string,
): Promise<ChatLink | null> {
  const [row] = await query<Row>(
    trx,
    'DELETE FROM chat_links WHERE user_id = ? AND chat_id = ? RETURNING *',
    [userId, chatId],
  );
  return row === undefined ? null : fromRow(row);
}

/** Claims the renewal of a link's tokens until `until`; true for only one of several concurrent callers. */
export async function claimRenewal(
  trx: Queryable,
  link: ChatLink,
  at: number,
  until: number,
): Promise<boolean> {
  const claimed = await trx('chat_links')
    .where({ id: link.id, access_cipher: link.accessCipher })
    .andWhere((free) => free.whereNull('renewing_until').orWhere('renewing_until', '<=', at))
    .update({ renewing_until: until });
  return claimed > 0;
}

/** Replaces the tokens of a link; false if the link is gone or its tokens have changed since it was read. */
export async function replaceTokens(trx: Queryable, link: ChatLink, tokens: StoredTokens): Promise<boolean> {
  const replaced = await trx('chat_links')
    .where({ id: link.id, access_cipher: link.accessCipher })
    .update(tokenColumns(tokens));
  return replaced > 0;
}
