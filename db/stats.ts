import type { Db } from './connect.js';
import type { Kind } from './content.js';
import { DAY_MS, dayOf } from './content-days.js';
import { query } from './query.js';

/** A span `[from, to)` in epoch milliseconds. */
export interface StatsSpan {
  readonly from: number;
  readonly to: number;
}

/** How the rows of each kind are counted where a roll-up does not reach: the parts of a first and last day. */
const COLUMNS: Readonly<Record<Kind, { table: string; format: string; bytes: string }>> = {
  image: { table: 'images', format: 'type', bytes: 'size' },
  paste: { table: 'pastes', format: "''", bytes: 'size' },
  url: { table: 'short_urls', format: "''", bytes: '0' },
};

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

interface Group<T> {
  readonly name: T;
  readonly items: number;
  readonly bytes: number;
}

/** Which groups are answered: those of one account, only the one with the most items; by default all. */
interface Wanted {
  readonly ownerId?: number;
  readonly largest?: boolean;
}

/**
 * Items of a kind in a span by day, format or owner: roll-ups for whole days, rows for the rest. Written so that
 * every part is read in the order of an index, because sorting is what costs.
 */
async function groupsIn<T extends string | number>(
  db: Db,
  kind: Kind,
  span: StatsSpan,
  by: 'day' | 'format' | 'owner_id',
  { ownerId, largest = false }: Wanted = {},
): Promise<Group<T>[]> {
  const { first, end, before, after } = partsOf(span, Date.now());
  const { table, format, bytes } = COLUMNS[kind];
  const owned = ownerId === undefined ? '' : ' AND owner_id = ?';
  const owner = ownerId === undefined ? [] : [ownerId];
  const days = 'kind = ? AND day >= ? AND day < ?';
  const whole =
    by === 'owner_id'
      ? `SELECT id AS name, (SELECT sum(items) FROM content_days WHERE owner_id = users.id AND ${days}) AS items,
           0 AS bytes FROM users`
      : `SELECT ${by} AS name, sum(items) AS items, sum(bytes) AS bytes FROM content_days
         WHERE ${days}${owned} GROUP BY ${by}`;
  const name = { day: db.dialect.dayOf('created_at'), format, owner_id: 'owner_id' }[by];
  const rest = `SELECT ${name} AS name, count(*) AS items, sum(${bytes}) AS bytes FROM ${table}
    WHERE created_at >= ? AND created_at < ?${owned} GROUP BY 1`;
  const found = await query<Group<T>>(
    db.read,
    `SELECT name, sum(items) AS items, sum(bytes) AS bytes
     FROM (${whole} UNION ALL ${rest} UNION ALL ${rest}) AS counted
     GROUP BY name HAVING sum(items) > 0 ORDER BY ${largest ? 'sum(items) DESC, name LIMIT 1' : 'name'}`,
    [kind, first, end, ...owner, before.from, before.to, ...owner, after.from, after.to, ...owner],
  );
  return found.map((row) => ({ name: row.name, items: Number(row.items), bytes: Number(row.bytes) }));
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
  const found = await groupsIn<number>(db, kind, span, 'day', { ownerId });
  return found.map(({ name, items, bytes }) => ({ day: Number(name), items, bytes }));
}

/** Items of one kind in a span, all accounts together; `best` made the most of them, the older account of two. */
export interface KindTotals {
  readonly items: number;
  readonly bytes: number;
  readonly formats: Readonly<Record<string, number>>;
  readonly best: { readonly ownerId: number; readonly items: number } | null;
}

/** Counts a kind site-wide. */
export async function kindTotals(db: Db, kind: Kind, span: StatsSpan): Promise<KindTotals> {
  const formats = await groupsIn<string>(db, kind, span, 'format');
  const [best] = await groupsIn<number>(db, kind, span, 'owner_id', { largest: true });
  return {
    items: formats.reduce((total, { items }) => total + items, 0),
    bytes: formats.reduce((total, { bytes }) => total + bytes, 0),
    formats: Object.fromEntries(formats.map(({ name, items }) => [name, items])),
    best: best === undefined ? null : { ownerId: best.name, items: best.items },
  };
}

/** Every item of a kind that there is. */
export async function itemsOfAllTime(db: Db, kind: Kind): Promise<number> {
  const [row] = await query<{ items: number }>(
    db.read,
    'SELECT coalesce(sum(items), 0) AS items FROM content_days WHERE kind = ?',
    [kind],
  );
  return Number(row?.items ?? 0);
}

/** Size in bytes of the largest and the smallest image made in a span; zeros when there is none. */
export async function imageExtremes(db: Db, span: StatsSpan): Promise<{ largest: number; smallest: number }> {
  const { first, end, before, after } = partsOf(span, Date.now());
  // The plus takes the column's affinity away, without which SQLite passes over the index.
  const ofDay = (extreme: string) =>
    `(SELECT ${extreme}(size) FROM images WHERE ${db.dialect.dayOf('created_at')} = +days.day)`;
  const rest = 'SELECT max(size), min(size) FROM images WHERE created_at >= ? AND created_at < ?';
  const [row] = await query<{ largest: number; smallest: number }>(
    db.read,
    `SELECT coalesce(max(largest), 0) AS largest, coalesce(min(smallest), 0) AS smallest FROM (
       SELECT ${ofDay('max')} AS largest, ${ofDay('min')} AS smallest FROM (
         SELECT DISTINCT day FROM content_days WHERE kind = 'image' AND day >= ? AND day < ?
       ) AS days UNION ALL ${rest} UNION ALL ${rest}
     ) AS extremes`,
    [first, end, before.from, before.to, after.from, after.to],
  );
  return { largest: Number(row?.largest ?? 0), smallest: Number(row?.smallest ?? 0) };
}

/** What an account has stored, all kinds: how many items and how many bytes. */
export async function ownerTotals(
  db: Db,
  ownerId: number,
): Promise<Readonly<Record<Kind, { items: number; bytes: number }>>> {
  const found = await query<{ kind: Kind; items: number; bytes: number }>(
    db.read,
    'SELECT kind, sum(items) AS items, sum(bytes) AS bytes FROM content_days WHERE owner_id = ? GROUP BY kind',
    [ownerId],
  );
  const of = (kind: Kind) => {
    const row = found.find((one) => one.kind === kind);
    return { items: Number(row?.items ?? 0), bytes: Number(row?.bytes ?? 0) };
  };
  return { image: of('image'), paste: of('paste'), url: of('url') };
}
