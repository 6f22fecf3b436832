import type { Db } from '../../engine/connect.js';
import type { Condition, SearchMatches } from '../../engine/paging.js';
import { query, type Statement } from '../../engine/query.js';
import { countByDays } from '../counted.js';
import type { Image } from '../file/image.js';
import { KIND_STORAGE, KINDS, type Kind } from '../kinds.js';
import { KEPT } from '../life.js';
import { countVisible, VISIBLE, type Visibility, visibilityIndex } from '../visibility.js';
import { type Order, runOf, sortedBy } from './own-order.js';

/** Filter and order of the items of an account; null = any. */
export interface OwnFilter {
  readonly kinds: readonly Kind[];
  /** The row id of a tag. */
  readonly tagId: number | null;
  /** Of files; with others it finds nothing. */
  readonly medium: Image['mediaKind'] | null;
  readonly visibility: Visibility | null;
  /** Only what its owner has marked. */
  readonly favourite: boolean;
  /** Epoch milliseconds: inclusive, and exclusive. */
  readonly from: number | null;
  readonly to: number | null;
  readonly matches: SearchMatches | null;
  /** Whether they are sealed. */
  readonly sealed: boolean | null;
  readonly sort: Order;
  /** Further conditions on the rows, which every kind of the filter has the columns for. */
  readonly further?: readonly Condition[];
}

/** Everything, the newest first. */
export const EVERYTHING: OwnFilter = {
  ...{ kinds: KINDS, tagId: null, medium: null, visibility: null, from: null, to: null, matches: null },
  favourite: false,
  sealed: null,
  sort: 'newest',
};

const OF_TAG = 'SELECT item_id FROM item_tags WHERE tag_id = ? AND kind = ?';

/** The conditions on the rows of a kind, beside those of a text. */
export function conditionsOf(
  kind: Kind,
  ownerId: number,
  { tagId, medium, visibility, favourite, sealed, from, to, further = [] }: OwnFilter,
): readonly Condition[] {
  const { table, media, listed } = KIND_STORAGE[kind];
  return [
    ['owner_id = ?', ownerId],
    [KEPT],
    tagId === null ? null : [`EXISTS (${OF_TAG} AND item_id = ${table}.id)`, tagId, kind],
    medium === null ? null : media === null ? ['1 = 0'] : [`${media.column} = ?`, medium],
    visibility === null ? null : [VISIBLE[visibility]],
    favourite ? ['favourite'] : null,
    from === null ? null : ['created_at >= ?', from],
    to === null ? null : ['created_at < ?', to],
    sealed === null ? null : [`${listed.seal} IS ${sealed ? 'NOT ' : ''}NULL`],
    ...further,
  ];
}

/** A SELECT of the rows of a kind that fulfil conditions. */
export function selectOf(head: string, source: Statement, conditions: readonly Condition[]): Statement {
  const given = conditions.filter((condition) => condition !== null);
  return {
    sql: `SELECT ${head} FROM ${source.sql} WHERE ${given.map(([sql]) => sql).join(' AND ')}`,
    values: [...source.values, ...given.flatMap(([, ...values]) => values)],
  };
}

/** A SELECT of all rows of a kind that a filter leaves; `ids` is a SELECT of those that a search has found. */
export function selectFirst(
  db: Db,
  kind: Kind,
  ownerId: number,
  filter: OwnFilter,
  head: string,
  ids: string | null = null,
): Statement {
  const { table } = KIND_STORAGE[kind];
  if (ids !== null)
    return selectOf(
      head,
      { sql: db.dialect.namedBy(table, ids), values: [] },
      conditionsOf(kind, ownerId, filter),
    );
  const { tagId } = filter;
  if (tagId === null)
    return selectOf(
      head,
      { sql: narrowest(db, kind, filter), values: [] },
      conditionsOf(kind, ownerId, filter),
    );
  const source = { sql: db.dialect.namedBy(table, OF_TAG), values: [tagId, kind] };
  return selectOf(head, source, conditionsOf(kind, ownerId, { ...filter, tagId: null }));
}

/** Where the fewest rows of a kind are looked at. */
function narrowest({ dialect }: Db, kind: Kind, filter: OwnFilter): string {
  const { table, sorted } = KIND_STORAGE[kind];
  const { from, to } = filter;
  const narrow = narrowIndex(kind, filter);
  if (narrow !== null) return dialect.through(table, narrow);
  return from === null && to === null ? table : dialect.through(table, sorted.times);
}

/** The index, by time, of those that are marked, have a visibility or are of a medium; null if there is none. */
export const narrowIndex = (kind: Kind, { visibility, medium, favourite }: OwnFilter): string | null =>
  (favourite ? `${KIND_STORAGE[kind].table}_favourite` : null) ??
  visibilityIndex(kind, visibility) ??
  (medium === null ? null : (KIND_STORAGE[kind].media?.index ?? null));

/**
 * A SELECT of kind, id and order of all that a filter leaves of each kind; `ids` names a table of what a search has found.
 */
export function allOf(
  db: Db,
  ownerId: number,
  filter: OwnFilter,
  ids: ((kind: Kind) => string) | null = null,
): Statement {
  const parts = filter.kinds.map((kind) => {
    const head = `'${kind}' AS kind, id, ${sortedBy(runOf(db, kind, filter.sort))}`;
    return selectFirst(db, kind, ownerId, filter, head, ids === null ? null : `SELECT id FROM ${ids(kind)}`);
  });
  return {
    sql: parts.map(({ sql }) => sql).join(' UNION ALL '),
    values: parts.flatMap(({ values }) => values),
  };
}

/** How many items a filter without a text finds, from what is counted anyway if that says it. */
export async function countListed(db: Db, ownerId: number, filter: OwnFilter): Promise<number> {
  const { kinds, tagId, medium, visibility, favourite, sealed, from, to, further = [] } = filter;
  if (favourite || medium !== null || sealed !== null || further.some((condition) => condition !== null))
    return countAll(db, ownerId, filter);
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
  const counts = filter.kinds.map((kind) => selectFirst(db, kind, ownerId, filter, 'count(*) AS n'));
  const counted = await query<{ n: number }>(
    db.read,
    counts.map(({ sql }) => sql).join(' UNION ALL '),
    counts.flatMap(({ values }) => values),
  );
  return counted.reduce((sum, { n }) => sum + Number(n), 0);
}
