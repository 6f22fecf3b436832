import type { Db } from '../../engine/connect.js';
import type { SearchMatches, Window } from '../../engine/paging.js';
import { finding, type ItemFilter } from '../../search/ask.js';
import type { Kind } from '../kinds.js';
import { allOf, countListed, type OwnFilter, selectFirst } from './own-filter.js';
import { orderCandidates } from './own-order.js';

/** Which items a page shows, in order, and how many the filter finds. */
export interface Section {
  readonly keys: readonly { readonly kind: Kind; readonly id: number }[];
  readonly total: number;
  readonly isCapped: boolean;
}

/** What a search finds is bounded, so that it is looked up once, and counted and cut from there. */
export async function searched(
  db: Db,
  ownerId: number,
  filter: OwnFilter,
  matches: SearchMatches,
  { limit, offset }: Window,
): Promise<Section> {
  const itemFilter = await itemFilterOf(db, ownerId, { ...filter, matches: null });
  const found = await finding(db, matches, { ownerId, own: true, tagId: filter.tagId, itemFilter });
  const hits = filter.kinds.map((kind) => ({ kind, ...found.of(kind) }));
  const all = allOf(db, ownerId, filter, (kind) => `${kind}_hits`);
  const tables = [...hits.map(({ kind, sql }) => [`${kind}_hits`, sql]), ['found', all.sql]];
  const counts = tables.map(([name]) => `(SELECT count(*) FROM ${name}) AS ${name}`);
  // Not numbered by a window function, which sorts all of them: for a page it is enough to keep its rows. One row comes in
  // any case, so that the numbers do.
  type Row = Record<`${Kind}_hits` | 'found', number> & { kind: Kind | null; id: number | null };
  const rows = await db.search.query<Row>(
    `WITH ${tables.map(([name, sql]) => `${name} AS MATERIALIZED (${sql})`).join(', ')}
     SELECT page.kind, page.id, ${counts.join(', ')} FROM (SELECT 1 AS one) AS always LEFT JOIN (
       SELECT * FROM found ORDER BY ${orderCandidates(filter.sort)} LIMIT ? OFFSET ?
     ) AS page ON 1 = 1 ORDER BY ${orderCandidates(filter.sort)}`,
    [...[...hits, all].flatMap(({ values }) => values), limit, offset],
    matches.left,
  );
  const [row] = rows;
  return {
    keys: rows.flatMap(({ kind, id }) => (kind === null || id === null ? [] : [{ kind, id }])),
    total: Number(row?.found ?? 0),
    isCapped: filter.kinds.some((kind) => Number(row?.[`${kind}_hits`] ?? 0) >= found.limit),
  };
}

/** What a filter asks beside words and a tag, which the index knows; null if it asks for no more. */
export async function itemFilterOf(db: Db, ownerId: number, filter: OwnFilter): Promise<ItemFilter | null> {
  const { tagId, medium, visibility, favourite, from, to, further = [] } = filter;
  const isFurther = favourite || further.some((condition) => condition !== null);
  if (medium === null && visibility === null && from === null && to === null && !isFurther) return null;
  return {
    // Of a tag it would have to look at everything, and a tag narrows what is found anyway.
    left: tagId === null ? await countListed(db, ownerId, filter) : null,
    ids: (kind) => selectFirst(db, kind, ownerId, filter, 'id'),
  };
}
