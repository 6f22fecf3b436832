import type { Queryable } from '../engine/queryable.js';

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

/** Replaces the main API key of an account; the previous one stops working. False if it is switched off. */
export async function replaceMainKey(
  trx: Queryable,
  key: { userId: number; hash: string; cipher: string; createdAt: number },
): Promise<boolean> {
  const replaced = await trx('api_keys').where({ user_id: key.userId, is_main: true }).update({
    key_hash: key.hash,
    key_cipher: key.cipher,
    created_at: key.createdAt,
    last_used_at: null,
    last_used_ip: null,
  });
  return replaced > 0;
}

/** Deletes the main API key of an account; false if it had none. */
export async function deleteMainKey(trx: Queryable, userId: number): Promise<boolean> {
  return (await trx('api_keys').where({ user_id: userId, is_main: true }).delete()) > 0;
}

/** When and from where the main API key of an account was last used; null if it is switched off. */
export async function mainKeyUse(
  db: Queryable,
  userId: number,
): Promise<{ readonly lastUsedAt: number | null; readonly lastUsedIp: string | null } | null> {
  const row = await db('api_keys')
    .where({ user_id: userId, is_main: true })
    .first('last_used_at', 'last_used_ip');
  return row === undefined ? null : { lastUsedAt: row.last_used_at, lastUsedIp: row.last_used_ip };
}

/** Deletes every API key of an account. */
export async function deleteKeysOf(trx: Queryable, userId: number): Promise<void> {
  await trx('api_keys').where('user_id', userId).delete();
}
