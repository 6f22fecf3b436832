import { dialectOf } from '../../engine/dialect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

/** The key of the row that says that an import goes on; its links have their row ids as keys. */
const OPEN = 'open';

/** Begins an import of links that takes several transactions, under a name that no other import has. */
export async function openImport(trx: Queryable, source: string, ownerId: number): Promise<void> {
  await query(trx, "INSERT INTO imported (source, source_key, kind, item_id) VALUES (?, ?, 'account', ?)", [
    source,
    OPEN,
    ownerId,
  ]);
}

/** Notes links as part of an import; false if it has been closed or withdrawn. */
export async function noteLinks(trx: Queryable, source: string, ids: readonly number[]): Promise<boolean> {
  const dialect = dialectOf(trx);
  const open = await query(
    trx,
    `SELECT 1 FROM imported WHERE source = ? AND source_key = ? ${dialect.forUpdate}`,
    [source, OPEN],
  );
  if (open.length === 0) return false;
  await query(
    trx,
    `INSERT INTO imported (source, source_key, kind, item_id)
     SELECT ?, CAST(id AS text), 'url', id FROM ${dialect.rowsOf('given', { id: 'bigint' })}`,
    [source, JSON.stringify(ids.map((id) => [id]))],
  );
  return true;
}

/** Ends an import, whose links stay; false if it has been closed or withdrawn. */
export async function closeImport(trx: Queryable, source: string): Promise<boolean> {
  if (!(await withdrawImport(trx, source))) return false;
  await query(trx, 'DELETE FROM imported WHERE source = ?', [source]);
  return true;
}

/** Gives an import up: nothing is added to it any more. False if it has been closed or withdrawn. */
export async function withdrawImport(trx: Queryable, source: string): Promise<boolean> {
  const ended = await query(
    trx,
    'DELETE FROM imported WHERE source = ? AND source_key = ? RETURNING item_id',
    [source, OPEN],
  );
  return ended.length > 0;
}

/** Takes some links out of an import that was withdrawn, at most `limit`, and returns their row ids. */
export async function takeLinks(trx: Queryable, source: string, limit: number): Promise<number[]> {
  const taken = await query<{ item_id: number }>(
    trx,
    `DELETE FROM imported WHERE source = ? AND source_key IN (
       SELECT source_key FROM imported WHERE source = ? ORDER BY source_key LIMIT ?) RETURNING item_id`,
    [source, source, limit],
  );
  return taken.map(({ item_id }) => item_id);
}
