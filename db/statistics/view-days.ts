import { itemKey, KIND_STORAGE, KINDS, type Kind } from '../content/kinds.js';
import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { countHits } from './hit-days.js';
import type { VisitTraits } from './visit-days.js';

/** Openings of one item on one day by clients with the same traits. */
export interface ViewCount {
  readonly kind: Kind;
  readonly itemId: number;
  /** Days since the epoch. */
  readonly day: number;
  readonly bot: boolean;
  /** Null where another table counts them with their traits. */
  readonly traits: Omit<VisitTraits, 'bot'> | null;
  readonly views: number;
}

/** Views of one item on one day by people in one country, a code of two letters. */
export type ViewsFrom = Omit<ViewCount, 'bot' | 'traits'> & { readonly country: string };

/** Counts of any number of items. */
interface ViewCounts {
  readonly views: readonly ViewCount[];
  readonly countries: readonly ViewsFrom[];
}

/** The name of all hosts that are not counted by their own. */
export const OTHER_HOSTS = '*';
/** Hosts that are counted by name for an item and day; one batch of counts may add as many again. */
export const NAMED_HOSTS = 50;

/** Adds counts to those of their days. Items that have been deleted meanwhile are left out. */
export async function countViews(db: Db, trx: Queryable, counts: ViewCounts): Promise<void> {
  const owners = await ownersOf(db, trx, [...counts.views, ...counts.countries]);
  const isThere = ({ kind, itemId }: Pick<ViewCount, 'kind' | 'itemId'>) => owners.has(itemKey(kind, itemId));
  const views = counts.views.filter(isThere);
  await countHits(db, trx, views, owners);
  for (const kind of KINDS) if (KIND_STORAGE[kind].isOpened) await countOpened(db, trx, kind, views);
  await countTraits(db, trx, views);
  await countCountries(db, trx, counts.countries.filter(isThere));
}

/** The row ids of the owners, by `itemKey`, of items that are there and stay until the commit. */
async function ownersOf(
  db: Db,
  trx: Queryable,
  counts: readonly Pick<ViewCount, 'kind' | 'itemId'>[],
): Promise<ReadonlyMap<string, number>> {
  const owners = new Map<string, number>();
  for (const kind of KINDS) {
    const ids = new Set(counts.filter((count) => count.kind === kind).map(({ itemId }) => itemId));
    if (ids.size === 0) continue;
    const { table, isOpened } = KIND_STORAGE[kind];
    // In one order, as two processes that count the same items could otherwise wait for each other.
    const found = await query<{ id: number; owner_id: number }>(
      trx,
      `SELECT id, owner_id FROM ${table} WHERE ${db.dialect.inNumbers('id')}
       ORDER BY id ${isOpened ? db.dialect.forCounting : db.dialect.forKeeping}`,
      [JSON.stringify([...ids])],
    );
    for (const { id, owner_id } of found) owners.set(itemKey(kind, id), owner_id);
  }
  return owners;
}

async function countOpened(db: Db, trx: Queryable, kind: Kind, views: readonly ViewCount[]): Promise<void> {
  const list = views.filter((count) => count.kind === kind).map(({ itemId, views }) => [itemId, views]);
  if (list.length === 0) return;
  const { table } = KIND_STORAGE[kind];
  const source = db.dialect.rowsOf('v', { i: 'bigint', n: 'bigint' });
  await query(
    trx,
    `UPDATE ${table} SET opened = opened + added.n
     FROM (SELECT i, sum(n) AS n FROM ${source} GROUP BY i) AS added WHERE ${table}.id = added.i`,
    [JSON.stringify(list)],
  );
}

const ITEM_DAY = 'o.kind = v.k AND o.item_id = v.i AND o.day = v.d';

async function countTraits(db: Db, trx: Queryable, views: readonly ViewCount[]): Promise<void> {
  const list = views.flatMap(({ kind, itemId, day, bot, traits, views }) =>
    traits === null
      ? []
      : [[kind, itemId, day, traits.browser, traits.system, traits.referrerHost, bot ? 1 : 0, views]],
  );
  if (list.length === 0) return;
  const source = db.dialect.rowsOf('v', {
    k: 'text',
    i: 'bigint',
    d: 'bigint',
    b: 'text',
    s: 'text',
    r: 'text',
    m: 'bigint',
    n: 'bigint',
  });
  await query(
    trx,
    `INSERT INTO view_days (kind, item_id, day, browser, system, referrer_host, bot, views)
     SELECT k, i, d, b, s, h, m = 1, sum(n) FROM (
       SELECT v.*, CASE WHEN v.r IN ('', '${OTHER_HOSTS}')
         OR EXISTS (SELECT 1 FROM view_days o WHERE ${ITEM_DAY} AND o.referrer_host = v.r)
         OR (SELECT count(DISTINCT o.referrer_host) FROM view_days o WHERE ${ITEM_DAY}) < ${NAMED_HOSTS}
         THEN v.r ELSE '${OTHER_HOSTS}' END AS h
       FROM ${source}
     ) AS named GROUP BY k, i, d, b, s, h, m
     ON CONFLICT (kind, item_id, day, browser, system, referrer_host, bot)
     DO UPDATE SET views = view_days.views + excluded.views`,
    [JSON.stringify(list)],
  );
}

async function countCountries(db: Db, trx: Queryable, counts: readonly ViewsFrom[]): Promise<void> {
  if (counts.length === 0) return;
  const source = db.dialect.rowsOf('v', { k: 'text', i: 'bigint', d: 'bigint', c: 'text', n: 'bigint' });
  // "WHERE 1 = 1" keeps SQLite from reading ON CONFLICT as a join condition.
  await query(
    trx,
    `INSERT INTO view_countries (kind, item_id, day, country, views)
     SELECT k, i, d, c, n FROM ${source} WHERE 1 = 1
     ON CONFLICT (kind, item_id, day, country) DO UPDATE SET views = view_countries.views + excluded.views`,
    [
      JSON.stringify(
        counts.map(({ kind, itemId, day, country, views }) => [kind, itemId, day, country, views]),
      ),
    ],
  );
}

/** Rows deleted from each table per transaction, so that other writers wait only milliseconds for the lock. */
const BATCH = 1_000;

const TRAITS = '(day, browser, system, referrer_host, bot)';

/**
 * Deletes some of the counts of a deleted item; true once none are left. Several may run at the same time: rows that
 * another has deleted but not committed yet count as left.
 */
export async function deleteViews(trx: Queryable, kind: Kind, itemId: number): Promise<boolean> {
  const item = [kind, itemId];
  // Most items were never opened.
  if (!(await hasViews(trx, kind, itemId))) return true;
  await query(
    trx,
    `DELETE FROM view_days WHERE kind = ? AND item_id = ? AND ${TRAITS} IN (
       SELECT day, browser, system, referrer_host, bot FROM view_days WHERE kind = ? AND item_id = ?
       ORDER BY day, browser, system, referrer_host, bot LIMIT ?
     )`,
    [...item, ...item, BATCH],
  );
  for (const table of ['view_countries', 'hit_days']) {
    const last = table === 'hit_days' ? 'day' : 'day, country';
    await query(
      trx,
      `DELETE FROM ${table} WHERE kind = ? AND item_id = ? AND (${last}) IN (
         SELECT ${last} FROM ${table} WHERE kind = ? AND item_id = ? ORDER BY ${last} LIMIT ?
       )`,
      [...item, ...item, BATCH],
    );
  }
  return !(await hasViews(trx, kind, itemId));
}

async function hasViews(trx: Queryable, kind: Kind, itemId: number): Promise<boolean> {
  const tables = ['hit_days', 'view_days', 'view_countries'];
  const any = tables.map((table) => `SELECT 1 FROM ${table} WHERE kind = ? AND item_id = ?`);
  const left = await query(
    trx,
    `${any.join(' UNION ALL ')} LIMIT 1`,
    tables.flatMap(() => [kind, itemId]),
  );
  return left.length > 0;
}
