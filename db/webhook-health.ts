import type { Queryable } from './connect.js';
import { query } from './query.js';

/** How the webhook of an account has been doing. */
export interface WebhookHealth {
  /** Failed attempts in a row. */
  readonly failures: number;
  /** Nothing is tried before (epoch milliseconds); 0 when all is well. */
  readonly pausedUntil: number;
  /** When it was switched off for failing too often; null while it is on. */
  readonly disabledAt: number | null;
}

const WELL: WebhookHealth = { failures: 0, pausedUntil: 0, disabledAt: null };

/** The health of an account's webhook. */
export async function webhookHealthOf(db: Queryable, userId: number): Promise<WebhookHealth> {
  const row = await db('webhook_health').where('user_id', userId).first();
  return row === undefined
    ? WELL
    : { failures: row.failures, pausedUntil: row.paused_until, disabledAt: row.disabled_at };
}

/** Clears every failure, and switches the webhook on again. */
export async function resetWebhookHealth(trx: Queryable, userId: number): Promise<void> {
  await trx('webhook_health').where('user_id', userId).delete();
}

/**
 * Lets nothing be tried until `until`, after a failure (`failed`) or because the receiver asked for time.
 * Returns the failures in a row; null when a simultaneous attempt was noted first, since several that fail at once
 * count as one, and when the failures were cleared meanwhile.
 */
export async function pauseWebhook(
  trx: Queryable,
  userId: number,
  seen: WebhookHealth,
  until: number,
  failed: boolean,
): Promise<number | null> {
  const add = failed ? 1 : 0;
  const [row] =
    seen.pausedUntil === 0
      ? await query<{ failures: number }>(
          trx,
          `INSERT INTO webhook_health (user_id, failures, paused_until) VALUES (?, ?, ?)
           ON CONFLICT (user_id) DO NOTHING RETURNING failures`,
          [userId, add, until],
        )
      : await query<{ failures: number }>(
          trx,
          `UPDATE webhook_health SET failures = failures + ?, paused_until = ?
           WHERE user_id = ? AND paused_until = ? RETURNING failures`,
          [add, until, userId, seen.pausedUntil],
        );
  return row?.failures ?? null;
}

/** Switches the webhook off; true for the one caller that did. */
export async function disableWebhook(trx: Queryable, userId: number, at: number): Promise<boolean> {
  const off = trx('webhook_health').where('user_id', userId).whereNull('disabled_at');
  return (await off.update({ disabled_at: at })) > 0;
}
