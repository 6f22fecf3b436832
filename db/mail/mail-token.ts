import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

type TokenUse = 'new' | 'repeated' | 'misused';

/** What stands for a token, and for the delivery that it came with. */
export interface MailToken {
  readonly hash: string;
  readonly delivery: string;
}

/**
 * Uses a provider's token for a delivery; runs in the transaction that stores the message. Deletes tokens
 * taken before `forgetBefore`, whose signatures are too old to be accepted again.
 */
export async function takeMailToken(
  trx: Queryable,
  token: MailToken,
  at: number,
  forgetBefore: number,
): Promise<TokenUse> {
  await trx('mail_tokens').where('taken_at', '<', forgetBefore).delete();
  const taken = await query(
    trx,
    `INSERT INTO mail_tokens (token_hash, delivery, taken_at) VALUES (?, ?, ?)
     ON CONFLICT (token_hash) DO NOTHING RETURNING token_hash`,
    [token.hash, token.delivery, at],
  );
  if (taken.length > 0) return 'new';
  const known = await trx('mail_tokens').where('token_hash', token.hash).first('delivery');
  return known?.delivery === token.delivery ? 'repeated' : 'misused';
}

/** Whether a token has been taken for this delivery. */
export async function isMailTokenOf(db: Queryable, { hash, delivery }: MailToken): Promise<boolean> {
  const known = await db('mail_tokens').where('token_hash', hash).first('delivery');
  return known?.delivery === delivery;
}

const COVERED = 'mail_collected_until';

/** The time up to which the provider's list of stored mails has been collected (epoch milliseconds); 0 at first. */
export async function collectedUntil(db: Queryable): Promise<number> {
  const row = await db('installation').where('name', COVERED).first('value');
  return Number(row?.value ?? 0);
}

/** Corrects the collected time after the clock went back to `at`: nothing can have been collected for later. */
export async function takeCollectedBack(trx: Queryable, at: number): Promise<void> {
  await query(trx, 'UPDATE installation SET value = ? WHERE name = ? AND CAST(value AS bigint) > ?', [
    String(at),
    COVERED,
    at,
  ]);
}

/** Records how far the provider's list has been collected; never goes back. */
export async function setCollectedUntil(trx: Queryable, until: number): Promise<void> {
  await query(
    trx,
    `INSERT INTO installation (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value
     WHERE CAST(installation.value AS bigint) < CAST(excluded.value AS bigint)`,
    [COVERED, String(until)],
  );
}
