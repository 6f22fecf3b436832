import type { Db, Queryable } from './connect.js';
import { rows } from './rows.js';

/** Who a credential stands for, as far as a request needs it. */
export interface Identity {
  readonly userId: number;
  readonly username: string;
  readonly role: string;
  readonly status: string;
  /** Set when the credential is a session. */
  readonly sessionId: number | null;
}

interface IdentityRow {
  hash: string;
  session_id: number | null;
  user_id: number;
  username: string;
  role: string;
  status: string;
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
          sessionId: row.session_id,
        };
  });
};

/** Who holds each API key (by hash), in the order asked; null for unknown and expired keys. */
export async function identitiesByKey(db: Db, hashes: readonly string[]): Promise<(Identity | null)[]> {
  const found = await rows<IdentityRow>(
    db.read,
    `SELECT k.key_hash AS hash, NULL AS session_id, u.id AS user_id, u.username, u.role, u.status
     FROM api_keys k JOIN users u ON u.id = k.user_id
     WHERE ${db.dialect.inStrings('k.key_hash')} AND (k.expires_at IS NULL OR k.expires_at > ?)`,
    [JSON.stringify(hashes), Date.now()],
  );
  return byHash(found, hashes);
}

/** Who holds each session (by token hash), in the order asked; null for unknown and expired sessions. */
export async function identitiesBySession(db: Db, hashes: readonly string[]): Promise<(Identity | null)[]> {
  const found = await rows<IdentityRow>(
    db.read,
    `SELECT s.token_hash AS hash, s.id AS session_id, u.id AS user_id, u.username, u.role, u.status
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE ${db.dialect.inStrings('s.token_hash')} AND s.expires_at > ?`,
    [JSON.stringify(hashes), Date.now()],
  );
  return byHash(found, hashes);
}

/** Gives an account its main API key. */
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

/** Opens a session; answers its number. */
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
