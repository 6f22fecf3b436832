import { insertRows } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { indexNew } from '../search/item-text.js';
import { requireNotHeld } from './alias.js';
import { countItems } from './content-days.js';
import { KIND_STORAGE, KINDS, type Kind } from './kinds.js';
import { tagNew } from './tag/new-tags.js';
import type { Notify } from './told/told.js';

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
  /** Whether its owner has marked it. */
  readonly favourite: boolean;
  /** Whether its owner is told that it was opened. */
  readonly notify: Notify;
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
  favourite: boolean | number;
  telling: Notify;
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
  'favourite',
  'telling',
] as const satisfies readonly (keyof ContentRow)[];

/** The fields of a new item, and its tags, each once in whatever case. */
export type NewContent = Pick<
  Content,
  'uniqueId' | 'ownerId' | 'isPublic' | 'passwordHash' | 'createdAt' | 'expiresAt'
> & {
  readonly tags?: readonly string[] | undefined;
  readonly notify?: Notify | undefined;
};

/** The columns that every item begins with, which are their defaults. */
const BEGINNING = {
  quarantine: null,
  revision: 1,
  updated_at: null,
  named_at: null,
  favourite: false,
} satisfies Partial<ContentRow>;

/** The columns of a new item. */
type NewRow = Omit<ContentRow, 'id' | 'shadowed' | keyof typeof BEGINNING>;

/** What a row of any kind has in common with those of the others. */
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
  favourite: Boolean(row.favourite),
  notify: row.telling,
});

/** SQL condition: the item is public and has no password. */
export const OPEN = 'is_public AND password_hash IS NULL';

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/** The form in which ids are compared: without case, however their letters are composed. */
export const lookupId = (uniqueId: string): string =>
  ASCII.test(uniqueId) ? uniqueId.toLowerCase() : uniqueId.normalize('NFC').toLowerCase().normalize('NFC');

/** The item's share of the statistics; the format is "" for kinds that have none. */
interface Weight {
  readonly format: string;
  readonly bytes: number;
}

/** A new item with the columns of its kind. */
interface NewItem<Row extends ContentRow> {
  readonly item: NewContent;
  readonly own: Readonly<Omit<Row, keyof ContentRow>>;
  readonly weight: Weight;
}

/**
 * Inserts items with the columns of their kind and their tags, counts them in the statistics, makes them findable, and
 * returns their rows, in their order. Violates a unique index if an id is taken; `IdHeld` if it is a former id of another
 * item.
 */
export async function insertContent<Row extends ContentRow>(
  trx: Queryable,
  kind: Kind,
  items: readonly NewItem<Row>[],
): Promise<Row[]> {
  const columns = items.map(({ item, own }) => Object.assign(contentColumns(item), own));
  const stored = await insertRows<Pick<ContentRow, 'id' | 'lookup_id' | 'shadowed'>>(
    trx,
    KIND_STORAGE[kind].table,
    columns,
    { shadowed: shadowedBy(kind, 'given.lookup_id') },
    ['id', 'lookup_id', 'shadowed'],
  );
  const byId = new Map(stored.map((row) => [row.lookup_id, row]));
  await requireNotHeld(trx, kind, new Map(stored.map(({ id, lookup_id }) => [lookup_id, id])));
  const rows = columns.map((values) => {
    const row = byId.get(values.lookup_id);
    if (row === undefined) throw new Error(`${KIND_STORAGE[kind].table}: no row was inserted`);
    return Object.assign(values, BEGINNING, { id: row.id, shadowed: row.shadowed }) as unknown as Row &
      Record<string, unknown>;
  });
  const tagIds = await tagNew(
    trx,
    kind,
    rows.map(({ id, owner_id }, index) => ({
      id,
      ownerId: owner_id,
      tags: items[index]?.item.tags ?? [],
    })),
  );
  await indexNew(trx, kind, rows, tagIds);
  await countItems(
    trx,
    items.map(({ item, weight: { format, bytes } }) => ({
      kind,
      ownerId: item.ownerId,
      createdAt: item.createdAt,
      open: item.isPublic && item.passwordHash === null,
      format,
      bytes,
    })),
  );
  return rows;
}

/** The one row of a statement that inserts one. */
export function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('no row was inserted');
  return row;
}

/**
 * SQL expression: another kind uses the id that an SQL expression names, in its lookup form. Items that are over count,
 * because they may be opened again.
 */
export function shadowedBy(kind: Kind, key: string): string {
  const others = KINDS.filter((other) => other !== kind);
  const holders = [
    ...others.map((other) => `SELECT 1 FROM ${KIND_STORAGE[other].table} WHERE lookup_id = ${key}`),
    ...others.map((other) => `SELECT 1 FROM item_aliases WHERE kind = '${other}' AND lookup_id = ${key}`),
  ];
  return `EXISTS (${holders.join(' UNION ALL ')})`;
}

/** Column values of a new item. */
const contentColumns = (item: NewContent): NewRow => ({
  unique_id: item.uniqueId,
  lookup_id: lookupId(item.uniqueId),
  owner_id: item.ownerId,
  is_public: item.isPublic,
  password_hash: item.passwordHash,
  created_at: item.createdAt,
  expires_at: item.expiresAt,
  tagged: item.tags !== undefined && item.tags.length > 0,
  telling: item.notify ?? 'none',
});
