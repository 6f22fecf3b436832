import type { Knex } from 'knex';
import type { Db, Queryable } from './connect.js';
import { type Kind, TABLES } from './content.js';
import { type Image, imageFromRow } from './image.js';
import { type Paste, pasteFromRow } from './paste.js';
import { containing } from './rows.js';
import { type ShortUrl, shortUrlFromRow } from './short-url.js';

/** Which of an account's items are wanted, and how many of them. */
export interface Wanted {
  readonly ownerId: number;
  /** Text to find; "" finds everything. */
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

/** What narrows a library down, and its order. */
export interface ImageFilter {
  readonly kind: Image['mediaKind'] | null;
  readonly access: 'public' | 'private' | 'password' | null;
  readonly sort: 'newest' | 'oldest' | 'largest' | 'name';
}

/** One page of a list, and how long the whole is. */
export interface Found<T> {
  readonly items: T[];
  readonly total: number;
}

const ORDERS: Readonly<Record<ImageFilter['sort'], readonly { column: string; order: 'asc' | 'desc' }[]>> = {
  newest: [{ column: 'id', order: 'desc' }],
  oldest: [{ column: 'id', order: 'asc' }],
  largest: [
    { column: 'size', order: 'desc' },
    { column: 'id', order: 'desc' },
  ],
  name: [
    { column: 'original_name', order: 'asc' },
    { column: 'id', order: 'desc' },
  ],
};

/** Images of an account, expired ones included. */
export async function ownImages(db: Db, wanted: Wanted, filter: ImageFilter): Promise<Found<Image>> {
  const query = own(db, 'image', wanted, ['unique_id', 'original_name', 'description']);
  if (filter.kind !== null) query.where('media_kind', filter.kind);
  if (filter.access === 'password') query.whereNotNull('password_hash');
  else if (filter.access !== null) query.where('is_public', filter.access === 'public');
  if (filter.access === 'public') query.whereNull('password_hash');
  return find(query, wanted, ORDERS[filter.sort], imageFromRow);
}

/** Pastes of an account without their text, newest first. */
export async function ownPastes(db: Db, wanted: Wanted): Promise<Found<Paste>> {
  const query = own(db, 'paste', wanted, ['unique_id', 'title', 'content']);
  return find(query, wanted, ORDERS.newest, pasteWithoutText);
}

/** Whole texts are not for lists. */
const pasteWithoutText = (row: Parameters<typeof pasteFromRow>[0]): Paste =>
  pasteFromRow({ ...row, content: '' });

/** Short URLs of an account, newest first. */
export async function ownUrls(db: Db, wanted: Wanted): Promise<Found<ShortUrl>> {
  const query = own(db, 'url', wanted, ['unique_id', 'original_url']);
  return find(query, wanted, ORDERS.newest, shortUrlFromRow);
}

/** Opens or closes items of an account (ids in lower case); those of others are left alone. */
export async function setPublic(
  db: Db,
  trx: Queryable,
  kind: Kind,
  ownerId: number,
  keys: readonly string[],
  isPublic: boolean,
): Promise<void> {
  await trx(TABLES[kind])
    .where('owner_id', ownerId)
    .whereRaw(db.dialect.inStrings('lookup_id'), [JSON.stringify(keys)])
    .update({ is_public: isPublic });
}

/** Sets or clears the description of an image. */
export async function setDescription(trx: Queryable, id: number, description: string | null): Promise<void> {
  await trx('images').where('id', id).update({ description });
}

function own(db: Db, kind: Kind, wanted: Wanted, columns: readonly string[]): Knex.QueryBuilder {
  const query = db.read(TABLES[kind]).where('owner_id', wanted.ownerId);
  if (wanted.search === '') return query;
  const conditions = columns.map((column) => `${column} ${db.dialect.like} ? ESCAPE '!'`);
  return query.whereRaw(
    `(${conditions.join(' OR ')})`,
    columns.map(() => containing(wanted.search)),
  );
}

async function find<R, T>(
  query: Knex.QueryBuilder,
  { limit, offset }: Wanted,
  order: (typeof ORDERS)[ImageFilter['sort']],
  fromRow: (row: R) => T,
): Promise<Found<T>> {
  const [counted, rows] = await Promise.all([
    query.clone().count({ total: '*' }).first(),
    query
      .clone()
      .orderBy([...order])
      .limit(limit)
      .offset(offset),
  ]);
  return { items: (rows as R[]).map(fromRow), total: Number(counted?.total ?? 0) };
}
