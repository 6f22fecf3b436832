import type { Db } from '../engine/connect.js';
import type { Condition, Page, Sought, Window } from '../engine/paging.js';
import { type Binding, query } from '../engine/query.js';
import { type Matching, matching } from '../search/ask.js';
import { KEPT } from './content.js';
import { countByDays } from './counted.js';
import { itemKey, KIND_STORAGE, KINDS, type Kind } from './kinds.js';
import { type OwnItem, ownItemsByKey } from './own-item.js';

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
  return { keys, total: await countListed(db, ownerId, filter) };
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

/** How many items a filter without a text finds, from what is counted anyway if that says it. */
async function countListed(db: Db, ownerId: number, filter: OwnFilter): Promise<number> {
  const { kinds, tagId, visibility, from, to } = filter;
  if (visibility !== null) return countAll(db, ownerId, filter);
  if (tagId === null) return countByDays(db, { kinds, ownerId, from, to });
  if (from !== null || to !== null || kinds.length < KINDS.length) return countAll(db, ownerId, filter);
  const [row] = await query<{ n: number }>(
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
