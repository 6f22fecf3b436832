import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** The second factor of an account: a secret from which the user's device generates codes. */
export interface SecondFactor {
  /** The secret, encrypted. */
  readonly secretCipher: string;
  /** Epoch milliseconds; null until the user has entered a code of it. Until then, login requires no code. */
  readonly confirmedAt: number | null;
}

interface Row {
  secret_cipher: string;
  confirmed_at: number | null;
}

/** The second factor of an account, confirmed or not; null if it has none. */
export async function secondFactorOf(db: Queryable, userId: number): Promise<SecondFactor | null> {
  const [row] = await query<Row>(
    db,
    'SELECT secret_cipher, confirmed_at FROM second_factors WHERE user_id = ?',
    [userId],
  );
  return row === undefined ? null : { secretCipher: row.secret_cipher, confirmedAt: row.confirmed_at };
}

/** Stores a secret to confirm and replaces an unconfirmed one; false if the account has a confirmed one. */
export async function putSecondFactor(
  trx: Queryable,
  userId: number,
  secretCipher: string,
  at: number,
): Promise<boolean> {
  const put = await query(
    trx,
    `INSERT INTO second_factors (user_id, secret_cipher, created_at, confirmed_at, last_step)
     VALUES (?, ?, ?, NULL, 0)
     ON CONFLICT (user_id) DO UPDATE SET secret_cipher = excluded.secret_cipher, created_at = excluded.created_at
     WHERE second_factors.confirmed_at IS NULL RETURNING user_id`,
    [userId, secretCipher, at],
  );
  return put.length > 0;
}

/** Confirms exactly this secret with the code of a step; false if it was replaced or is already confirmed. */
export async function confirmSecondFactor(
  trx: Queryable,
  userId: number,
  secretCipher: string,
  step: number,
  at: number,
): Promise<boolean> {
  const confirmed = await query(
    trx,
    `UPDATE second_factors SET confirmed_at = ?, last_step = ?
     WHERE user_id = ? AND secret_cipher = ? AND confirmed_at IS NULL RETURNING user_id`,
    [at, step, userId, secretCipher],
  );
  return confirmed.length > 0;
}

/** Uses up the code of a step and all earlier ones; true for only one of several concurrent callers. */
export async function takeStep(trx: Queryable, userId: number, step: number): Promise<boolean> {
  const taken = await query(
    trx,
    'UPDATE second_factors SET last_step = ? WHERE user_id = ? AND last_step < ? RETURNING user_id',
    [step, userId, step],
  );
  return taken.length > 0;
}

/** Deletes the second factor of an account and its recovery codes; false if it had none. */
export async function deleteSecondFactor(trx: Queryable, userId: number): Promise<boolean> {
  await trx('recovery_codes').where('user_id', userId).delete();
  return (await trx('second_factors').where('user_id', userId).delete()) > 0;
}

/** Replaces the recovery codes (hashes) of an account. */
export async function putRecoveryCodes(
  trx: Queryable,
  userId: number,
  hashes: readonly string[],
): Promise<void> {
  await trx('recovery_codes').where('user_id', userId).delete();
  await trx('recovery_codes').insert(hashes.map((hash) => ({ user_id: userId, code_hash: hash })));
}

/** Uses up a recovery code; true for only one of several concurrent callers. */
export async function takeRecoveryCode(trx: Queryable, userId: number, hash: string): Promise<boolean> {
  const taken = await trx('recovery_codes').where({ user_id: userId, code_hash: hash }).delete();
  return taken > 0;
}

/** How many recovery codes an account has left. */
export async function countRecoveryCodes(db: Queryable, userId: number): Promise<number> {
  const [row] = await query<{ n: number }>(db, 'SELECT count(*) AS n FROM recovery_codes WHERE user_id = ?', [
    userId,
  ]);
  return row?.n ?? 0;
}
