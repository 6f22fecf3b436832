import { KEPT } from '../content/life.js';
import type { Db } from '../engine/connect.js';
import { DAY_MS, dayOf } from '../engine/days.js';
import { query } from '../engine/query.js';
import type { VisitShare } from './visit-days.js';

/** The visits of all links of an account, or of those with a tag. */
interface VisitSums {
  readonly people: number;
  readonly bots: number;
  readonly variants: readonly VisitShare[];
  /** Of each tag that one of these links has. */
  readonly tags: readonly VisitShare[];
  /** Of each host; "" is the installation. */
  readonly hosts: readonly VisitShare[];
}

/** Which links of an account are summed: with a tag, on a domain; `domain` null for those of the installation. */
interface SummedLinks {
  readonly ownerId: number;
  readonly tagKey: string | null;
  readonly domain?: number | null;
}

/** Sums up visits in a span, which is widened to whole days; at most `limit` names of each kind, most visited first. */
export async function visitSums(
  db: Db,
  of: SummedLinks,
  span: { readonly from: number; readonly to: number },
  limit: number,
): Promise<VisitSums> {
  const tagged = `AND id IN (SELECT item_id FROM item_tags i JOIN tags t ON t.id = i.tag_id
    WHERE i.kind = 'url' AND t.owner_id = ? AND t.tag_key = ?)`;
  const chosen = `v.url_id IN (SELECT id FROM short_urls WHERE owner_id = ? AND ${KEPT}
    ${of.tagKey === null ? '' : tagged} ${of.domain === undefined ? '' : onDomain(of.domain)}) AND v.day >= ? AND v.day < ?`;
  const bound = [
    of.ownerId,
    ...(of.tagKey === null ? [] : [of.ownerId, of.tagKey]),
    ...(of.domain == null ? [] : [`${of.domain}:%`]),
    dayOf(span.from),
    Math.ceil(span.to / DAY_MS),
  ];
  const [sum] = await query<{ people: number | null; bots: number | null }>(
    db.read,
    `SELECT sum(CASE WHEN bot THEN 0 ELSE visits END) AS people, sum(CASE WHEN bot THEN visits ELSE 0 END) AS bots
     FROM visit_days v WHERE ${chosen}`,
    bound,
  );
  const shares = (name: string, from: string) =>
    query<VisitShare>(
      db.read,
      `SELECT ${name} AS name, sum(v.visits) AS visits FROM ${from} WHERE ${chosen}
       GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?`,
      [...bound, limit],
    );
  return {
    people: Number(sum?.people ?? 0),
    bots: Number(sum?.bots ?? 0),
    variants: await shares('v.variant', 'visit_variants v'),
    tags: await shares(
      't.name',
      `visit_days v JOIN item_tags i ON i.kind = 'url' AND i.item_id = v.url_id JOIN tags t ON t.id = i.tag_id`,
    ),
    hosts: await shares(
      "coalesce(d.host, '')",
      `visit_days v JOIN short_urls s ON s.id = v.url_id
         LEFT JOIN domains d ON d.owner_id = s.owner_id AND s.lookup_id LIKE CAST(d.id AS text) || ':%'`,
    ),
  };
}

/** The condition for links on a domain, which binds `{id}:%`, or for those of the installation. */
export const onDomain = (domain: number | null): string =>
  domain === null ? "AND lookup_id NOT LIKE '%:%'" : 'AND lookup_id LIKE CAST(? AS text)';
