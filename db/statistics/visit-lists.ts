import type { Kind } from '../content/kinds.js';
import { KEPT } from '../content/life.js';
import type { Db } from '../engine/connect.js';
import type { Page, Window } from '../engine/paging.js';
import { type Binding, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { type Visit, type VisitRow, visitFromRow } from './visit.js';
import { onDomain } from './visit-sums.js';

/** Which links of an account, and when; null = any. */
interface VisitsWanted {
  readonly ownerId: number;
  readonly urlId: number | null;
  readonly tagKey: string | null;
  /** The id of a domain; null for links of the installation, undefined for all. */
  readonly domain?: number | null | undefined;
  /** `[from, to)` in epoch milliseconds. */
  readonly from: number | null;
  readonly to: number | null;
  /** Programs whose visits are left out, and so are those without a name; null for none. */
  readonly without?: readonly string[] | null;
}

/** A visit, and the id of its link. */
type VisitOfLink = Visit & { readonly uniqueId: string };

type Row = VisitRow & { readonly unique_id: string; readonly earlier: number };

/** The rows of the log that are wanted: what follows SELECT, with what it binds. */
function wantedFrom(
  db: Db,
  { ownerId, urlId, tagKey, domain, from, to, without = null }: VisitsWanted,
): readonly [source: string, values: readonly Binding[]] {
  const tests: (readonly [string, ...Binding[]])[] = [
    urlId === null
      ? [
          `url_id IN (SELECT id FROM short_urls WHERE owner_id = ? AND ${KEPT}
            ${domain === undefined ? '' : onDomain(domain)})`,
          ownerId,
          ...(domain == null ? [] : [`${domain}:%`]),
        ]
      : ['url_id = ?', urlId],
    ...(tagKey === null
      ? []
      : [
          [
            `url_id IN (SELECT item_id FROM item_tags i JOIN tags t ON t.id = i.tag_id
              WHERE i.kind = ? AND t.owner_id = ? AND t.tag_key = ?)`,
            'url' satisfies Kind,
            ownerId,
            tagKey,
          ] as const,
        ]),
    ...(from === null ? [] : [['visited_at >= ?', from] as const]),
    ...(to === null ? [] : [['visited_at < ?', to] as const]),
    ...(without === null
      ? []
      : [
          [
            `user_agent IS NOT NULL AND NOT (${db.dialect.inStrings('user_agent')})`,
            JSON.stringify(without),
          ] as const,
        ]),
  ];
  return [
    `FROM url_visits WHERE ${tests.map(([sql]) => sql).join(' AND ')}`,
    tests.flatMap(([, ...bound]) => bound),
  ];
}

/** The programs in the logs that are wanted, at most `limit`, those of most visits first. */
export async function programsOf(db: Db, wanted: VisitsWanted, limit: number): Promise<string[]> {
  const [source, values] = wantedFrom(db, wanted);
  const found = await query<{ user_agent: string }>(
    db.read,
    `SELECT user_agent ${source} AND user_agent IS NOT NULL GROUP BY user_agent ORDER BY sum(visits) DESC LIMIT ?`,
    [...values, limit],
  );
  return found.map(({ user_agent }) => user_agent);
}

/** A section of the visits in the logs of an account's links, newest first, and how many there are. */
export async function visitList(
  db: Db,
  wanted: VisitsWanted,
  { limit, offset }: Window,
): Promise<Page<VisitOfLink>> {
  const [source, values] = wantedFrom(db, wanted);
  // Each row has at least one visit; `earlier` is the number of visits in the rows before it.
  const [found, [counted]] = await Promise.all([
    query<Row>(
      db.read,
      `SELECT w.*, s.unique_id FROM (
         SELECT v.*, sum(visits) OVER (ORDER BY id DESC) - visits AS earlier
         FROM (SELECT * ${source} ORDER BY id DESC LIMIT ?) AS v
       ) AS w JOIN short_urls s ON s.id = w.url_id
       WHERE w.earlier + w.visits > ? AND w.earlier < ? ORDER BY w.id DESC`,
      [...values, offset + limit, offset, offset + limit],
    ),
    query<{ total: number | null }>(db.read, `SELECT sum(visits) AS total ${source}`, values),
  ]);
  const items = found.flatMap((row) => {
    const start = Math.max(offset, row.earlier);
    const end = Math.min(offset + limit, row.earlier + row.visits);
    const visit = { ...visitFromRow(row), uniqueId: row.unique_id };
    return Array.from({ length: Math.max(0, end - start) }, () => visit);
  });
  return { items, total: Number(counted?.total ?? 0) };
}

/** How often bots followed links of an account: by the id of the link, lower case, as far as they did. */
export async function botVisitsOf(
  db: Db,
  ownerId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await query<{ lookup_id: string; visits: number }>(
    db.read,
    `SELECT s.lookup_id, sum(v.visits) AS visits FROM short_urls s JOIN visit_days v ON v.url_id = s.id AND v.bot
     WHERE s.owner_id = ? AND ${db.dialect.inStrings('s.lookup_id')} GROUP BY s.lookup_id`,
    [ownerId, JSON.stringify(keys)],
  );
  return new Map(found.map(({ lookup_id, visits }) => [lookup_id, Number(visits)]));
}

/** How often bots followed the links of an account. */
export async function allBotVisits(db: Db, ownerId: number): Promise<number> {
  const [row] = await query<{ visits: number | null }>(
    db.read,
    `SELECT sum(visits) AS visits FROM visit_days v
     WHERE v.bot AND url_id IN (SELECT id FROM short_urls WHERE owner_id = ? AND ${KEPT})`,
    [ownerId],
  );
  return Number(row?.visits ?? 0);
}

/** Sets the number of visits of a link to 0. */
export const forgetCount = (trx: Queryable, urlId: number): Promise<number> =>
  trx('short_urls').where('id', urlId).update({ visits: 0 });
