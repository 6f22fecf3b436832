import type { Db } from '../../engine/connect.js';
import { type Condition, ifGiven } from '../../engine/paging.js';
import { query } from '../../engine/query.js';
import { KEPT } from '../life.js';
import { HEALTH_IS } from './link.js';

/** SQL: how many of some tags a link has. */
const countOf = (tagIds: readonly number[]): string =>
  `(SELECT count(*) FROM item_tags WHERE kind = 'url' AND item_id = short_urls.id
     AND tag_id IN (${tagIds.map(() => '?').join(', ')}))`;

/**
 * What links an owner's list leaves out: those without one (or all) of some tags, those with one (or all) of others, those
 * that are used up, and those that have ended.
 */
export const linkConditions = ({
  tagIds,
  allTags,
  withoutIds,
  withoutAll,
  usable,
  lasting,
  health,
  domain,
}: {
  readonly tagIds: readonly number[];
  readonly allTags: boolean;
  readonly withoutIds: readonly number[];
  readonly withoutAll: boolean;
  readonly usable: boolean;
  readonly lasting: boolean;
  readonly health: string | null;
  /** The id of a domain; null for links of the installation, undefined for all. */
  readonly domain?: number | null | undefined;
}): readonly Condition[] => [
  tagIds.length === 0 ? null : [`${countOf(tagIds)} >= ?`, ...tagIds, allTags ? tagIds.length : 1],
  withoutIds.length === 0
    ? null
    : [`${countOf(withoutIds)} < ?`, ...withoutIds, withoutAll ? withoutIds.length : 1],
  usable ? ['(max_uses IS NULL OR visits < max_uses)'] : null,
  ifGiven(health, HEALTH_IS),
  domain === undefined
    ? null
    : domain === null
      ? ["lookup_id NOT LIKE '%:%'"]
      : ['lookup_id LIKE CAST(? AS text)', `${domain}:%`],
  lasting ? ['(expires_at IS NULL OR expires_at > ?)', Date.now()] : null,
];

/** How many links an account has, and how often all of them were followed. */
export async function linkTotals(
  db: Db,
  ownerId: number,
): Promise<{ readonly links: number; readonly visits: number }> {
  const [row] = await query<{ links: number; visits: number | null }>(
    db.read,
    `SELECT count(*) AS links, sum(visits) AS visits FROM short_urls WHERE owner_id = ? AND ${KEPT}`,
    [ownerId],
  );
  return { links: Number(row?.links ?? 0), visits: Number(row?.visits ?? 0) };
}

/** The tags of the links of an account in alphabetical order, at most `limit`, with how many links have them, their visits and those of bots. */
export async function tagsOfLinks(
  db: Db,
  ownerId: number,
  limit: number,
): Promise<
  { readonly tag: string; readonly links: number; readonly visits: number; readonly bots: number }[]
> {
  const found = await query<{ tag: string; links: number; visits: number; bots: number | null }>(
    db.read,
    `SELECT tags.name AS tag, count(*) AS links, sum(short_urls.visits) AS visits,
       sum((SELECT sum(v.visits) FROM visit_days v WHERE v.url_id = short_urls.id AND v.bot)) AS bots
     FROM tags JOIN item_tags ON item_tags.tag_id = tags.id AND item_tags.kind = 'url'
       JOIN short_urls ON short_urls.id = item_tags.item_id AND short_urls.${KEPT}
     WHERE tags.owner_id = ? GROUP BY tags.id, tags.name, tags.tag_key ORDER BY tags.tag_key LIMIT ?`,
    [ownerId, limit],
  );
  return found.map(({ tag, links, visits, bots }) => ({
    ...{ tag, links: Number(links), visits: Number(visits), bots: Number(bots ?? 0) },
  }));
}
