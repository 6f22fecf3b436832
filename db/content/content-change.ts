import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { forgetItem } from '../search/item-text.js';
import { deleteAliases } from './alias.js';
import { OPEN } from './content.js';
import { type Counted, recountItem, uncountBinned, uncountItem } from './content-days.js';
import { KIND_STORAGE, type Kind } from './kinds.js';
import { clearTags } from './tag/tag.js';
import { forgetTold } from './told/told.js';

/** The columns of a changed or deleted row that the statistics need. */
export const countedColumns = (kind: Kind): string => {
  const { format, bytes } = KIND_STORAGE[kind].counted;
  return `owner_id, created_at, ${format} AS format, ${bytes} AS bytes, (${OPEN}) AS open, is_public, password_hash, trashed_at`;
};

/** SQL: the next revision of a changed row; binds when that was. */
const REVISED = 'revision = revision + 1, updated_at = ?';

/** Those columns. */
export interface CountedRow {
  owner_id: number;
  created_at: number;
  format: string;
  bytes: number;
  open: boolean | number;
  is_public: boolean | number;
  password_hash: string | null;
  trashed_at: number | null;
}

/** What the statistics count for such a row. */
export const countedFromRow = (kind: Kind, row: CountedRow): Counted => ({
  kind,
  ownerId: row.owner_id,
  createdAt: row.created_at,
  format: row.format,
  bytes: row.bytes,
  open: Boolean(row.open),
});

/** Keeps an item from everybody but its owner and moderators, for a reason that these see; null lifts that. */
export async function setQuarantine(
  trx: Queryable,
  kind: Kind,
  id: number,
  reason: string | null,
): Promise<boolean> {
  return (await trx(KIND_STORAGE[kind].table).where('id', id).update({ quarantine: reason })) > 0;
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
    `UPDATE ${KIND_STORAGE[kind].table} SET is_public = ?, ${REVISED} WHERE owner_id = ? AND ${db.dialect.inStrings('lookup_id')}
     AND is_public <> ? AND trashed_at IS NULL RETURNING ${countedColumns(kind)}`,
    [isPublic, Date.now(), ownerId, JSON.stringify(keys), isPublic],
  );
  for (const row of changed.filter(({ password_hash }) => password_hash === null))
    await recountItem(trx, countedFromRow(kind, row));
}

/**
 * Deletes an item's row, its entry in the index, its tags, its former ids and its share of the statistics. Null if it was already deleted,
 * otherwise whether it was in the trash.
 */
export async function deleteContent(
  trx: Queryable,
  kind: Kind,
  id: number,
): Promise<{ readonly wasTrashed: boolean } | null> {
  const [row] = await query<CountedRow>(
    trx,
    `DELETE FROM ${KIND_STORAGE[kind].table} WHERE id = ? RETURNING ${countedColumns(kind)}`,
    [id],
  );
  if (row === undefined) return null;
  const wasTrashed = row.trashed_at !== null;
  await (wasTrashed ? uncountBinned : uncountItem)(trx, countedFromRow(kind, row));
  await deleteAliases(trx, kind, id);
  await forgetItem(trx, kind, id);
  await forgetTold(trx, kind, id);
  await clearTags(trx, kind, id, !wasTrashed);
  return { wasTrashed };
}
