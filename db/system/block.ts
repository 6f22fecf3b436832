import type { Db } from '../engine/connect.js';
import { dialectOf } from '../engine/dialect.js';
import { type Page, queryPage, type Window } from '../engine/paging.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Something that may not come in: bytes with a SHA-256, or what addresses of a network create. */
export interface Block {
  readonly id: number;
  readonly kind: 'hash' | 'network';
  readonly value: string;
  readonly note: string | null;
  readonly createdBy: number | null;
  readonly createdAt: number;
}

/** The first and the last of what a block covers: of a network, addresses as 32 hexadecimal digits. */
export interface Extent {
  readonly first: string;
  readonly last: string;
}

interface Row {
  id: number;
  kind: Block['kind'];
  value: string;
  note: string | null;
  created_by: number | null;
  created_at: number;
}

const fromRow = (row: Row): Block => ({
  id: row.id,
  kind: row.kind,
  value: row.value,
  note: row.note,
  createdBy: row.created_by,
  createdAt: row.created_at,
});

/** The blocks, newest first. */
export const listBlocks = (db: Db, window: Window): Promise<Page<Block>> =>
  queryPage(db, { from: 'blocks', where: [] }, window, fromRow);

/** How many blocks there are. */
export async function countBlocks(trx: Queryable): Promise<number> {
  const [row] = await query<{ total: number }>(trx, 'SELECT count(*) AS total FROM blocks');
  return Number(row?.total ?? 0);
}

/** Adds a block; null if it exists already. */
export async function insertBlock(
  trx: Queryable,
  block: Omit<Block, 'id'>,
  extent: Extent,
): Promise<Block | null> {
  const [row] = await query<Row>(
    trx,
    `INSERT INTO blocks (kind, value, first, last, note, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, value) DO NOTHING RETURNING *`,
    [block.kind, block.value, extent.first, extent.last, block.note, block.createdBy, block.createdAt],
  );
  return row === undefined ? null : fromRow(row);
}

/** The block of a value; null if there is none. */
export async function blockOf(db: Queryable, kind: Block['kind'], value: string): Promise<Block | null> {
  const row: Row | undefined = await db('blocks').where({ kind, value }).first();
  return row === undefined ? null : fromRow(row);
}

/** The block with this row id; null if there is none. */
export async function blockById(db: Queryable, id: number): Promise<Block | null> {
  const row: Row | undefined = await db('blocks').where('id', id).first();
  return row === undefined ? null : fromRow(row);
}

/** Removes a block; false if it is gone already. */
export async function deleteBlock(trx: Queryable, id: number): Promise<boolean> {
  return (await trx('blocks').where('id', id).delete()) > 0;
}

/** Which of these hashes are blocked. */
export async function blockedHashes(db: Queryable, hashes: readonly string[]): Promise<Set<string>> {
  const found = await query<{ value: string }>(
    db,
    `SELECT value FROM blocks WHERE kind = 'hash' AND ${dialectOf(db).inStrings('value')}`,
    [JSON.stringify(hashes)],
  );
  return new Set(found.map(({ value }) => value));
}

/** Whether one of these hashes is blocked. */
export const anyBlockedHash = async (db: Queryable, hashes: readonly string[]): Promise<boolean> =>
  (await blockedHashes(db, hashes)).size > 0;

/** Which of these addresses, given as 32 hexadecimal digits, are in a blocked network. */
export async function blockedAddresses(db: Queryable, addresses: readonly string[]): Promise<Set<string>> {
  const found = await query<{ address: string }>(
    db,
    `SELECT address FROM ${dialectOf(db).rowsOf('asked', { address: 'text' })}
     WHERE EXISTS (SELECT 1 FROM blocks WHERE kind = 'network' AND first <= address AND last >= address)`,
    [JSON.stringify(addresses.map((address) => [address]))],
  );
  return new Set(found.map(({ address }) => address));
}
