import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** `WAITING` until it is delivered or given up. */
type DeliveryState = 'WAITING' | 'DELIVERED' | 'FAILED';

/** The result of the last attempt to call a webhook; fields that do not apply are null. */
export interface Attempt {
  /** Epoch milliseconds. */
  readonly attemptedAt: number;
  /** HTTP status of the response. */
  readonly status: number | null;
  /** Why there was no response, in words that may be shown to the webhook's owner. */
  readonly error: string | null;
  /** The start of the response. */
  readonly excerpt: string | null;
  readonly durationMs: number | null;
}

/** An event to deliver to the webhook of an account, as the delivery log keeps it. */
export interface Delivery {
  readonly id: number;
  readonly userId: number;
  readonly event: string;
  readonly uniqueId: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdAt: number;
  /** Why the last attempt got no response, or why there will be none; may be shown to the webhook's owner. */
  readonly error: string | null;
  /** Null before the first attempt. */
  readonly lastAttempt: Attempt | null;
}

interface Row {
  id: number;
  user_id: number;
  event: string;
  unique_id: string;
  state: DeliveryState;
  attempts: number;
  created_at: number;
  attempted_at: number | null;
  status: number | null;
  error: string | null;
  excerpt: string | null;
  duration_ms: number | null;
}

const fromRow = (row: Row): Delivery => ({
  id: row.id,
  userId: row.user_id,
  event: row.event,
  uniqueId: row.unique_id,
  state: row.state,
  attempts: row.attempts,
  createdAt: row.created_at,
  error: row.error,
  lastAttempt:
    row.attempted_at === null
      ? null
      : {
          attemptedAt: row.attempted_at,
          status: row.status,
          error: row.error,
          excerpt: row.excerpt,
          durationMs: row.duration_ms,
        },
});

/** An account that receives events. */
export interface Watcher {
  readonly id: number;
  readonly username: string;
  readonly avatar: string | null;
  readonly avatarSha256: string | null;
  /** Null means every event. */
  readonly events: readonly string[] | null;
}

/** The receiver of an account's events; null without a webhook, and while it is switched off. */
export async function watcherOf(trx: Queryable, userId: number): Promise<Watcher | null> {
  const [row] = await query<{
    id: number;
    username: string;
    avatar: string | null;
    avatar_sha256: string | null;
    events: string | null;
  }>(
    trx,
    `SELECT u.id, u.username, u.avatar, u.avatar_sha256, w.events
     FROM webhooks w JOIN users u ON u.id = w.user_id LEFT JOIN webhook_health h ON h.user_id = w.user_id
     WHERE w.user_id = ? AND w.url_cipher IS NOT NULL AND h.disabled_at IS NULL
       AND u.role NOT IN ('BANNED', 'DELETED')`,
    [userId],
  );
  return row === undefined
    ? null
    : {
        id: row.id,
        username: row.username,
        avatar: row.avatar,
        avatarSha256: row.avatar_sha256,
        events: row.events === null ? null : json(row.events),
      };
}

/** Maximum number of rows per account; the oldest are deleted first, even if they are still waiting. */
export const DELIVERIES_KEPT = 500;

/** A new event of the delivery log. */
interface NewDelivery {
  readonly event: string;
  readonly uniqueId: string;
  readonly createdAt: number;
}

/** Adds events to the delivery log of an account, at most as many as it keeps; returns their row ids. */
export async function insertDeliveries(
  trx: Queryable,
  userId: number,
  deliveries: readonly NewDelivery[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const { event, uniqueId, createdAt } of deliveries) {
    const [row] = await query<{ id: number }>(
      trx,
      `INSERT INTO webhook_deliveries (user_id, event, unique_id, state, attempts, created_at)
       VALUES (?, ?, ?, 'WAITING', 0, ?) RETURNING id`,
      [userId, event, uniqueId, createdAt],
    );
    ids.push(row?.id ?? 0);
  }
  await query(
    trx,
    `DELETE FROM webhook_deliveries WHERE user_id = ? AND id <= (
       SELECT id FROM webhook_deliveries WHERE user_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    [userId, userId, DELIVERIES_KEPT],
  );
  return ids;
}

/** An entry of the delivery log; null if it is gone. */
export async function deliveryById(db: Queryable, id: number): Promise<Delivery | null> {
  const row: Row | undefined = await db('webhook_deliveries').where('id', id).first();
  return row === undefined ? null : fromRow(row);
}

/** The newest entries of an account's delivery log. */
export async function deliveriesOf(db: Queryable, userId: number, limit: number): Promise<Delivery[]> {
  const found: Row[] = await db('webhook_deliveries')
    .where('user_id', userId)
    .orderBy('id', 'desc')
    .limit(limit);
  return found.map(fromRow);
}

/** Records an attempt; false if the event is gone. Without `counts` the number of attempts stays the same. */
export async function noteAttempt(
  trx: Queryable,
  id: number,
  attempt: Attempt,
  { state, counts }: { readonly state: DeliveryState; readonly counts: boolean },
): Promise<boolean> {
  const noted = await trx('webhook_deliveries')
    .where('id', id)
    .update({
      state,
      attempted_at: attempt.attemptedAt,
      status: attempt.status,
      error: attempt.error,
      excerpt: attempt.excerpt,
      duration_ms: attempt.durationMs,
      ...(counts ? { attempts: trx.raw('attempts + 1') } : {}),
    });
  return noted > 0;
}

/** Gives up an event without another attempt. */
export async function abandonDelivery(trx: Queryable, id: number, error: string): Promise<void> {
  await trx('webhook_deliveries').where({ id, state: 'WAITING' }).update({ state: 'FAILED', error });
}
