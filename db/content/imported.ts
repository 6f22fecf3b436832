import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { OwnedKind } from './kinds.js';

interface Imported {
  /** The installation that it came from, as the import calls it. */
  readonly source: string;
  /** What it was there. */
  readonly key: string;
  readonly kind: OwnedKind | 'account';
  readonly itemId: number;
}

/** The row id of what came from there under this key; null if nothing has. It may be deleted by now. */
export async function importedAs(db: Queryable, source: string, key: string): Promise<number | null> {
  const [row] = await query<{ item_id: number }>(
    db,
    'SELECT item_id FROM imported WHERE source = ? AND source_key = ?',
    [source, key],
  );
  return row?.item_id ?? null;
}

/** Records what came; violates the primary key if it has come already. */
export async function noteImported(trx: Queryable, { source, key, kind, itemId }: Imported): Promise<void> {
  await query(trx, 'INSERT INTO imported (source, source_key, kind, item_id) VALUES (?, ?, ?, ?)', [
    ...[source, key, kind, itemId],
  ]);
}
