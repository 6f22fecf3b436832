import { OPEN } from '../content/content.js';
import { byKind, KIND_STORAGE, type Kind } from '../content/kinds.js';
import { KEPT } from '../content/life.js';
import type { Db } from '../engine/connect.js';
import { DAY_MS, dayOf } from '../engine/days.js';
import { query } from '../engine/query.js';

/** A span `[from, to)` in epoch milliseconds, and when it was asked for: what counts then is not newer. */
interface StatsSpan {
  readonly from: number;
  readonly to: number;
  readonly askedAt: number;
}

/** The whole days of a span (`[first, end)`) and the remainders before and after them. */
function partsOf({ from, to, askedAt }: StatsSpan) {
  const first = Math.ceil(Math.max(from, 0) / DAY_MS);
  // Today counts as a whole day if the span ends in the future. By the clock it may be over before its turn comes.
  const end = to > askedAt ? dayOf(askedAt) + 1 : dayOf(to);
  if (first >= end) return { first: 0, end: 0, before: { from, to }, after: { from: to, to } };
  return {
    first,
    end,
    before: { from, to: first * DAY_MS },
    after: { from: Math.min(end * DAY_MS, to), to },
  };
}

/** SQL condition: the item counts among those that are open to everybody. */
const SHOWN = `${OPEN} AND ${KEPT}`;

/** The sums, as SQL expressions over the rows of a kind; `bytes` is the expression of their size. */
const SUMS = {
  items: () => `count(CASE WHEN ${KEPT} THEN 1 END)`,
  // What is in the trash is still stored.
  bytes: (bytes: string) => `sum(${bytes})`,
  open_items: () => `count(CASE WHEN ${SHOWN} THEN 1 END)`,
  open_bytes: (bytes: string) => `sum(CASE WHEN ${SHOWN} THEN ${bytes} ELSE 0 END)`,
} as const;
type Sum = keyof typeof SUMS;

/** The condition on the daily statistics of whole days. */
const WHOLE_DAYS = 'kind = ? AND day >= ? AND day < ?';

/**
 * Items of a kind in a span by day or format, of one account or all: daily statistics for whole days, rows
 * for the rest. A group without items may have bytes in the trash. Every part is read in index order, because
 * sorting is the expensive part.
 */
async function groupsIn<T extends string | number, S extends Sum>(
  db: Db,
  kind: Kind,
  span: StatsSpan,
  by: 'day' | 'format',
  sums: readonly S[],
  ownerId: number | null,
): Promise<({ name: T } & Record<S, number>)[]> {
  const { first, end, before, after } = partsOf(span);
  const { format, bytes } = KIND_STORAGE[kind].counted;
  const owned = ownerId === null ? '' : ' AND owner_id = ?';
  const owner = ownerId === null ? [] : [ownerId];
  const total = sums.map((sum) => `sum(${sum}) AS ${sum}`).join(', ');
  const whole = `SELECT ${by} AS name, ${total} FROM content_days WHERE ${WHOLE_DAYS}${owned} GROUP BY ${by}`;
  const name = by === 'day' ? db.dialect.dayOf('created_at') : format;
  const ofRows = sums.map((sum) => `${SUMS[sum](bytes)} AS ${sum}`).join(', ');
  const rest = `SELECT ${name} AS name, ${ofRows} FROM ${KIND_STORAGE[kind].table}
    WHERE created_at >= ? AND created_at < ?${owned} GROUP BY 1`;
  return query(
    db.read,
    `SELECT name, ${total} FROM (${whole} UNION ALL ${rest} UNION ALL ${rest}) AS counted
     GROUP BY name ORDER BY name`,
    [kind, first, end, ...owner, before.from, before.to, ...owner, after.from, after.to, ...owner],
  );
}

/** The account with the most open items of a kind in a span; of two equal ones the older. */
async function bestIn(db: Db, kind: Kind, span: StatsSpan): Promise<KindTotals['best']> {
  const { first, end, before, after } = partsOf(span);
  const rest = `SELECT owner_id, count(*) AS items FROM ${KIND_STORAGE[kind].table}
    WHERE created_at >= ? AND created_at < ? AND ${SHOWN} GROUP BY owner_id`;
  const [best] = await query<{ owner_id: number; items: number }>(
    db.read,
    `SELECT owner_id, sum(items) AS items FROM (
       SELECT id AS owner_id,
         (SELECT sum(open_items) FROM content_days WHERE owner_id = users.id AND ${WHOLE_DAYS}) AS items
       FROM users UNION ALL ${rest} UNION ALL ${rest}
     ) AS counted GROUP BY owner_id HAVING sum(items) > 0 ORDER BY sum(items) DESC, owner_id LIMIT 1`,
    [kind, first, end, before.from, before.to, after.from, after.to],
  );
  return best === undefined ? null : { ownerId: best.owner_id, items: best.items };
}

/** Items of one kind on one day. */
interface DayCount {
  /** Days since the epoch. */
  readonly day: number;
  readonly items: number;
  readonly bytes: number;
}

/** Items of an account by the UTC day of their creation, ascending; days without items are left out. */
export async function itemsPerDay(db: Db, kind: Kind, ownerId: number, span: StatsSpan): Promise<DayCount[]> {
  const found = await groupsIn<number, 'items' | 'bytes'>(db, kind, span, 'day', ['items', 'bytes'], ownerId);
  return found.flatMap(({ name, items, bytes }) => (items > 0 ? [{ day: name, items, bytes }] : []));
}

/** Items of one kind in a span, of all accounts together, with more detail for open items. */
export interface KindTotals {
  readonly items: number;
  readonly bytes: number;
  readonly open: {
    readonly items: number;
    readonly bytes: number;
    readonly formats: Readonly<Record<string, number>>;
  };
  /** The account with the most open items; of two equal ones the older. */
  readonly best: { readonly ownerId: number; readonly items: number } | null;
}

/** Counts a kind site-wide. */
export async function kindTotals(db: Db, kind: Kind, span: StatsSpan): Promise<KindTotals> {
  const sums = ['items', 'bytes', 'open_items', 'open_bytes'] as const;
  const formats = await groupsIn<string, Sum>(db, kind, span, 'format', sums, null);
  const total = (of: Sum) => formats.reduce((sum, group) => sum + group[of], 0);
  const openFormats = formats.filter(({ open_items }) => open_items > 0);
  return {
    items: total('items'),
    bytes: total('bytes'),
    open: {
      items: total('open_items'),
      bytes: total('open_bytes'),
      formats: Object.fromEntries(openFormats.map(({ name, open_items }) => [name, open_items])),
    },
    best: await bestIn(db, kind, span),
  };
}

/** Size in bytes of the largest and the smallest open item of a kind in a span; zeros if there is none. */
export async function kindExtremes(
  db: Db,
  kind: Kind,
  span: StatsSpan,
): Promise<{ largest: number; smallest: number }> {
  const { first, end, before, after } = partsOf(span);
  const {
    table,
    counted: { bytes },
  } = KIND_STORAGE[kind];
  // The plus removes the column's affinity; with it SQLite would not use the index.
  const ofDay = (extreme: string) =>
    `(SELECT ${extreme}(${bytes}) FROM ${table} WHERE ${db.dialect.dayOf('created_at')} = +days.day AND ${SHOWN})`;
  const rest = `SELECT max(${bytes}), min(${bytes}) FROM ${table} WHERE created_at >= ? AND created_at < ? AND ${SHOWN}`;
  const [row] = await query<{ largest: number; smallest: number }>(
    db.read,
    `SELECT coalesce(max(largest), 0) AS largest, coalesce(min(smallest), 0) AS smallest FROM (
       SELECT ${ofDay('max')} AS largest, ${ofDay('min')} AS smallest FROM (
         SELECT DISTINCT day FROM content_days WHERE ${WHOLE_DAYS}
       ) AS days UNION ALL ${rest} UNION ALL ${rest}
     ) AS extremes`,
    [kind, first, end, before.from, before.to, after.from, after.to],
  );
  return row ?? { largest: 0, smallest: 0 };
}

/** The number of items of a kind, of all accounts. */
export async function countItems(db: Db, kind: Kind): Promise<number> {
  const [row] = await query<{ items: number | null }>(
    db.read,
    'SELECT sum(items) AS items FROM content_days WHERE kind = ?',
    [kind],
  );
  return row?.items ?? 0;
}

/** The totals of each of these accounts; accounts without items are left out. */
export async function totalsOfUsers(
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Readonly<Record<Kind, Totals>>>> {
  const found = await query<Totals & { owner_id: number; kind: Kind }>(
    db.read,
    `SELECT owner_id, kind, sum(items) AS items, sum(bytes) AS bytes FROM content_days
     WHERE ${db.dialect.inNumbers('owner_id')} GROUP BY owner_id, kind`,
    [JSON.stringify(userIds)],
  );
  const byUser = new Map<number, Record<Kind, Totals>>();
  for (const { owner_id, kind, items, bytes } of found) {
    const totals = byUser.get(owner_id) ?? byKind(() => ({ items: 0, bytes: 0 }));
    byUser.set(owner_id, { ...totals, [kind]: { items: Number(items), bytes: Number(bytes) } });
  }
  return byUser;
}

/** Of these accounts, how many of the images that are not in the trash are files of packs; accounts without any are left out. */
export async function packedOfUsers(
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const found = await query<{ owner_id: number; n: number }>(
    db.read,
    `SELECT owner_id, count(*) AS n FROM images WHERE ${db.dialect.inNumbers('owner_id')} AND ${KEPT}
       AND id IN (SELECT image_id FROM collection_items WHERE address IS NOT NULL) GROUP BY owner_id`,
    [JSON.stringify(userIds)],
  );
  return new Map(found.map(({ owner_id, n }) => [owner_id, Number(n)]));
}

/** Number of items and their total size; for images, the size as uploaded. */
export interface Totals {
  readonly items: number;
  readonly bytes: number;
}

/**
 * The totals of each kind, of one account, or of all accounts for null. With `openBytes` the bytes include
 * open items only; otherwise they would reveal the size of a private item when it is added.
 */
export async function totalsByKind(
  db: Db,
  ownerId: number | null,
  { openBytes = false }: { readonly openBytes?: boolean } = {},
): Promise<Readonly<Record<Kind, Totals>>> {
  const found = await query<Totals & { kind: Kind }>(
    db.read,
    `SELECT kind, sum(items) AS items, sum(${openBytes ? 'open_bytes' : 'bytes'}) AS bytes FROM content_days
     ${ownerId === null ? '' : 'WHERE owner_id = ?'} GROUP BY kind`,
    ownerId === null ? [] : [ownerId],
  );
  return byKind((kind) => {
    const row = found.find((one) => one.kind === kind);
    return { items: row?.items ?? 0, bytes: row?.bytes ?? 0 };
  });
}
