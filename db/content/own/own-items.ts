import type { Db } from '../../engine/connect.js';
import { mergedSection } from '../../engine/merged.js';
import type { Page, Window } from '../../engine/paging.js';
import { query, type Statement } from '../../engine/query.js';
import { itemKey, KIND_STORAGE, type Kind } from '../kinds.js';
import {
  allOf,
  conditionsOf,
  countListed,
  EVERYTHING,
  narrowIndex,
  type OwnFilter,
  selectOf,
} from './own-filter.js';
import { type OwnItem, ownItemsByKey } from './own-item.js';
import { MAX_SELECTIVE, orderCandidates, orderWithin, runOf, sortedBy } from './own-order.js';
import { type Section, searched } from './own-search.js';

/** Where the rows of a kind are found in the order of a list. */
export function sourceInOrder(db: Db, kind: Kind, filter: OwnFilter): string {
  const { table, sorted } = KIND_STORAGE[kind];
  const { index } = runOf(db, kind, filter.sort);
  if (index === null) return table;
  return db.dialect.through(table, (index === sorted.times ? narrowIndex(kind, filter) : null) ?? index);
}

/** A section of the items of an account, and how many the filter finds. */
export async function ownItems(
  db: Db,
  ownerId: number,
  filter: Partial<OwnFilter>,
  window: Window,
): Promise<Page<OwnItem>> {
  const { keys, total, isCapped } = await sectionOf(db, ownerId, filter, window);
  const items = await ownItemsByKey(db, keys);
  return { items: keys.flatMap(({ kind, id }) => items.get(itemKey(kind, id)) ?? []), total, isCapped };
}

/** As `ownItems`, of one kind and with what only that has. */
export async function ownOfKind<R extends { readonly id: number }, T>(
  db: Db,
  ownerId: number,
  kind: Kind,
  filter: Partial<Omit<OwnFilter, 'kinds'>>,
  window: Window,
  fromRow: (row: R) => T,
  columns = '*',
): Promise<Page<T>> {
  const { keys, total, isCapped } = await sectionOf(db, ownerId, { ...filter, kinds: [kind] }, window);
  const rows = await query<R>(
    db.read,
    `SELECT ${columns} FROM ${KIND_STORAGE[kind].table} WHERE ${db.dialect.inNumbers('id')}`,
    [JSON.stringify(keys.map(({ id }) => id))],
  );
  const items = new Map(rows.map((row) => [row.id, fromRow(row)]));
  return { items: keys.flatMap(({ id }) => items.get(id) ?? []), total, isCapped };
}

async function sectionOf(
  db: Db,
  ownerId: number,
  given: Partial<OwnFilter>,
  window: Window,
): Promise<Section> {
  const filter = { ...EVERYTHING, ...given };
  return filter.matches === null
    ? listed(db, ownerId, filter, window)
    : searched(db, ownerId, filter, filter.matches, window);
}

async function listed(db: Db, ownerId: number, filter: OwnFilter, window: Window): Promise<Section> {
  const total = await countListed(db, ownerId, filter);
  const { sql, values } =
    total <= MAX_SELECTIVE
      ? sortedFirst(db, ownerId, filter, window)
      : alongIndexes(db, ownerId, filter, window);
  const keys = await query<{ kind: Kind; id: number }>(db.read, sql, values);
  return { keys, total, isCapped: false };
}

/** All that a filter finds, looked at once. */
function sortedFirst(db: Db, ownerId: number, filter: OwnFilter, { limit, offset }: Window): Statement {
  const { sql, values } = allOf(db, ownerId, filter);
  return {
    sql: `WITH found AS MATERIALIZED (${sql}) SELECT kind, id FROM found ORDER BY ${orderCandidates(filter.sort)}
      LIMIT ? OFFSET ?`,
    values: [...values, limit, offset],
  };
}

/** Of each kind the rows before the end of the section, in index order. */
function alongIndexes(db: Db, ownerId: number, filter: OwnFilter, window: Window): Statement {
  const parts = filter.kinds.map((kind) => {
    const run = runOf(db, kind, filter.sort);
    const source = { sql: sourceInOrder(db, kind, filter), values: [] };
    const conditions = conditionsOf(kind, ownerId, filter);
    const head = `'${kind}' AS kind, id, ${sortedBy(run)}`;
    return { ...selectOf(head, source, conditions), order: orderWithin(run, filter.sort) };
  });
  return mergedSection(db.dialect, parts, orderCandidates(filter.sort), window);
}
