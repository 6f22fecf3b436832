import type { Db } from '../engine/connect.js';
import type { Condition, Page, Sought, Window } from '../engine/paging.js';
import { type Binding, query } from '../engine/query.js';
import { type Matching, matching } from '../search/ask.js';
import { CONTENT_COLUMNS, type Content, type ContentRow, contentFromRow, KEPT } from './content.js';
import { itemKey, KIND_STORAGE, KINDS, type Kind } from './kinds.js';

/** Filter and order of the items of an account; null = any. */
export interface OwnFilter {
  readonly kinds: readonly Kind[];
  /** The row id of a tag. */
  readonly tagId: number | null;
  readonly visibility: 'public' | 'private' | 'protected' | null;
  /** Epoch milliseconds: inclusive, and exclusive. */
  readonly from: number | null;
  readonly to: number | null;
  readonly sought: Sought | null;
  readonly sort: 'newest' | 'oldest' | 'name' | 'size' | 'views';
}

/** An item of any kind in a list of its owner. */
export interface OwnItem extends Content {
  readonly kind: Kind;
  readonly title: string;
  readonly description: string | null;
  readonly type: string | null;
  /** Bytes; null for kinds that have none. */
  readonly size: number | null;
  /** Views or visits; null if they are not counted. */
  readonly hits: number | null;
  readonly thumbhash: string | null;
  readonly hasPoster: boolean;
  readonly burn: boolean;
}

interface Row extends ContentRow {
  title: string;
  description: string | null;
  type: string | null;
  size: number | null;
  hits: number | null;
  thumbhash: string | null;
  has_poster: boolean | number;
  burn: boolean | number;
}

const VISIBLE: Readonly<Record<NonNullable<OwnFilter['visibility']>, Condition>> = {
  public: ['is_public = ? AND password_hash IS NULL', true],
  private: ['is_public = ?', false],
  protected: ['password_hash IS NOT NULL'],
};

/** What each order sorts by, as an expression over a kind, and its direction. */
const ORDERS = {
  newest: { by: () => 'created_at', direction: 'DESC' },
  oldest: { by: () => 'created_at', direction: 'ASC' },
  name: {
    by: ({ dialect }: Db, kind: Kind) => dialect.folded(KIND_STORAGE[kind].listed.title),
    direction: 'ASC',
  },
  size: { by: (_db: Db, kind: Kind) => `coalesce(${KIND_STORAGE[kind].listed.size}, 0)`, direction: 'DESC' },
  views: {
    by: (_db: Db, kind: Kind) => `coalesce(${KIND_STORAGE[kind].listed.hits}, 0)`,
    direction: 'DESC',
  },
} as const;

interface Statement {
  readonly sql: string;
  readonly values: readonly Binding[];
}

function conditionsOf(
  kind: Kind,
  ownerId: number,
  filter: OwnFilter,
  match: Matching,
): readonly (readonly [string, ...Binding[]])[] {
  const { tagId, visibility, from, to } = filter;
  const conditions: readonly Condition[] = [
    ['owner_id = ?', ownerId],
    [KEPT],
    tagId === null
      ? null
      : ['id IN (SELECT item_id FROM item_tags WHERE tag_id = ? AND kind = ?)', tagId, kind],
    visibility === null ? null : VISIBLE[visibility],
    from === null ? null : ['created_at >= ?', from],
    to === null ? null : ['created_at < ?', to],
    match(kind),
  ];
  return conditions.filter((condition) => condition !== null);
}

/** The rows of a kind that a filter finds: kind, row id, and what they are sorted by. */
function part(
  { dialect }: Db,
  kind: Kind,
  ownerId: number,
  filter: OwnFilter,
  match: Matching,
  head: string,
): Statement {
  const conditions = conditionsOf(kind, ownerId, filter, match);
  const { table } = KIND_STORAGE[kind];
  return {
    sql: `SELECT ${head} FROM ${filter.sought === null ? table : dialect.byIds(table)} WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
    values: conditions.flatMap(([, ...values]) => values),
  };
}

/** Which items a page shows, in order, and how many the filter finds. */
interface Section {
  readonly keys: readonly { readonly kind: Kind; readonly id: number }[];
  readonly total: number;
}

/** A section of the items of an account, and how many the filter finds. */
export async function ownItems(
  db: Db,
  ownerId: number,
  filter: OwnFilter,
  window: Window,
): Promise<Page<OwnItem>> {
  const { keys, total } = await (filter.sought === null ? listed : searched)(db, ownerId, filter, window);
  const items = await ownItemsByKey(db, keys);
  return { items: keys.flatMap(({ kind, id }) => items.get(itemKey(kind, id)) ?? []), total };
}

/** Each kind contributes at most as many rows as the section ends at, in index order where it is sorted by time. */
async function listed(
  db: Db,
  ownerId: number,
  filter: OwnFilter,
  { limit, offset }: Window,
): Promise<Section> {
  const { by, direction } = ORDERS[filter.sort];
  const parts = filter.kinds.map((kind) => {
    const head = `'${kind}' AS kind, id, ${by(db, kind)} AS sorted_by`;
    const { sql, values } = part(db, kind, ownerId, filter, unsought, head);
    return {
      sql: `SELECT * FROM (${sql} ORDER BY sorted_by ${direction}, id ${direction} LIMIT ?) AS ${kind}_part`,
      values: [...values, offset + limit],
    };
  });
  const keys = await query<{ kind: Kind; id: number }>(
    db.read,
    `SELECT kind, id FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) AS parts
      ORDER BY sorted_by ${direction}, kind, id ${direction} LIMIT ? OFFSET ?`,
    [...parts.flatMap(({ values }) => values), limit, offset],
  );
  return { keys, total: (await knownTotal(db, ownerId, filter)) ?? (await countAll(db, ownerId, filter)) };
}

const unsought: Matching = () => null;

/** What a search finds is bounded, so that it is looked up once, and counted and cut from there. */
async function searched(
  db: Db,
  ownerId: number,
  filter: OwnFilter,
  { limit, offset }: Window,
): Promise<Section> {
  const { by, direction } = ORDERS[filter.sort];
  const match = await matching(db, filter.sought, { ownerId, own: true, tagId: filter.tagId });
  const parts = filter.kinds.map((kind) =>
    part(db, kind, ownerId, filter, match, `'${kind}' AS kind, id, ${by(db, kind)} AS sorted_by`),
  );
  const values = parts.flatMap((of) => of.values);
  const left = filter.sought?.left ?? new AbortController().signal;
  const found = `WITH found AS MATERIALIZED (${parts.map(({ sql }) => sql).join(' UNION ALL ')})`;
  // Not numbered by a window function, which sorts all of them: for a page it is enough to keep its rows.
  const keys = await db.search.query<{ kind: Kind; id: number; total: number }>(
    `${found} SELECT kind, id, (SELECT count(*) FROM found) AS total FROM found
     ORDER BY sorted_by ${direction}, kind, id ${direction} LIMIT ? OFFSET ?`,
    [...values, limit, offset],
    left,
  );
  if (keys[0] !== undefined || offset === 0) return { keys, total: Number(keys[0]?.total ?? 0) };
  // Beyond the end.
  const [counted] = await db.search.query<{ total: number }>(
    `${found} SELECT count(*) AS total FROM found`,
    values,
    left,
  );
  return { keys, total: Number(counted?.total ?? 0) };
}

/** The total of a list that is counted anyway; null for others. */
async function knownTotal(db: Db, ownerId: number, filter: OwnFilter): Promise<number | null> {
  const { kinds, tagId, visibility, from, to } = filter;
  if ([visibility, from, to].some((set) => set !== null)) return null;
  if (tagId !== null && kinds.length < KINDS.length) return null;
  const [row] =
    tagId === null
      ? await query<{ n: number | null }>(
          db.read,
          `SELECT sum(items) AS n FROM content_days WHERE owner_id = ? AND ${db.dialect.inStrings('kind')}`,
          [ownerId, JSON.stringify(kinds)],
        )
      : await query<{ n: number }>(
          db.read,
          `SELECT items - (SELECT count(*) FROM item_tags i JOIN collections p ON p.id = i.item_id
             WHERE i.tag_id = tags.id AND i.kind = 'collection' AND p.${KEPT}) AS n FROM tags WHERE id = ?`,
          [tagId],
        );
  return Number(row?.n ?? 0);
}

async function countAll(db: Db, ownerId: number, filter: OwnFilter): Promise<number> {
  const counts = filter.kinds.map((kind) => part(db, kind, ownerId, filter, unsought, 'count(*) AS n'));
  const counted = await query<{ n: number }>(
    db.read,
    counts.map(({ sql }) => sql).join(' UNION ALL '),
    counts.flatMap(({ values }) => values),
  );
  return counted.reduce((sum, { n }) => sum + Number(n), 0);
}

/** Items by `itemKey`; those that are gone are missing. */
export async function ownItemsByKey(
  db: Db,
  keys: readonly { readonly kind: Kind; readonly id: number }[],
): Promise<ReadonlyMap<string, OwnItem>> {
  const found = new Map<string, OwnItem>();
  for (const kind of KINDS) {
    const ids = keys.filter((key) => key.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    const { table, listed } = KIND_STORAGE[kind];
    const rows = await query<Row>(
      db.read,
      `SELECT ${CONTENT_COLUMNS.join(', ')}, ${listed.title} AS title,
         ${listed.description} AS description, ${listed.type} AS type, ${listed.size} AS size,
         ${listed.hits} AS hits, ${listed.thumbhash} AS thumbhash, ${listed.hasPoster} AS has_poster,
         ${listed.burn} AS burn
       FROM ${table} WHERE ${db.dialect.inNumbers('id')}`,
      [JSON.stringify(ids)],
    );
    for (const row of rows) found.set(itemKey(kind, row.id), fromRow(kind, row));
  }
  return found;
}

const fromRow = (kind: Kind, row: Row): OwnItem => ({
  ...contentFromRow(row),
  kind,
  title: row.title,
  description: row.description,
  type: row.type,
  size: row.size,
  hits: row.hits,
  thumbhash: row.thumbhash,
  hasPoster: Boolean(row.has_poster),
  burn: Boolean(row.burn),
});
