import type { Db } from '../engine/connect.js';
import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Where the events of an account are sent; null = not set. */
export interface StoredWebhook {
  readonly urlCipher: string | null;
  readonly secretCipher: string | null;
  readonly format: string | null;
  readonly events: readonly string[] | null;
}

interface Row {
  url_cipher: string | null;
  secret_cipher: string | null;
  format: string | null;
  events: string | null;
}

const NONE: StoredWebhook = { urlCipher: null, secretCipher: null, format: null, events: null };

const fromRow = (row: Row): StoredWebhook => ({
  urlCipher: row.url_cipher,
  secretCipher: row.secret_cipher,
  format: row.format,
  events: row.events === null ? null : json(row.events),
});

/** The webhook of an account; all null if it has none. */
export async function webhookOf(db: Queryable, userId: number): Promise<StoredWebhook> {
  const row: Row | undefined = await db('webhooks').where('user_id', userId).first();
  return row === undefined ? NONE : fromRow(row);
}

/** The events that the webhooks of these accounts name; empty without a choice, and left out without a webhook. */
export async function webhookEventsOf(
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await query<{ user_id: number; events: string | null }>(
    db.read,
    `SELECT user_id, events FROM webhooks WHERE url_cipher IS NOT NULL AND ${db.dialect.inNumbers('user_id')}`,
    [JSON.stringify(userIds)],
  );
  return new Map(rows.map(({ user_id, events }) => [user_id, events === null ? [] : json<string[]>(events)]));
}

/** As `webhookOf`, inside a write: locks the webhook until the commit. */
export async function lockWebhook(db: Db, trx: Queryable, userId: number): Promise<StoredWebhook> {
  const [row] = await query<Row>(trx, `SELECT * FROM webhooks WHERE user_id = ? ${db.dialect.forUpdate}`, [
    userId,
  ]);
  return row === undefined ? NONE : fromRow(row);
}

/** Stores the webhook of an account. */
export async function saveWebhook(trx: Queryable, userId: number, webhook: StoredWebhook): Promise<void> {
  await trx('webhooks')
    .insert({
      user_id: userId,
      url_cipher: webhook.urlCipher,
      secret_cipher: webhook.secretCipher,
      format: webhook.format,
      events: webhook.events === null ? null : JSON.stringify(webhook.events),
    })
    .onConflict('user_id')
    .merge();
}

/** Deletes the webhook of an account; true if it had an address. */
export async function deleteWebhook(trx: Queryable, userId: number): Promise<boolean> {
  const { urlCipher } = await webhookOf(trx, userId);
  await trx('webhooks').where('user_id', userId).delete();
  return urlCipher !== null;
}
