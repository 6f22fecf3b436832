import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import { type Binding, type Computed, insertRow, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { countItem } from './content-days.js';
import { KIND_STORAGE, KINDS, type Kind } from './kinds.js';

/** What items of every kind have in common. */
export interface Content {
  readonly id: number;
  readonly uniqueId: string;
  readonly ownerId: number;
  readonly isPublic: boolean;
  readonly passwordHash: string | null;
  /** Another kind already used this id when the item was created. */
  readonly shadowed: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** The database columns of `Content`. */
export interface ContentRow {
  id: number;
  unique_id: string;
  lookup_id: string;
  owner_id: number;
  is_public: boolean | number;
  password_hash: string | null;
  shadowed: boolean | number;
  created_at: number;
  expires_at: number | null;
}

/** The names of the columns of `ContentRow`. */
export const CONTENT_COLUMNS = [
  'id',
  'unique_id',
  'lookup_id',
  'owner_id',
  'is_public',
  'password_hash',
  'shadowed',
  'created_at',
  'expires_at',
] as const satisfies readonly (keyof ContentRow)[];

/** The fields of a new item. */
export type NewContent = Omit<Content, 'id' | 'shadowed'>;

export const contentFromRow = (row: ContentRow): Content => ({
  id: row.id,
  uniqueId: row.unique_id,
  ownerId: row.owner_id,
  isPublic: Boolean(row.is_public),
  passwordHash: row.password_hash,
  shadowed: Boolean(row.shadowed),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** SQL condition: the item is public and has no password. */
export const OPEN = 'is_public AND password_hash IS NULL';

/** The form in which ids are compared. */
export const lookupId = (uniqueId: string): string => uniqueId.toLowerCase();

/** The item's share of the statistics; the format is "" for kinds that have none. */
interface Weight {
  readonly format: string;
  readonly bytes: number;
}

/**
 * Inserts an item with the columns of its kind, counts it in the statistics, and returns the values set by
 * the database. Violates a unique index if the id is taken.
 */
export async function insertContent(
  trx: Queryable,
  kind: Kind,
  item: NewContent,
  own: Readonly<Record<string, Binding>>,
  weight: Weight,
): Promise<Pick<Content, 'id' | 'shadowed'>> {
  const columns = { ...contentColumns(kind, item), ...own };
  const { id, shadowed } = await insertRow<ContentRow, 'id' | 'shadowed'>(
    trx,
    KIND_STORAGE[kind].table,
    columns,
    ['id', 'shadowed'],
  );
  const open = item.isPublic && item.passwordHash === null;
  await countItem(trx, { kind, ownerId: item.ownerId, createdAt: item.createdAt, open, ...weight });
  return { id, shadowed: Boolean(shadowed) };
}

/** Column values of a new item; the database checks whether another kind already uses the id. */
function contentColumns(
  kind: Kind,
  item: NewContent,
): Omit<ContentRow, 'id' | 'shadowed'> & { shadowed: Computed } {
  const key = lookupId(item.uniqueId);
  const others = KINDS.filter((other) => other !== kind);
  const holders = others.map(
    (other) => `SELECT 1 FROM ${KIND_STORAGE[other].table} WHERE lookup_id = ? AND ${livingAt(other)}`,
  );
  return {
    unique_id: item.uniqueId,
    lookup_id: key,
    owner_id: item.ownerId,
    is_public: item.isPublic,
    password_hash: item.passwordHash,
    shadowed: {
      sql: `EXISTS (${holders.join(' UNION ALL ')})`,
      bindings: others.flatMap(() => [key, item.createdAt]),
    },
    created_at: item.createdAt,
    expires_at: item.expiresAt,
  };
}

/** SQL condition: an item of the kind is alive at a moment, which is passed as a bound value. */
export const livingAt = (kind: Kind): string =>
  `(expires_at IS NULL OR expires_at > ?) AND ${KIND_STORAGE[kind].left} AND owner_id NOT IN ${DELETED_USERS}`;

/**
 * Rows of a kind with these ids (lower case) and their owner's name, in the requested order; null for unknown
 * ids and for items of deleted accounts. Expired and used-up items are included.
 */
export async function rowsByIds<R extends ContentRow>(
  db: Db,
  kind: Kind,
  keys: readonly string[],
  columns = 'c.*',
): Promise<((R & { owner_name: string }) | null)[]> {
  const found = await query<R & { owner_name: string }>(
    db.read,
    `SELECT ${columns}, u.username AS owner_name FROM ${KIND_STORAGE[kind].table} c JOIN users u ON u.id = c.owner_id
     WHERE ${db.dialect.inStrings('c.lookup_id')} AND u.role <> 'DELETED'`,
    [JSON.stringify(keys)],
  );
  const map = new Map(found.map((row) => [row.lookup_id, row]));
  return keys.map((key) => map.get(key) ?? null);
}
