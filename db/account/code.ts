import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** What a code may be used for; `verified` remembers the code of a mail that has done its work. */
export type CodePurpose = 'verify' | 'reset' | 'verified' | 'address' | 'signIn';

/** A code about to be sent. `codeHash` null: only the link works. */
interface NewCode {
  readonly userId: number;
  readonly purpose: CodePurpose;
  /** The recipient's address, in the form used for comparison; of `address` the new address as it was entered. */
  readonly emailKey: string;
  readonly codeHash: string | null;
  readonly linkHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Wrong attempts after which the digits of a code stop working; its link still works. */
const MAX_ATTEMPTS = 10;

/**
 * Replaces the account's code for this purpose, unless the current one was made after `notAfter`. False if it
 * was; then nothing changed. A single statement, so only one of several concurrent callers succeeds.
 */
export async function putCode(trx: Queryable, code: NewCode, notAfter: number): Promise<boolean> {
  const put = await query(
    trx,
    `INSERT INTO codes (user_id, purpose, email_key, code_hash, link_hash, attempts, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, 0, ?, ?)
     ON CONFLICT (user_id, purpose) DO UPDATE SET
       email_key = excluded.email_key, code_hash = excluded.code_hash, link_hash = excluded.link_hash,
       attempts = 0, created_at = excluded.created_at, expires_at = excluded.expires_at
     WHERE codes.created_at <= ? RETURNING user_id`,
    [
      code.userId,
      code.purpose,
      code.emailKey,
      code.codeHash,
      code.linkHash,
      code.createdAt,
      code.expiresAt,
      notAfter,
    ],
  );
  return put.length > 0;
}

/** When the account's code for this purpose was made; null when it has none. */
export async function codeMadeAt(
  db: Queryable,
  userId: number,
  purpose: CodePurpose,
): Promise<number | null> {
  const row = await db('codes').select('created_at').where({ user_id: userId, purpose }).first();
  return row?.created_at ?? null;
}

/** A code that was used up: whose it was, the address it was sent to, and the hashes of its digits and its link. */
export interface TakenCode {
  readonly userId: number;
  readonly emailKey: string;
  readonly codeHash: string | null;
  readonly linkHash: string;
}

/** Uses up a code of digits; null if it is wrong, expired or tried too often. */
export async function takeCode(
  trx: Queryable,
  userId: number,
  purpose: CodePurpose,
  codeHash: string,
  at: number,
): Promise<TakenCode | null> {
  const taken = await query<{ email_key: string; link_hash: string }>(
    trx,
    `DELETE FROM codes WHERE user_id = ? AND purpose = ? AND code_hash = ? AND expires_at > ? AND attempts < ?
     RETURNING email_key, link_hash`,
    [userId, purpose, codeHash, at, MAX_ATTEMPTS],
  );
  const [used] = taken;
  if (used !== undefined) return { userId, emailKey: used.email_key, codeHash, linkHash: used.link_hash };
  await trx('codes').where({ user_id: userId, purpose }).increment('attempts', 1);
  return null;
}

/** Uses up the link of a code; null if it is wrong or expired. */
export async function takeLink(
  trx: Queryable,
  purpose: CodePurpose,
  linkHash: string,
  at: number,
): Promise<TakenCode | null> {
  const [taken] = await query<{ user_id: number; email_key: string; code_hash: string | null }>(
    trx,
    `DELETE FROM codes WHERE link_hash = ? AND purpose = ? AND expires_at > ?
     RETURNING user_id, email_key, code_hash`,
    [linkHash, purpose, at],
  );
  if (taken === undefined) return null;
  return { userId: taken.user_id, emailKey: taken.email_key, codeHash: taken.code_hash, linkHash };
}

/** Remembers until `until` that this code, by its digits or its link, has done its work, for those who use it again. */
export async function rememberCode(
  trx: Queryable,
  code: TakenCode,
  at: number,
  until: number,
): Promise<void> {
  await putCode(trx, { ...code, purpose: 'verified', createdAt: at, expiresAt: until }, at);
}

/** Whether these digits are of the code that has verified the account, as far as that is remembered. */
export async function isRememberedCode(
  db: Queryable,
  userId: number,
  codeHash: string,
  at: number,
): Promise<boolean> {
  const known = await db('codes')
    .where({ user_id: userId, purpose: 'verified', code_hash: codeHash })
    .andWhere('expires_at', '>', at)
    .first('user_id');
  return known !== undefined;
}

/** True while a link would be accepted, or is remembered. */
export const isLiveLink = async (...link: Parameters<typeof emailKeyOfLink>): Promise<boolean> =>
  (await emailKeyOfLink(...link)) !== null;

/** The address that a link was mailed to, as its code keeps it; null if the link does not work. */
export async function emailKeyOfLink(
  db: Queryable,
  purpose: CodePurpose,
  linkHash: string,
  at: number,
): Promise<string | null> {
  const row = await db('codes')
    .where({ link_hash: linkHash, purpose })
    .andWhere('expires_at', '>', at)
    .first('email_key');
  return row?.email_key ?? null;
}

/** The address of the account that a link was mailed to; null if the link does not work. */
export async function addressOfLink(
  db: Queryable,
  purpose: CodePurpose,
  linkHash: string,
  at: number,
): Promise<string | null> {
  const row = await db('codes')
    .join('users', 'users.id', 'codes.user_id')
    .where({ 'codes.link_hash': linkHash, 'codes.purpose': purpose })
    .andWhere('codes.expires_at', '>', at)
    .first('users.email');
  return row?.email ?? null;
}

/** Deletes every code and link of an account, including the codes for the messenger bot. */
export async function deleteCodes(trx: Queryable, userId: number): Promise<void> {
  for (const table of ['codes', 'messenger_codes']) await trx(table).where('user_id', userId).delete();
}

/** Stores the cookie token of an account that is not verified yet. */
export async function insertVerifyToken(
  trx: Queryable,
  token: { userId: number; tokenHash: string; expiresAt: number },
): Promise<void> {
  await trx('verify_tokens').insert({
    token_hash: token.tokenHash,
    user_id: token.userId,
    expires_at: token.expiresAt,
  });
}

/** The account behind a verification cookie; null when it is unknown or expired. */
export async function userOfVerifyToken(
  db: Queryable,
  tokenHash: string,
  at: number,
): Promise<number | null> {
  const row = await db('verify_tokens')
    .where('token_hash', tokenHash)
    .andWhere('expires_at', '>', at)
    .first('user_id');
  return row?.user_id ?? null;
}

/** Deletes the verification cookies of an account. */
export async function deleteVerifyTokens(trx: Queryable, userId: number): Promise<void> {
  await trx('verify_tokens').where('user_id', userId).delete();
}

/** Where browsers that are on their way to a provider are kept, and answered challenges. */
const FLOWS = ['oauth_states', 'oidc_flows', 'passkey_answers'] as const;

/** Deletes expired codes of all kinds, verification cookies, sessions and flows. */
export async function deleteExpired(trx: Queryable, at: number): Promise<void> {
  for (const table of ['codes', 'messenger_codes', 'verify_tokens', 'sessions', ...FLOWS])
    await trx(table).where('expires_at', '<=', at).delete();
}
