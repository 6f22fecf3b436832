import { itemKey, KIND_STORAGE, KINDS, type Kind } from '../content/kinds.js';
import { KEPT } from '../content/life.js';
import type { Db } from '../engine/connect.js';
import { DAY_MS, dayOf } from '../engine/days.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Openings of one item on one day, by people or by bots. */
interface Hits {
  readonly kind: Kind;
  readonly itemId: number;
  /** Days since the epoch. */
  readonly day: number;
  readonly bot: boolean;
  readonly views: number;
}

/** Adds to how often items were opened on a day. `owners`: the row id of each item's owner by `itemKey`. */
export async function countHits(
  db: Db,
  trx: Queryable,
  hits: readonly Hits[],
  owners: ReadonlyMap<string, number>,
): Promise<void> {
  if (hits.length === 0) return;
  const list = hits.map(({ kind, itemId, day, bot, views }) => [
    ...[kind, itemId, day, owners.get(itemKey(kind, itemId)) ?? 0],
    ...(bot ? [0, views] : [views, 0]),
  ]);
  const source = db.dialect.rowsOf('v', {
    k: 'text',
    i: 'bigint',
    d: 'bigint',
    o: 'bigint',
    p: 'bigint',
    b: 'bigint',
  });
  await query(
    trx,
    `INSERT INTO hit_days (kind, item_id, day, owner_id, people, bots)
     SELECT k, i, d, o, sum(p), sum(b) FROM ${source} GROUP BY k, i, d, o
     ON CONFLICT (kind, item_id, day)
     DO UPDATE SET people = hit_days.people + excluded.people, bots = hit_days.bots + excluded.bots`,
    [JSON.stringify(list)],
  );
}

/** A span `[from, to)` in epoch milliseconds, which is widened to whole days. */
interface Days {
  readonly from: number;
  readonly to: number;
}

const OWN_DAYS = 'owner_id = ? AND day >= ? AND day < ?';
const boundsOf = (ownerId: number, { from, to }: Days) => [ownerId, dayOf(from), Math.ceil(to / DAY_MS)];

/** How often the items of an account were opened by people and by bots, by day, ascending. */
export function hitsPerDay(
  db: Db,
  ownerId: number,
  span: Days,
): Promise<{ readonly day: number; readonly people: number; readonly bots: number }[]> {
  return query(
    db.read,
    `SELECT day, sum(people) AS people, sum(bots) AS bots FROM hit_days WHERE ${OWN_DAYS}
     GROUP BY day ORDER BY day`,
    boundsOf(ownerId, span),
  );
}

/** An item that people opened often. */
interface OftenOpened {
  readonly kind: Kind;
  readonly uniqueId: string;
  readonly title: string;
  readonly people: number;
  readonly bots: number;
}

/** So many are looked up, because some may be in the trash. */
const CANDIDATES = 200;

/** The items of an account that people opened most often in a span, at most `limit`; none that are in the trash. */
export async function mostOpened(
  db: Db,
  ownerId: number,
  kinds: readonly Kind[],
  span: Days,
  limit: number,
): Promise<OftenOpened[]> {
  const found = await query<{ kind: Kind; item_id: number; people: number; bots: number }>(
    db.read,
    `SELECT kind, item_id, sum(people) AS people, sum(bots) AS bots FROM hit_days
     WHERE ${OWN_DAYS} AND ${db.dialect.inStrings('kind')}
     GROUP BY kind, item_id HAVING sum(people) > 0 ORDER BY 3 DESC, 1, 2 LIMIT ${CANDIDATES}`,
    [...boundsOf(ownerId, span), JSON.stringify(kinds)],
  );
  const named = new Map<string, { readonly uniqueId: string; readonly title: string }>();
  for (const kind of KINDS) {
    const ids = found.filter((hit) => hit.kind === kind).map(({ item_id }) => item_id);
    if (ids.length === 0) continue;
    const { table, listed } = KIND_STORAGE[kind];
    const rows = await query<{ id: number; unique_id: string; title: string }>(
      db.read,
      `SELECT id, unique_id, ${listed.title} AS title FROM ${table}
       WHERE ${db.dialect.inNumbers('id')} AND ${KEPT}`,
      [JSON.stringify(ids)],
    );
    for (const { id, unique_id, title } of rows) named.set(itemKey(kind, id), { uniqueId: unique_id, title });
  }
  return found
    .flatMap(({ kind, item_id, people, bots }) => {
      const item = named.get(itemKey(kind, item_id));
      return item === undefined ? [] : [{ kind, ...item, people, bots }];
    })
    .slice(0, limit);
}

/** How often an item of an account was opened on a day. */
interface OwnHits {
  readonly kind: Kind;
  readonly itemId: number;
  readonly day: number;
  /** Null for an item that has been deleted meanwhile. */
  readonly uniqueId: string | null;
  readonly people: number;
  readonly bots: number;
}

/** Everything that is behind a row in the order of `hitsAfter`. */
export type HitsKey = Pick<OwnHits, 'day' | 'kind' | 'itemId'>;

/** How often the items of an account were opened, by day, from behind a row on, at most `limit`. */
export async function hitsAfter(db: Db, ownerId: number, after: HitsKey, limit: number): Promise<OwnHits[]> {
  const names = KINDS.map(
    (kind) => `WHEN '${kind}' THEN (SELECT unique_id FROM ${KIND_STORAGE[kind].table} WHERE id = h.item_id)`,
  );
  const found = await query<
    HitsKey & { item_id: number; unique_id: string | null; people: number; bots: number }
  >(
    db.read,
    `SELECT kind, item_id, day, people, bots, CASE kind ${names.join(' ')} END AS unique_id FROM hit_days h
     WHERE owner_id = ? AND (day, kind, item_id) > (?, ?, ?) ORDER BY day, kind, item_id LIMIT ?`,
    [ownerId, after.day, after.kind, after.itemId, limit],
  );
  return found.map(({ kind, item_id, day, unique_id, people, bots }) => ({
    ...{ kind, itemId: item_id, day, uniqueId: unique_id, people, bots },
  }));
}
