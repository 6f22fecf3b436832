import { KEPT } from '../content/life.js';
import type { Db } from '../engine/connect.js';
import { DAY_MS, dayOf } from '../engine/days.js';
import { query } from '../engine/query.js';
import type { VisitShare } from './visit-days.js';

/** The visits of all links of an account, or of those with a tag. */
export interface VisitSums {
  readonly people: number;
  readonly bots: number;
  readonly variants: readonly VisitShare[];
  /** Of each tag that one of these links has. */
  readonly tags: readonly VisitShare[];
}

/** Sums up visits in a span, which is widened to whole days; at most `limit` names of each kind, most visited first. */
export async function visitSums(
  db: Db,
  of: { readonly ownerId: number; readonly tagKey: string | null },
  span: { readonly from: number; readonly to: number },
  limit: number,
): Promise<VisitSums> {
  const tagged = `AND id IN (SELECT item_id FROM item_tags i JOIN tags t ON t.id = i.tag_id
    WHERE i.kind = 'url' AND t.owner_id = ? AND t.tag_key = ?)`;
  const chosen = `v.url_id IN (SELECT id FROM short_urls WHERE owner_id = ? AND ${KEPT}
    ${of.tagKey === null ? '' : tagged}) AND v.day >= ? AND v.day < ?`;
  const bound = [
    of.ownerId,
    ...(of.tagKey === null ? [] : [of.ownerId, of.tagKey]),
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
  };
}
