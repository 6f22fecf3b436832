import type { Db } from '../engine/connect.js';
import type { Condition, Page, Sought, Window } from '../engine/paging.js';
import { type Binding, query } from '../engine/query.js';
import { type Matching, matching } from '../search/ask.js';
import { KEPT } from './content.js';
import { countByDays } from './counted.js';
import { itemKey, KIND_STORAGE, KINDS, type Kind } from './kinds.js';
import { type OwnItem, ownItemsByKey } from './own-item.js';
import { type Order, orderAmong, orderWithin, type Run, runsOf, sortedBy, wholeOf } from './own-order.js';
import { countVisible, VISIBLE, type Visibility, visibilityIndex } from './visibility.js';

/** Filter and order of the items of an account; null = any. */
export interface OwnFilter {
  readonly kinds: readonly Kind[];
  /** The row id of a tag. */
  readonly tagId: number | null;
  readonly visibility: Visibility | null;
  /** Epoch milliseconds: inclusive, and exclusive. */
  readonly from: number | null;
  readonly to: number | null;
  readonly sought: Sought | null;
  readonly sort: Order;
}

/**
 * As many items that a filter finds are looked at and sorted. More are found along the index of an order, which may have all
 * that the filter leaves out before them.
 */
const FEW = 10_000;

interface Statement {
  readonly sql: string;
  readonly values: readonly Binding[];
}

/** The conditions on the rows of a kind, beside those of a text. */
function conditionsOf(
  { dialect }: Db,
  kind: Kind,
  ownerId: number,
  { tagId, visibility, from, to }: OwnFilter,
  isFew: boolean,
): readonly Condition[] {
  const { table } = KIND_STORAGE[kind];
  // What many have is looked for in the items, and what few have gives the items.
  const tagged = isFew
    ? dialect.amongIds('id', 'SELECT item_id FROM item_tags WHERE tag_id = ? AND kind = ?')
    : `EXISTS (SELECT 1 FROM item_tags t WHERE t.tag_id = ? AND t.kind = ? AND t.item_id = ${table}.id)`;
  return [
    ['owner_id = ?', ownerId],
    [KEPT],
    tagId === null ? null : [tagged, tagId, kind],
    visibility === null ? null : [VISIBLE[visibility]],
    from === null ? null : ['created_at >= ?', from],
    to === null ? null : ['created_at < ?', to],
  ];
}

/** A SELECT of the rows of a kind that fulfil conditions. */
function selectOf(head: string, source: string, conditions: readonly Condition[]): Statement {
  const given = conditions.filter((condition) => condition !== null);
  return {
    sql: `SELECT ${head} FROM ${source} WHERE ${given.map(([sql]) => sql).join(' AND ')}`,
    values: given.flatMap(([, ...values]) => values),
  };
}

/** Where the few rows of a kind that fulfil a filter are found. */
function sourceOfFew(
  { dialect }: Db,
  kind: Kind,
  { tagId, visibility, from, to, sought }: OwnFilter,
): string {
  const { table, sorted } = KIND_STORAGE[kind];
  if (sought !== null || tagId !== null) return dialect.byIds(table);
  const narrow = visibilityIndex(kind, visibility);
  if (narrow !== null) return dialect.through(table, narrow);
  return from === null && to === null ? table : dialect.through(table, sorted.times);
}

/** Where the rows of a run are found in its order. */
function sourceOfRun({ dialect }: Db, kind: Kind, { index }: Run, visibility: Visibility | null): string {
  const { table, sorted } = KIND_STORAGE[kind];
  if (index === null) return table;
  const narrow = index === sorted.times ? visibilityIndex(kind, visibility) : null;
  return dialect.through(table, narrow ?? index);
}

/** Which items a page shows, in order, and how many the filter finds. */
interface Section {
  readonly keys: readonly { readonly kind: Kind; readonly id: number }[];
  readonly total: number;
}

/** A section of the items of an account, and how many the filter finds. */
export async function ownItems(
  db: Db,
  ownerId: number,
  filter: OwnFilter,
  window: Window,
): Promise<Page<OwnItem>> {
  const { keys, total } = await (filter.sought === null ? listed : searched)(db, ownerId, filter, window);
  const items = await ownItemsByKey(db, keys);
  return { items: keys.flatMap(({ kind, id }) => items.get(itemKey(kind, id)) ?? []), total };
}

async function listed(db: Db, ownerId: number, filter: OwnFilter, window: Window): Promise<Section> {
  const total = await countListed(db, ownerId, filter);
  const { sql, values } =
    total <= FEW
      ? sortedFew(db, ownerId, filter, () => null)
      : alongIndexes(db, ownerId, filter, window.offset + window.limit);
  const keys = await query<{ kind: Kind; id: number }>(
    db.read,
    `${sql} ORDER BY ${orderAmong(filter.sort)} LIMIT ? OFFSET ?`,
    [...values, window.limit, window.offset],
  );
  return { keys, total };
}

/** All that a filter finds, looked at once. */
function sortedFew(db: Db, ownerId: number, filter: OwnFilter, match: Matching): Statement {
  const parts = filter.kinds.map((kind) =>
    selectOf(
      `'${kind}' AS kind, id, ${sortedBy(wholeOf(db, kind, filter.sort))}`,
      sourceOfFew(db, kind, filter),
      [...conditionsOf(db, kind, ownerId, filter, true), match(kind)],
    ),
  );
  return {
    sql: `WITH found AS MATERIALIZED (${parts.map(({ sql }) => sql).join(' UNION ALL ')})
      SELECT kind, id, (SELECT count(*) FROM found) AS total FROM found`,
    values: parts.flatMap((of) => of.values),
  };
}

/** Of each kind as many rows as the section ends at, in index order. */
function alongIndexes(db: Db, ownerId: number, filter: OwnFilter, end: number): Statement {
  const parts = filter.kinds.flatMap((kind) =>
    runsOf(db, kind, filter.sort).map((run, index) => {
      const only: Condition = run.only === null ? null : [run.only];
      const conditions = [...conditionsOf(db, kind, ownerId, filter, false), only];
      const source = sourceOfRun(db, kind, run, filter.visibility);
      const { sql, values } = selectOf(`'${kind}' AS kind, id, ${sortedBy(run)}`, source, conditions);
      return {
        sql: `SELECT * FROM (${sql} ORDER BY ${orderWithin(run, filter.sort)} LIMIT ?) AS ${kind}_${index}`,
        values: [...values, end],
      };
    }),
  );
  return {
    sql: `SELECT kind, id FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) AS parts`,
    values: parts.flatMap((of) => of.values),
  };
}

/** What a search finds is bounded, so that it is looked up once, and counted and cut from there. */
async function searched(
  db: Db,
  ownerId: number,
  filter: OwnFilter,
  { limit, offset }: Window,
): Promise<Section> {
  const match = await matching(db, filter.sought, { ownerId, own: true, tagId: filter.tagId });
  const { sql, values } = sortedFew(db, ownerId, filter, match);
  const left = filter.sought?.left ?? new AbortController().signal;
  // Not numbered by a window function, which sorts all of them: for a page it is enough to keep its rows.
  const section = `${sql} ORDER BY ${orderAmong(filter.sort)} LIMIT ? OFFSET ?`;
  const ask = (window: Window) =>
    db.search.query<{ kind: Kind; id: number; total: number }>(
      section,
      [...values, window.limit, window.offset],
      left,
    );
  const keys = await ask({ limit, offset });
  // Beyond the end the first row says how many there are.
  const [row] = keys.length > 0 || offset === 0 ? keys : await ask({ limit: 1, offset: 0 });
  return { keys, total: Number(row?.total ?? 0) };
}

/** How many items a filter without a text finds, from what is counted anyway if that says it. */
async function countListed(db: Db, ownerId: number, filter: OwnFilter): Promise<number> {
  const { kinds, tagId, visibility, from, to } = filter;
  if (tagId === null && visibility === null) return countByDays(db, { kinds, ownerId, from, to });
  if (tagId === null && visibility !== null)
    return countVisible(db, { kinds, ownerId, from, to }, visibility);
  if (visibility !== null) return countAll(db, ownerId, filter);
  if (from !== null || to !== null || kinds.length < KINDS.length) return countAll(db, ownerId, filter);
  const [row] = await query<{ n: number }>(
    db.read,
    `SELECT items - (SELECT count(*) FROM item_tags i JOIN collections p ON p.id = i.item_id
       WHERE i.tag_id = tags.id AND i.kind = 'collection' AND p.${KEPT}) AS n FROM tags WHERE id = ?`,
    [tagId],
  );
  return Number(row?.n ?? 0);
}

async function countAll(db: Db, ownerId: number, filter: OwnFilter): Promise<number> {
  const counts = filter.kinds.map((kind) =>
    selectOf('count(*) AS n', sourceOfFew(db, kind, filter), conditionsOf(db, kind, ownerId, filter, true)),
  );
  const counted = await query<{ n: number }>(
    db.read,
    counts.map(({ sql }) => sql).join(' UNION ALL '),
    counts.flatMap(({ values }) => values),
  );
  return counted.reduce((sum, { n }) => sum + Number(n), 0);
}
