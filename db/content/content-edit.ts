import type { Db } from '../engine/connect.js';
import { type Binding, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { indexItems, isIndexed } from '../search/item-text.js';
import { aliasSince, countAliases, keepAlias, requireNotHeld } from './alias.js';
import { type ContentRow, lookupId, shadowedBy } from './content.js';
import { countItems, uncountItem } from './content-days.js';
import { KIND_STORAGE, type Kind, type OwnedKind } from './kinds.js';
import { KEPT } from './life.js';
import { tagKey } from './tag/new-tags.js';
import { addTag, removeTag, tagsOfItem } from './tag/tag.js';

/** A row that is locked until the commit, with its share of the statistics. */
export type LockedRow<R> = R & { readonly counted_format: string; readonly counted_bytes: number };

const weighed = (kind: Kind): string => {
  const { format, bytes } = KIND_STORAGE[kind].counted;
  return `*, ${format} AS counted_format, ${bytes} AS counted_bytes`;
};

/** Reads an item inside a write and locks it until the commit; null if it is gone or in the trash. */
export async function lockContent<R extends ContentRow>(
  db: Db,
  trx: Queryable,
  kind: Kind,
  id: number,
): Promise<LockedRow<R> | null> {
  const [row] = await query<LockedRow<R>>(
    trx,
    `SELECT ${weighed(kind)} FROM ${KIND_STORAGE[kind].table} WHERE id = ? AND ${KEPT} ${db.dialect.forUpdate}`,
    [id],
  );
  return row ?? null;
}

/** The changed columns of a row; those that keep their value are left out. */
export type Changes<R> = { readonly [C in keyof R]?: R[C] | undefined };

/** What really changes, as columns. Booleans are numbers on SQLite. */
export function realChanges<R extends ContentRow>(row: R, changes: Changes<R>): Record<string, Binding> {
  const plain = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([column, value]) => value !== undefined && plain(value) !== plain(row[column as keyof R]),
    ),
  ) as Record<string, Binding>;
}

/**
 * Writes the changed columns of a locked row as its next revision, keeps the statistics and the index right, and
 * returns the row as it is now. Tags are changed before.
 */
export async function writeRevision<R extends ContentRow>(
  trx: Queryable,
  kind: Kind,
  row: LockedRow<R>,
  columns: Readonly<Record<string, Binding>>,
  at: number,
): Promise<LockedRow<R>> {
  const all = { ...columns, updated_at: at };
  const [now] = await query<LockedRow<R>>(
    trx,
    `UPDATE ${KIND_STORAGE[kind].table} SET revision = revision + 1,
       ${Object.keys(all)
         .map((column) => `${column} = ?`)
         .join(', ')}
     WHERE id = ? RETURNING ${weighed(kind)}`,
    [...Object.values(all), row.id],
  );
  if (now === undefined) throw new Error(`${kind} ${row.id}: the locked row is gone`);
  const [before, after] = [countedOf(kind, row), countedOf(kind, now)];
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await uncountItem(trx, before);
    await countItems(trx, [after]);
  }
  if (isIndexed(kind, Object.keys(columns))) await indexItems(trx, kind, [row.id]);
  return now;
}

const countedOf = <R extends ContentRow>(kind: Kind, row: LockedRow<R>) => ({
  kind,
  ownerId: row.owner_id,
  createdAt: row.created_at,
  format: row.counted_format,
  bytes: row.counted_bytes,
  open: Boolean(row.is_public) && row.password_hash === null,
});

/** One row with an id. */
const ONE_ID = '(SELECT CAST(? AS text) AS lookup_id) AS given';

/**
 * The columns that give a locked row another id, after its former one was kept; null if it would have more than `max`
 * former ids. Call `requireFree` once they are written.
 */
export async function renamed(
  trx: Queryable,
  kind: Kind,
  row: ContentRow,
  uniqueId: string,
  at: number,
  max: number,
): Promise<Record<string, Binding> | null> {
  const key = lookupId(uniqueId);
  if (key === row.lookup_id) return { unique_id: uniqueId };
  await keepAlias(trx, kind, {
    itemId: row.id,
    uniqueId: row.unique_id,
    lookupId: row.lookup_id,
    since: row.named_at ?? row.created_at,
  });
  if ((await countAliases(trx, kind, row.id, key)) > max) return null;
  const [others] = await query<{ shadowed: boolean | number }>(
    trx,
    `SELECT ${shadowedBy(kind, 'given.lookup_id')} AS shadowed FROM ${ONE_ID}`,
    [key],
  );
  return {
    unique_id: uniqueId,
    lookup_id: key,
    // Whoever goes back to an id has had it since then.
    named_at: (await aliasSince(trx, kind, key, row.id)) ?? at,
    shadowed: Boolean(others?.shadowed),
  };
}

/** `IdHeld` if a row was given a former id of another item. */
export const requireFree = (trx: Queryable, kind: Kind, row: ContentRow): Promise<void> =>
  requireNotHeld(trx, kind, new Map([[row.lookup_id, row.id]]));

/** Gives an item exactly these tags; true if that changed any. */
export async function setTags(
  trx: Queryable,
  kind: OwnedKind,
  row: Pick<ContentRow, 'id' | 'owner_id'>,
  names: readonly string[],
): Promise<boolean> {
  const present = await tagsOfItem(trx, kind, row.id);
  const wanted = new Map(names.map((name) => [tagKey(name), name]));
  const known = new Set(present.map(({ key }) => key));
  const gone = present.filter(({ key }) => !wanted.has(key));
  // In a fixed order, so that two items that get the same tags do not deadlock.
  const added = [...wanted].filter(([key]) => !known.has(key)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const { id } of gone) await removeTag(trx, id, kind, row.id);
  for (const [, name] of added) await addTag(trx, row.owner_id, kind, row.id, name);
  return gone.length + added.length > 0;
}
