import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** The key of an account for what is sealed to it. The server cannot use it: it is wrapped with a passphrase. */
interface AccountSeal {
  /** The public key, `age1…`. */
  readonly recipient: string;
  /** The secret key as an armored age file. */
  readonly wrapped: string;
}

/** The key of an account, or null. */
export async function sealOfAccount(db: Queryable, userId: number): Promise<AccountSeal | null> {
  const [row] = await query<AccountSeal>(
    db,
    'SELECT recipient, wrapped FROM account_seals WHERE user_id = ?',
    [userId],
  );
  return row ?? null;
}

/** Keeps the key of an account instead of the one that it had. */
export async function putAccountSeal(
  trx: Queryable,
  userId: number,
  { recipient, wrapped }: AccountSeal,
  at: number,
): Promise<void> {
  await query(
    trx,
    `INSERT INTO account_seals (user_id, recipient, wrapped, changed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET recipient = excluded.recipient, wrapped = excluded.wrapped,
       changed_at = excluded.changed_at`,
    [userId, recipient, wrapped, at],
  );
}

/** Deletes the key of an account; false if it had none. */
export async function deleteAccountSeal(trx: Queryable, userId: number): Promise<boolean> {
  const deleted = await query(trx, 'DELETE FROM account_seals WHERE user_id = ? RETURNING user_id', [userId]);
  return deleted.length > 0;
}
