import { DELETED_USERS } from '../../account/account.js';
import type { Db } from '../../engine/connect.js';
import { dialectOf } from '../../engine/dialect.js';
import type { Page, Window } from '../../engine/paging.js';
import { json, query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import {
  type Content,
  type ContentRow,
  contentFromRow,
  insertContent,
  type NewContent,
  only,
} from '../content.js';
import { rowsByIds } from '../content-lookup.js';
import { type ContentSearch, searchContent } from '../content-search.js';
import { KEPT } from '../life.js';
import { type Reached, walk } from '../walk.js';
import { type LinkWay, PLAIN_WAY, wayColumn, wayFromColumn } from './link-way.js';

/** A short link. `maxUses` null means without limit. */
export interface Link extends Content {
  readonly originalUrl: string;
  readonly visits: number;
  readonly maxUses: number | null;
  /** Whether the query of a visit is passed on to the target. */
  readonly forwardQuery: boolean;
  /** What its owner notes about it. */
  readonly note: string | null;
  /** What previews of the link show instead of its target. */
  readonly preview: LinkPreview | null;
  readonly way: LinkWay;
  /** What the last look at its targets found, and when that was; null before the first. */
  readonly health: string | null;
  readonly checkedAt: number | null;
}

/** The preview of a link; `image` is the id of an image. */
export interface LinkPreview {
  readonly title: string | null;
  readonly description: string | null;
  readonly image: string | null;
}

/** A link to be stored; what is absent takes the column's default. */
export type NewLink = NewContent &
  Pick<Link, 'originalUrl' | 'maxUses'> &
  Partial<Pick<Link, 'forwardQuery' | 'note' | 'preview' | 'way'>>;

/** SQL condition: the targets of a link are so; those that were never looked at are unknown. */
export const HEALTH_IS = "coalesce(health, 'unknown') = ?";

/** A row of `short_urls`. */
export interface LinkRow extends ContentRow {
  original_url: string;
  visits: number;
  max_uses: number | null;
  forward_query: boolean | number;
  note: string | null;
  preview: string | null;
  way: string | null;
  health: string | null;
  checked_at: number | null;
}

/** A link from its row. */
export const shortUrlFromRow = (row: LinkRow): Link => ({
  originalUrl: row.original_url,
  visits: row.visits,
  maxUses: row.max_uses,
  forwardQuery: Boolean(row.forward_query),
  note: row.note,
  preview: row.preview === null ? null : json<LinkPreview>(row.preview),
  way: wayFromColumn(row.way),
  health: row.health,
  checkedAt: row.checked_at,
  ...contentFromRow(row),
});

/** The column of a preview. */
export const previewColumn = (preview: LinkPreview | null): string | null =>
  preview === null ? null : JSON.stringify(preview);

/** Short URLs by id (lower case), in the requested order; null for unknown ids. Expired ones are included. */
export async function shortUrlsByIds(db: Db, keys: readonly string[]): Promise<(Link | null)[]> {
  const found = await rowsByIds<LinkRow>(db, 'url', keys);
  return found.map((row) => (row === null ? null : shortUrlFromRow(row)));
}

/** As `searchImages`, for short URLs. */
export const searchUrls = (db: Db, search: ContentSearch, window: Window): Promise<Page<Link>> =>
  searchContent(db, 'url', search, window, shortUrlFromRow);

/**
 * Reads short URLs by id (lower case) inside a write and locks them until the commit. Former ids find their link.
 * Leaves out those of deleted accounts and in the trash.
 */
export async function lockLinks(
  db: Db,
  trx: Queryable,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Link>> {
  const found = await query<LinkRow>(
    trx,
    `SELECT * FROM short_urls WHERE ${db.dialect.inStrings('lookup_id')} AND ${KEPT}
       AND owner_id NOT IN ${DELETED_USERS}
     ORDER BY id ${db.dialect.forUpdate}`,
    [JSON.stringify(keys)],
  );
  const links = new Map(found.map((row) => [row.lookup_id, shortUrlFromRow(row)]));
  const missing = keys.filter((key) => !links.has(key));
  if (missing.length === 0) return links;
  const former = await query<{ item_id: number; lookup_id: string }>(
    trx,
    `SELECT item_id, lookup_id FROM item_aliases WHERE kind = 'url' AND ${db.dialect.inStrings('lookup_id')}`,
    [JSON.stringify(missing)],
  );
  if (former.length === 0) return links;
  const behind = await query<LinkRow>(
    trx,
    `SELECT * FROM short_urls WHERE ${db.dialect.inNumbers('id')} AND ${KEPT}
       AND owner_id NOT IN ${DELETED_USERS}
     ORDER BY id ${db.dialect.forUpdate}`,
    [JSON.stringify(former.map(({ item_id }) => item_id))],
  );
  const byId = new Map(behind.map((row) => [row.id, shortUrlFromRow(row)]));
  for (const { item_id, lookup_id } of former) {
    const link = byId.get(item_id);
    if (link !== undefined) links.set(lookup_id, link);
  }
  return links;
}

/** Inserts short URLs and returns them as stored, in their order; violates a unique index if an id is taken. */
export async function insertLinks(trx: Queryable, links: readonly NewLink[]): Promise<Link[]> {
  const rows = await insertContent<LinkRow>(
    trx,
    'url',
    links.map((link) => ({
      item: link,
      own: {
        original_url: link.originalUrl,
        visits: 0,
        max_uses: link.maxUses,
        forward_query: link.forwardQuery ?? false,
        note: link.note ?? null,
        preview: previewColumn(link.preview ?? null),
        way: wayColumn(link.way ?? PLAIN_WAY),
        health: null,
        checked_at: null,
      },
      weight: { format: '', bytes: 0 },
    })),
  );
  return rows.map(shortUrlFromRow);
}

/** As `insertLinks`, for one. */
export const insertLink = async (trx: Queryable, link: NewLink): Promise<Link> =>
  only(await insertLinks(trx, [link]));

/** How many links to one target are compared. */
const MAX_ALIKE = 200;

/** Links of an account to exactly this target that are not in the trash, the oldest first. */
export async function linksTo(trx: Queryable, ownerId: number, target: string): Promise<Link[]> {
  const found = await query<LinkRow>(
    trx,
    `SELECT * FROM short_urls WHERE owner_id = ? AND substr(original_url, 1, 200) = substr(CAST(? AS text), 1, 200)
       AND original_url = ? AND ${KEPT} ORDER BY id LIMIT ${MAX_ALIKE}`,
    [ownerId, target, target],
  );
  return found.map(shortUrlFromRow);
}

/** Links of an account that are not in the trash, the oldest first, from behind one on, at most `limit`. */
export async function ownLinksAfter(
  db: Queryable,
  ownerId: number,
  after: Reached,
  limit: number,
): Promise<Link[]> {
  const { from, onwards } = walk(dialectOf(db), 'url');
  const found = await query<LinkRow>(
    db,
    `SELECT * FROM ${from} WHERE owner_id = ? AND ${KEPT} AND ${onwards}`,
    [...[ownerId, after.by, after.id, limit]],
  );
  return found.map(shortUrlFromRow);
}

/** Adds visits to the counters of links, given as `[row id, count]`. */
export async function addVisits(
  db: Db,
  trx: Queryable,
  counts: Iterable<readonly [number, number]>,
): Promise<void> {
  const source = db.dialect.rowsOf('granted', { id: 'bigint', n: 'bigint' });
  await query(
    trx,
    `UPDATE short_urls SET visits = visits + granted.n FROM ${source} WHERE short_urls.id = granted.id`,
    [JSON.stringify([...counts])],
  );
}
