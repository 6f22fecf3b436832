import type { Db } from '../engine/connect.js';
import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { Role } from './role.js';

/** The account behind a credential, as far as a request needs it. */
export interface Identity {
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  readonly status: string;
  readonly hasWebhook: boolean;
  /** Set when the credential is a session. */
  readonly sessionId: number | null;
  /** Set when the credential is a key. */
  readonly key: KeyIdentity | null;
  /** When the use of the session or of a named key was last recorded (epoch milliseconds). */
  readonly lastUsedAt: number | null;
}

/** What a request needs to know of the key it came with. */
export interface KeyIdentity {
  readonly id: number;
  readonly isMain: boolean;
  /** The names of what the key may do; null for everything that its account may do. */
  readonly scopes: readonly string[] | null;
  /** Whether it opens items with a stranger's rights only. */
  readonly asVisitor: boolean;
}

interface IdentityRow {
  hash: string;
  session_id: number | null;
  key_id: number | null;
  is_main: boolean | number | null;
  scopes: string | null;
  as_visitor: boolean | number | null;
  last_used_at: number | null;
  user_id: number;
  username: string;
  role: Role;
  status: string;
  has_webhook: boolean | number;
}

const byHash = (found: readonly IdentityRow[], hashes: readonly string[]): (Identity | null)[] => {
  const map = new Map(found.map((row) => [row.hash, row]));
  return hashes.map((hash) => {
    const row = map.get(hash);
    return row === undefined
      ? null
      : {
          userId: row.user_id,
          username: row.username,
          role: row.role,
          status: row.status,
          hasWebhook: Boolean(row.has_webhook),
          sessionId: row.session_id,
          key: keyOf(row),
          lastUsedAt: row.last_used_at,
        };
  });
};

const keyOf = (row: IdentityRow): KeyIdentity | null =>
  row.key_id === null
    ? null
    : {
        id: row.key_id,
        isMain: Boolean(row.is_main),
        scopes: row.scopes === null ? null : json<string[]>(row.scopes),
        asVisitor: Boolean(row.as_visitor),
      };

/** The account behind each API key (by hash), in the requested order; null for unknown and expired keys. */
export async function identitiesByKey(db: Db, hashes: readonly string[]): Promise<(Identity | null)[]> {
  const found = await query<IdentityRow>(
    db.read,
    `SELECT k.key_hash AS hash, NULL AS session_id, k.id AS key_id, k.is_main, k.scopes, k.as_visitor, k.last_used_at,
            u.id AS user_id, u.username, u.role, u.status, w.url_cipher IS NOT NULL AS has_webhook
     FROM api_keys k JOIN users u ON u.id = k.user_id LEFT JOIN webhooks w ON w.user_id = k.user_id
     WHERE ${db.dialect.inStrings('k.key_hash')} AND (k.expires_at IS NULL OR k.expires_at > ?)`,
    [JSON.stringify(hashes), Date.now()],
  );
  return byHash(found, hashes);
}

/** The account behind each session (by token hash), in the requested order; null for unknown and expired sessions. */
export async function identitiesBySession(db: Db, hashes: readonly string[]): Promise<(Identity | null)[]> {
  const found = await query<IdentityRow>(
    db.read,
    `SELECT s.token_hash AS hash, s.id AS session_id, NULL AS key_id, NULL AS is_main, NULL AS scopes,
            NULL AS as_visitor, s.last_used_at, u.id AS user_id, u.username, u.role, u.status,
            w.url_cipher IS NOT NULL AS has_webhook
     FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN webhooks w ON w.user_id = s.user_id
     WHERE ${db.dialect.inStrings('s.token_hash')} AND s.expires_at > ?`,
    [JSON.stringify(hashes), Date.now()],
  );
  return byHash(found, hashes);
}

/** Creates the main API key of an account. */
export async function insertMainKey(
  trx: Queryable,
  key: { userId: number; hash: string; cipher: string; createdAt: number },
): Promise<void> {
  await trx('api_keys').insert({
    user_id: key.userId,
    name: 'main',
    is_main: true,
    key_hash: key.hash,
    key_cipher: key.cipher,
    created_at: key.createdAt,
  });
}

/** The encrypted main API key of an account, or null. */
export async function mainKeyCipher(db: Queryable, userId: number): Promise<string | null> {
  const row = await db('api_keys').select('key_cipher').where({ user_id: userId, is_main: true }).first();
  return row?.key_cipher ?? null;
}

/** Replaces the main API key of an account; the previous one stops working. */
export async function replaceMainKey(
  trx: Queryable,
  key: { userId: number; hash: string; cipher: string; createdAt: number },
): Promise<void> {
  await trx('api_keys')
    .where({ user_id: key.userId, is_main: true })
    .update({ key_hash: key.hash, key_cipher: key.cipher, created_at: key.createdAt, last_used_at: null });
}

/** A session as shown to its owner. */
export interface Session {
  readonly id: number;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
}

/** The unexpired sessions of an account, most recently used first. */
export async function sessionsOf(db: Queryable, userId: number): Promise<Session[]> {
  const found = await db('sessions')
    .where('user_id', userId)
    .andWhere('expires_at', '>', Date.now())
    .orderBy([
      { column: 'last_used_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
  return found.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    userAgent: row.user_agent,
    ipAddress: row.ip_address,
  }));
}

/** Records that a session was used. */
export async function touchSession(trx: Queryable, sessionId: number, at: number): Promise<void> {
  await trx('sessions').where('id', sessionId).update({ last_used_at: at });
}

/** Whether an account has an unexpired session that was started from this address. */
export async function hasSessionFrom(db: Queryable, userId: number, address: string): Promise<boolean> {
  const found = await db('sessions')
    .where({ user_id: userId, ip_address: address })
    .andWhere('expires_at', '>', Date.now())
    .first('id');
  return found !== undefined;
}

/** Ends the oldest sessions of an account beyond the newest `keep`. */
export async function trimSessions(trx: Queryable, userId: number, keep: number): Promise<void> {
  const newest = trx('sessions').select('id').where('user_id', userId).orderBy('id', 'desc').limit(keep);
  await trx('sessions').where('user_id', userId).whereNotIn('id', newest).delete();
}

/** Ends one session of an account; false when it has no such session. */
export async function deleteSessionOf(trx: Queryable, userId: number, sessionId: number): Promise<boolean> {
  return (await trx('sessions').where({ id: sessionId, user_id: userId }).delete()) > 0;
}

/** Ends every session of an account except for `but`; returns how many. */
export async function deleteSessionsOf(
  trx: Queryable,
  userId: number,
  but: number | null = null,
): Promise<number> {
  const all = trx('sessions').where('user_id', userId);
  return (but === null ? all : all.whereNot('id', but)).delete();
}

/** Deletes every API key of an account. */
export async function deleteKeysOf(trx: Queryable, userId: number): Promise<void> {
  await trx('api_keys').where('user_id', userId).delete();
}

/** Creates a session; returns its row id. */
export async function insertSession(
  trx: Queryable,
  session: {
    userId: number;
    tokenHash: string;
    createdAt: number;
    expiresAt: number;
    userAgent: string | null;
    ipAddress: string | null;
  },
): Promise<number> {
  const [row] = await trx('sessions')
    .insert({
      user_id: session.userId,
      token_hash: session.tokenHash,
      created_at: session.createdAt,
      last_used_at: session.createdAt,
      expires_at: session.expiresAt,
      user_agent: session.userAgent,
      ip_address: session.ipAddress,
    })
    .returning('id');
  return row.id;
}

/** Ends one session; true when it existed. */
export async function deleteSession(trx: Queryable, sessionId: number): Promise<boolean> {
  return (await trx('sessions').where('id', sessionId).delete()) > 0;
}
