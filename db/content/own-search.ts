import type { Db } from '../engine/connect.js';
import type { Sought, Window } from '../engine/paging.js';
import { finding, type Sieve } from '../search/ask.js';
import type { Kind } from './kinds.js';
import { allOf, countListed, type OwnFilter, selectFew } from './own-filter.js';
import { orderAmong } from './own-order.js';

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
  sought: Sought,
  { limit, offset }: Window,
): Promise<Section> {
  const sieve = await sieveOf(db, ownerId, { ...filter, sought: null });
  const found = await finding(db, sought, { ownerId, own: true, tagId: filter.tagId, sieve });
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
       SELECT * FROM found ORDER BY ${orderAmong(filter.sort)} LIMIT ? OFFSET ?
     ) AS page ON 1 = 1 ORDER BY ${orderAmong(filter.sort)}`,
    [...[...hits, all].flatMap(({ values }) => values), limit, offset],
    sought.left,
  );
  const [row] = rows;
  return {
    keys: rows.flatMap(({ kind, id }) => (kind === null || id === null ? [] : [{ kind, id }])),
    total: Number(row?.found ?? 0),
    isCapped: filter.kinds.some((kind) => Number(row?.[`${kind}_hits`] ?? 0) >= found.limit),
  };
}

/** What a filter asks beside words and a tag, which the index knows; null if it asks for no more. */
async function sieveOf(db: Db, ownerId: number, filter: OwnFilter): Promise<Sieve | null> {
  const { tagId, visibility, from, to } = filter;
  if (visibility === null && from === null && to === null) return null;
  return {
    // Of a tag it would have to look at everything, and a tag narrows what is found anyway.
    left: tagId === null ? await countListed(db, ownerId, filter) : null,
    ids: (kind) => selectFew(db, kind, ownerId, filter, 'id'),
  };
}
