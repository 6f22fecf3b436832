import { dayOf } from '../engine/days.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { Kind } from './kinds.js';

/** An item as the statistics count it: on the day it was created, for its owner. */
export interface Counted {
  readonly kind: Kind;
  readonly ownerId: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Stored format of an image, "" for other kinds. */
  readonly format: string;
  readonly bytes: number;
  /** Public and without a password. Open items are also counted separately. */
  readonly open: boolean;
}

/** Counts a new item; runs in the transaction that inserts it. */
export async function countItem(trx: Queryable, item: Counted): Promise<void> {
  await query(
    trx,
    `INSERT INTO content_days (kind, day, owner_id, format, items, bytes, open_items, open_bytes)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?)
     ON CONFLICT (kind, format, day, owner_id)
     DO UPDATE SET items = content_days.items + 1, bytes = content_days.bytes + excluded.bytes,
       open_items = content_days.open_items + excluded.open_items,
       open_bytes = content_days.open_bytes + excluded.open_bytes`,
    [...keyOf(item), item.bytes, ...openOf(item)],
  );
}

/** Subtracts an item from the day it was created; runs in the transaction that deletes it. */
export async function uncountItem(trx: Queryable, item: Counted): Promise<void> {
  await query(
    trx,
    `UPDATE content_days SET items = items - 1, bytes = bytes - ?,
       open_items = open_items - ?, open_bytes = open_bytes - ? WHERE ${KEY}`,
    [item.bytes, ...openOf(item), ...keyOf(item)],
  );
}

/** Updates the counts of open items after an item was opened or closed; runs in the transaction that changes it. */
export async function recountItem(trx: Queryable, item: Counted): Promise<void> {
  const sign = item.open ? '+' : '-';
  await query(
    trx,
    `UPDATE content_days SET open_items = open_items ${sign} 1, open_bytes = open_bytes ${sign} ? WHERE ${KEY}`,
    [item.bytes, ...keyOf(item)],
  );
}

const KEY = 'kind = ? AND day = ? AND owner_id = ? AND format = ?';
const keyOf = ({ kind, createdAt, ownerId, format }: Counted) =>
  [kind, dayOf(createdAt), ownerId, format] as const;
const openOf = ({ open, bytes }: Counted) => [open ? 1 : 0, open ? bytes : 0] as const;
