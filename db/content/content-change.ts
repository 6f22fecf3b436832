import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { OPEN } from './content.js';
import { type Counted, recountItem, uncountItem } from './content-days.js';
import { KIND_STORAGE, type Kind } from './kinds.js';

/** The columns of a changed or deleted row that the statistics need. */
const countedColumns = (kind: Kind): string => {
  const { format, bytes } = KIND_STORAGE[kind].counted;
  return `owner_id, created_at, ${format} AS format, ${bytes} AS bytes, (${OPEN}) AS open, is_public, password_hash`;
};

interface CountedRow {
  owner_id: number;
  created_at: number;
  format: string;
  bytes: number;
  open: boolean | number;
  is_public: boolean | number;
  password_hash: string | null;
}

const countedFromRow = (kind: Kind, row: CountedRow): Counted => ({
  kind,
  ownerId: row.owner_id,
  createdAt: row.created_at,
  format: row.format,
  bytes: row.bytes,
  open: Boolean(row.open),
});

/** Sets or clears the password of an item; false if it does not exist. */
export async function setContentPassword(
  trx: Queryable,
  kind: Kind,
  id: number,
  hash: string | null,
): Promise<boolean> {
  const before = await trx(KIND_STORAGE[kind].table).where('id', id).forUpdate().first('password_hash');
  const [row] = await query<CountedRow>(
    trx,
    `UPDATE ${KIND_STORAGE[kind].table} SET password_hash = ? WHERE id = ? RETURNING ${countedColumns(kind)}`,
    [hash, id],
  );
  if (row === undefined) return false;
  const changed = (before.password_hash === null) !== (hash === null);
  if (changed && row.is_public) await recountItem(trx, countedFromRow(kind, row));
  return true;
}

/** Makes items of an account public or private (ids in lower case); ignores items of other accounts. */
export async function setPublic(
  db: Db,
  trx: Queryable,
  kind: Kind,
  ownerId: number,
  keys: readonly string[],
  isPublic: boolean,
): Promise<void> {
  const changed = await query<CountedRow>(
    trx,
    `UPDATE ${KIND_STORAGE[kind].table} SET is_public = ? WHERE owner_id = ? AND ${db.dialect.inStrings('lookup_id')}
     AND is_public <> ? RETURNING ${countedColumns(kind)}`,
    [isPublic, ownerId, JSON.stringify(keys), isPublic],
  );
  for (const row of changed.filter(({ password_hash }) => password_hash === null))
    await recountItem(trx, countedFromRow(kind, row));
}

/** Deletes an item's row and its share of the statistics; false if it was already deleted. */
export async function deleteContent(trx: Queryable, kind: Kind, id: number): Promise<boolean> {
  const [row] = await query<CountedRow>(
    trx,
    `DELETE FROM ${KIND_STORAGE[kind].table} WHERE id = ? RETURNING ${countedColumns(kind)}`,
    [id],
  );
  if (row === undefined) return false;
  await uncountItem(trx, countedFromRow(kind, row));
  return true;
}
