import type { Queryable } from './connect.js';
import type { Kind } from './content.js';
import { query } from './query.js';

/** Milliseconds of a day; days are UTC days. */
export const DAY_MS = 86_400_000;

/** The day of a moment, in days since the epoch. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** An item as the roll-ups count it: on the day it was made, for its owner. */
export interface Counted {
  readonly kind: Kind;
  readonly ownerId: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Stored format of an image, "" for other kinds. */
  readonly format: string;
  readonly bytes: number;
}

/** Counts a new item; runs in the transaction that inserts it. */
export async function countItem(trx: Queryable, item: Counted): Promise<void> {
  await query(
    trx,
    `INSERT INTO content_days (kind, day, owner_id, format, items, bytes) VALUES (?, ?, ?, ?, 1, ?)
     ON CONFLICT (kind, format, day, owner_id)
     DO UPDATE SET items = content_days.items + 1, bytes = content_days.bytes + excluded.bytes`,
    [item.kind, dayOf(item.createdAt), item.ownerId, item.format, item.bytes],
  );
}

/** Takes an item out of the day it was made; runs in the transaction that deletes it. */
export async function uncountItem(trx: Queryable, item: Counted): Promise<void> {
  await query(
    trx,
    `UPDATE content_days SET items = items - 1, bytes = bytes - ?
     WHERE kind = ? AND day = ? AND owner_id = ? AND format = ?`,
    [item.bytes, item.kind, dayOf(item.createdAt), item.ownerId, item.format],
  );
}
