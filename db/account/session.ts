import type { Queryable } from '../engine/queryable.js';

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

/** When the holder of a session last proved to be there: at its start or since; null if it is over. */
export async function sessionProvenAt(db: Queryable, sessionId: number): Promise<number | null> {
  const row = await db('sessions').where('id', sessionId).first('created_at', 'proven_at');
  return row === undefined ? null : Math.max(row.created_at, row.proven_at ?? 0);
}

/** Records that the holder of a session has proved to be there; false if it is over. */
export async function proveSession(trx: Queryable, sessionId: number, at: number): Promise<boolean> {
  return (await trx('sessions').where('id', sessionId).update({ proven_at: at })) > 0;
}

/** The provider at which a session was started, and what signs out there; null for other sessions. */
export async function sessionOrigin(
  db: Queryable,
  sessionId: number,
): Promise<{ readonly provider: string; readonly idTokenCipher: string | null } | null> {
  const row = await db('sessions').where('id', sessionId).first('oidc_provider', 'id_token_cipher');
  return !row?.oidc_provider ? null : { provider: row.oidc_provider, idTokenCipher: row.id_token_cipher };
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
    provider?: string;
    idTokenCipher?: string | null;
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
      oidc_provider: session.provider ?? null,
      id_token_cipher: session.idTokenCipher ?? null,
    })
    .returning('id');
  return row.id;
}

/** Ends one session; true when it existed. */
export async function deleteSession(trx: Queryable, sessionId: number): Promise<boolean> {
  return (await trx('sessions').where('id', sessionId).delete()) > 0;
}
