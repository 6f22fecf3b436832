import type { Db } from './connect.js';
import { type Kind, OPEN, TABLES } from './content.js';
import { COUNTED } from './content-days.js';
import { DAY_MS, dayOf } from './days.js';
import { query } from './query.js';

/** A span `[from, to)` in epoch milliseconds. */
export interface StatsSpan {
  readonly from: number;
  readonly to: number;
}

/** The whole days of a span (`[first, end)`) and what is left before and after them. */
function partsOf({ from, to }: StatsSpan, now: number) {
  const first = Math.ceil(Math.max(from, 0) / DAY_MS);
  // Nothing was made after now, so today counts as whole once it is covered up to here.
  const end = to > now ? dayOf(now) + 1 : dayOf(to);
  if (first >= end) return { first: 0, end: 0, before: { from, to }, after: { from: to, to } };
  return {
    first,
    end,
    before: { from, to: first * DAY_MS },
    after: { from: Math.min(end * DAY_MS, to), to },
  };
}

/** The sums, each as an expression over the rows of a kind; `bytes` is the expression of their size. */
const SUMS = {
  items: () => 'count(*)',
  bytes: (bytes: string) => `sum(${bytes})`,
  open_items: () => `count(CASE WHEN ${OPEN} THEN 1 END)`,
  open_bytes: (bytes: string) => `sum(CASE WHEN ${OPEN} THEN ${bytes} ELSE 0 END)`,
} as const;
type Sum = keyof typeof SUMS;

/** The condition on roll-ups of whole days. */
const WHOLE_DAYS = 'kind = ? AND day >= ? AND day < ?';

/**
 * Items of a kind in a span by day or format, of one account or all: roll-ups for whole days, rows for the rest.
 * Written so that every part is read in the order of an index, because sorting is what costs.
 */
async function groupsIn<T extends string | number, S extends Sum>(
  db: Db,
  kind: Kind,
  span: StatsSpan,
  by: 'day' | 'format',
  sums: readonly S[],
  ownerId: number | null,
): Promise<({ name: T } & Record<S, number>)[]> {
  const { first, end, before, after } = partsOf(span, Date.now());
  const { format, bytes } = COUNTED[kind];
  const owned = ownerId === null ? '' : ' AND owner_id = ?';
  const owner = ownerId === null ? [] : [ownerId];
  const total = sums.map((sum) => `sum(${sum}) AS ${sum}`).join(', ');
  const whole = `SELECT ${by} AS name, ${total} FROM content_days WHERE ${WHOLE_DAYS}${owned} GROUP BY ${by}`;
  const name = by === 'day' ? db.dialect.dayOf('created_at') : format;
  const ofRows = sums.map((sum) => `${SUMS[sum](bytes)} AS ${sum}`).join(', ');
  const rest = `SELECT ${name} AS name, ${ofRows} FROM ${TABLES[kind]}
    WHERE created_at >= ? AND created_at < ?${owned} GROUP BY 1`;
  return query(
    db.read,
    `SELECT name, ${total} FROM (${whole} UNION ALL ${rest} UNION ALL ${rest}) AS counted
     GROUP BY name HAVING sum(items) > 0 ORDER BY name`,
    [kind, first, end, ...owner, before.from, before.to, ...owner, after.from, after.to, ...owner],
  );
}

/** Who made the most open items of a kind in a span; of two the older account. */
async function bestIn(db: Db, kind: Kind, span: StatsSpan): Promise<KindTotals['best']> {
  const { first, end, before, after } = partsOf(span, Date.now());
  const rest = `SELECT owner_id, count(*) AS items FROM ${TABLES[kind]}
    WHERE created_at >= ? AND created_at < ? AND ${OPEN} GROUP BY owner_id`;
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
export interface DayCount {
  /** Days since the epoch. */
  readonly day: number;
  readonly items: number;
  readonly bytes: number;
}

/** Items of an account by the UTC day they were made, ascending, days without any left out. */
export async function itemsPerDay(db: Db, kind: Kind, ownerId: number, span: StatsSpan): Promise<DayCount[]> {
  const found = await groupsIn<number, 'items' | 'bytes'>(db, kind, span, 'day', ['items', 'bytes'], ownerId);
  return found.map(({ name, items, bytes }) => ({ day: name, items, bytes }));
}

/** Items of one kind in a span, all accounts together, and more of those that anybody may open. */
export interface KindTotals {
  readonly items: number;
  readonly bytes: number;
  readonly open: {
    readonly items: number;
    readonly bytes: number;
    readonly formats: Readonly<Record<string, number>>;
  };
  /** Who made the most open items, the older account of two. */
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

/** Size in bytes of the largest and the smallest open image made in a span; zeros when there is none. */
export async function imageExtremes(db: Db, span: StatsSpan): Promise<{ largest: number; smallest: number }> {
  const { first, end, before, after } = partsOf(span, Date.now());
  // The plus removes the column's affinity; with it SQLite would not use the index.
  const ofDay = (extreme: string) =>
    `(SELECT ${extreme}(size) FROM images WHERE ${db.dialect.dayOf('created_at')} = +days.day AND ${OPEN})`;
  const rest = `SELECT max(size), min(size) FROM images WHERE created_at >= ? AND created_at < ? AND ${OPEN}`;
  const [row] = await query<{ largest: number; smallest: number }>(
    db.read,
    `SELECT coalesce(max(largest), 0) AS largest, coalesce(min(smallest), 0) AS smallest FROM (
       SELECT ${ofDay('max')} AS largest, ${ofDay('min')} AS smallest FROM (
         SELECT DISTINCT day FROM content_days WHERE kind = 'image' AND day >= ? AND day < ?
       ) AS days UNION ALL ${rest} UNION ALL ${rest}
     ) AS extremes`,
    [first, end, before.from, before.to, after.from, after.to],
  );
  return row ?? { largest: 0, smallest: 0 };
}

/** How many items of a kind there are, of everybody. */
export async function countItems(db: Db, kind: Kind): Promise<number> {
  const [row] = await query<{ items: number | null }>(
    db.read,
    'SELECT sum(items) AS items FROM content_days WHERE kind = ?',
    [kind],
  );
  return row?.items ?? 0;
}

/** Items there are, and their bytes: of images as they were uploaded. */
export interface Totals {
  readonly items: number;
  readonly bytes: number;
}

/**
 * What one account has, or everybody together for null, of each kind. With `openBytes` the bytes are those of open items
 * alone: otherwise they tell the size of a private one when it comes.
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
  const of = (kind: Kind): Totals => {
    const row = found.find((one) => one.kind === kind);
    return { items: row?.items ?? 0, bytes: row?.bytes ?? 0 };
  };
  return { image: of('image'), paste: of('paste'), url: of('url') };
}
