import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import { type Binding, type Computed, insertRow, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { indexNew } from '../search/item-text.js';
import { requireNotHeld } from './alias.js';
import { countItem } from './content-days.js';
import { KIND_STORAGE, KINDS, type Kind } from './kinds.js';

/** What items of every kind have in common. */
export interface Content {
  readonly id: number;
  readonly uniqueId: string;
  readonly ownerId: number;
  readonly isPublic: boolean;
  readonly passwordHash: string | null;
  /** Another kind already used this id when the item took it. */
  readonly shadowed: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** Why a moderator keeps it from everybody else but its owner; null for other items. */
  readonly quarantine: string | null;
  /** 1 at creation, and one more with each change. */
  readonly revision: number;
  /** When it was last changed; null if never. */
  readonly updatedAt: number | null;
  /** Since when it has its id, if that was changed. */
  readonly namedAt: number | null;
  /** Whether it may have tags: false spares looking for them. */
  readonly tagged: boolean;
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
  quarantine: string | null;
  revision: number;
  updated_at: number | null;
  named_at: number | null;
  tagged: boolean | number;
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
  'quarantine',
  'revision',
  'updated_at',
  'named_at',
  'tagged',
] as const satisfies readonly (keyof ContentRow)[];

/** The fields of a new item. */
export type NewContent = Omit<Content, keyof MadeContent>;

/** What the database and the beginning decide about a new item. */
type MadeContent = Pick<
  Content,
  'id' | 'shadowed' | 'quarantine' | 'revision' | 'updatedAt' | 'namedAt' | 'tagged'
>;

/** The columns of a new item. */
type NewRow = Pick<
  ContentRow,
  'unique_id' | 'lookup_id' | 'owner_id' | 'is_public' | 'password_hash' | 'created_at' | 'expires_at'
>;

export const contentFromRow = (row: ContentRow): Content => ({
  id: row.id,
  uniqueId: row.unique_id,
  ownerId: row.owner_id,
  isPublic: Boolean(row.is_public),
  passwordHash: row.password_hash,
  shadowed: Boolean(row.shadowed),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  quarantine: row.quarantine,
  revision: row.revision,
  updatedAt: row.updated_at,
  namedAt: row.named_at,
  tagged: Boolean(row.tagged),
});

/** SQL condition: the item is public and has no password. */
export const OPEN = 'is_public AND password_hash IS NULL';

/** SQL condition: the item is not in the trash. */
export const KEPT = 'trashed_at IS NULL';

/** The form in which ids are compared. */
export const lookupId = (uniqueId: string): string => uniqueId.toLowerCase();

/** The item's share of the statistics; the format is "" for kinds that have none. */
interface Weight {
  readonly format: string;
  readonly bytes: number;
}

/**
 * Inserts an item with the columns of its kind, counts it in the statistics, makes it findable, and returns the values
 * that it begins with. Violates a unique index if the id is taken; `IdHeld` if it is a former id of another item.
 */
export async function insertContent(
  trx: Queryable,
  kind: Kind,
  item: NewContent,
  own: Readonly<Record<string, Binding>>,
  weight: Weight,
): Promise<MadeContent> {
  const columns = { ...contentColumns(kind, item), ...own };
  const { id, shadowed } = await insertRow<ContentRow, 'id' | 'shadowed'>(
    trx,
    KIND_STORAGE[kind].table,
    columns,
    ['id', 'shadowed'],
  );
  await requireNotHeld(trx, kind, lookupId(item.uniqueId), id);
  await indexNew(trx, kind, id, columns);
  const open = item.isPublic && item.passwordHash === null;
  await countItem(trx, { kind, ownerId: item.ownerId, createdAt: item.createdAt, open, ...weight });
  return {
    id,
    shadowed: Boolean(shadowed),
    quarantine: null,
    revision: 1,
    updatedAt: null,
    namedAt: null,
    tagged: false,
  };
}

/**
 * SQL expression: another kind uses this id. Items that are over count, because they may be opened again.
 */
export function shadowedBy(kind: Kind, uniqueId: string): Computed {
  const key = lookupId(uniqueId);
  const others = KINDS.filter((other) => other !== kind);
  const holders = [
    ...others.map((other) => `SELECT 1 FROM ${KIND_STORAGE[other].table} WHERE lookup_id = ?`),
    ...others.map(() => 'SELECT 1 FROM item_aliases WHERE kind = ? AND lookup_id = ?'),
  ];
  return {
    sql: `EXISTS (${holders.join(' UNION ALL ')})`,
    bindings: [...others.map(() => key), ...others.flatMap((other) => [other, key])],
  };
}

/** Column values of a new item; the database checks whether another kind already uses the id. */
function contentColumns(kind: Kind, item: NewContent): NewRow & { shadowed: Computed } {
  const key = lookupId(item.uniqueId);
  return {
    unique_id: item.uniqueId,
    lookup_id: key,
    owner_id: item.ownerId,
    is_public: item.isPublic,
    password_hash: item.passwordHash,
    shadowed: shadowedBy(kind, item.uniqueId),
    created_at: item.createdAt,
    expires_at: item.expiresAt,
  };
}

/** SQL condition: an item of the kind is neither over nor gone at a moment, which is passed as a bound value. */
export const unendedAt = (kind: Kind): string =>
  `(expires_at IS NULL OR expires_at > ?) AND ${KIND_STORAGE[kind].left} AND ${KEPT}
   AND owner_id NOT IN ${DELETED_USERS}`;

/** As `unendedAt`, and it is not in quarantine either. */
export const livingAt = (kind: Kind): string => `quarantine IS NULL AND ${unendedAt(kind)}`;

/**
 * Rows of a kind with these ids (lower case) and their owner's name, in the requested order; null for unknown
 * ids, and for items of deleted accounts and in the trash. Expired and used-up items are included. A former id finds its item.
 */
export async function rowsByIds<R extends ContentRow>(
  db: Db,
  kind: Kind,
  keys: readonly string[],
  columns = 'c.*',
): Promise<((R & { owner_name: string }) | null)[]> {
  const { table } = KIND_STORAGE[kind];
  const found = await query<R & { owner_name: string }>(
    db.read,
    `SELECT ${columns}, u.username AS owner_name FROM ${table} c JOIN users u ON u.id = c.owner_id
     WHERE ${db.dialect.inStrings('c.lookup_id')} AND c.${KEPT} AND u.role <> 'DELETED'`,
    [JSON.stringify(keys)],
  );
  const map = new Map(found.map((row) => [row.lookup_id, row]));
  const missing = keys.filter((key) => !map.has(key));
  // Only now, so that an item under its own id costs nothing more. Former ids are never given up, so that no change
  // between the two statements makes an item unfindable.
  if (missing.length > 0) {
    const former = await query<R & { owner_name: string; former_id: string }>(
      db.read,
      `SELECT ${columns}, u.username AS owner_name, a.lookup_id AS former_id
       FROM item_aliases a JOIN ${table} c ON c.id = a.item_id JOIN users u ON u.id = c.owner_id
       WHERE a.kind = ? AND ${db.dialect.inStrings('a.lookup_id')} AND c.${KEPT} AND u.role <> 'DELETED'`,
      [kind, JSON.stringify(missing)],
    );
    for (const row of former) map.set(row.former_id, row);
  }
  return keys.map((key) => map.get(key) ?? null);
}
