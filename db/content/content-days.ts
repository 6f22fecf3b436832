import { dayOf } from '../engine/days.js';
import { dialectOf } from '../engine/dialect.js';
import { type Binding, query } from '../engine/query.js';
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

/** Counts new items; runs in the transaction that inserts them. */
export async function countItems(trx: Queryable, items: readonly Counted[]): Promise<void> {
  const sums = new Map<string, Row>();
  for (const item of items) {
    const [openItems, openBytes] = openOf(item);
    const [kind, day, owner_id, format] = keyOf(item);
    const key = JSON.stringify(keyOf(item));
    const sum = sums.get(key) ?? {
      kind,
      day,
      owner_id,
      format,
      items: 0,
      bytes: 0,
      open_items: 0,
      open_bytes: 0,
    };
    sum.items += 1;
    sum.bytes += item.bytes;
    sum.open_items += openItems;
    sum.open_bytes += openBytes;
    sums.set(key, sum);
  }
  // In a fixed order, so that two transactions with the same days do not deadlock.
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await query(
    trx,
    `INSERT INTO content_days (${COLUMNS.join(', ')})
     SELECT ${COLUMNS.join(', ')} FROM ${dialectOf(trx).recordsOf('given', 'content_days', COLUMNS)} WHERE true
     ON CONFLICT (kind, format, day, owner_id)
     DO UPDATE SET items = content_days.items + excluded.items, bytes = content_days.bytes + excluded.bytes,
       open_items = content_days.open_items + excluded.open_items,
       open_bytes = content_days.open_bytes + excluded.open_bytes`,
    [JSON.stringify(rows)],
  );
}

/** The counts of a day, as they are stored. */
interface Row {
  readonly kind: Kind;
  readonly day: number;
  readonly owner_id: number;
  readonly format: string;
  items: number;
  bytes: number;
  open_items: number;
  open_bytes: number;
}

const COLUMNS = [
  'kind',
  'day',
  'owner_id',
  'format',
  'items',
  'bytes',
  'open_items',
  'open_bytes',
] as const satisfies readonly (keyof Row)[];

/** Subtracts an item from the day it was created; runs in the transaction that deletes it. */
export async function uncountItem(trx: Queryable, item: Counted): Promise<void> {
  await query(
    trx,
    `UPDATE content_days SET items = items - 1, bytes = bytes - ?,
       open_items = open_items - ?, open_bytes = open_bytes - ? WHERE ${KEY}`,
    [item.bytes, ...openOf(item), ...keyOf(item)],
  );
}

/**
 * No longer counts items that go into the trash (-1), or counts those again that are taken out of it; their bytes count
 * all the time, as they are kept. Runs in the transaction that moves them.
 */
export async function countBinned(trx: Queryable, items: readonly Counted[], by: 1 | -1): Promise<void> {
  const groups = new Map<string, Counted[]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  // In a fixed order, so that two transactions with the same days do not deadlock.
  for (const [key, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const open = group.filter((item) => item.open);
    const bytes = open.reduce((sum, item) => sum + item.bytes, 0);
    await query(
      trx,
      `UPDATE content_days SET items = items + ?, open_items = open_items + ?, open_bytes = open_bytes + ?
       WHERE ${KEY}`,
      [by * group.length, by * open.length, by * bytes, ...(JSON.parse(key) as Binding[])],
    );
  }
}

/** Subtracts the bytes of an item that is deleted from the trash. */
export async function uncountBinned(trx: Queryable, item: Counted): Promise<void> {
  await query(trx, `UPDATE content_days SET bytes = bytes - ? WHERE ${KEY}`, [item.bytes, ...keyOf(item)]);
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
