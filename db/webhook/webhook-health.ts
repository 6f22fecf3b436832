import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Recent failures of an account's webhook. */
export interface WebhookHealth {
  /** Consecutive failed attempts. */
  readonly failures: number;
  /** No attempt is made before this time (epoch milliseconds); 0 if there is no pause. */
  readonly pausedUntil: number;
  /** When it was switched off after too many failures; null while it is on. */
  readonly disabledAt: number | null;
}

const HEALTHY: WebhookHealth = { failures: 0, pausedUntil: 0, disabledAt: null };

/** The health of an account's webhook. */
export async function webhookHealthOf(db: Queryable, userId: number): Promise<WebhookHealth> {
  const row = await db('webhook_health').where('user_id', userId).first();
  return row === undefined
    ? HEALTHY
    : { failures: row.failures, pausedUntil: row.paused_until, disabledAt: row.disabled_at };
}

/** Clears all failures and switches the webhook on again. */
export async function resetWebhookHealth(trx: Queryable, userId: number): Promise<void> {
  await trx('webhook_health').where('user_id', userId).delete();
}

/**
 * Pauses the webhook until `until`, after a failure (`failed`) or because the receiver asked for it. Returns
 * the number of consecutive failures. Null if a concurrent attempt was recorded first, because concurrent
 * failures count as one, or if the failures were cleared meanwhile.
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

/** Switches the webhook off; true for only one of several concurrent callers. */
export async function disableWebhook(trx: Queryable, userId: number, at: number): Promise<boolean> {
  const off = trx('webhook_health').where('user_id', userId).whereNull('disabled_at');
  return (await off.update({ disabled_at: at })) > 0;
}
