import { DELETED_USERS } from '../../account/account.js';
import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { lookupId } from '../content.js';
import { KEPT, usesLeft } from '../life.js';
import type { Notify } from '../told/told.js';

/** As what a collection was made, which older clients know under different names. */
export type Face = 'collection' | 'playlist' | 'pack';

/** An ordered collection of files: those of its owner, and those that its members added. */
export interface Collection {
  readonly id: number;
  readonly uniqueId: string;
  readonly ownerId: number;
  readonly face: Face;
  readonly title: string;
  readonly description: string | null;
  readonly coverImageId: number | null;
  readonly isPublic: boolean;
  readonly passwordHash: string | null;
  readonly expiresAt: number | null;
  readonly maxViews: number | null;
  readonly views: number;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  /** Why a moderator keeps it from everybody but its owner; null if it is not. */
  readonly quarantine: string | null;
  /** Whether its owner has marked it. */
  readonly favourite: boolean;
  /** Whether its owner is told that it was opened. */
  readonly notify: Notify;
  /** Its sealed name, "" without one, if it takes sealed files only; otherwise null. */
  readonly seal: string | null;
  /** 1 at first, and more with each change. */
  readonly revision: number;
}

/** A new collection; it has no views and no cover. What is left out: open to everybody, without an end. */
type NewCollection = Pick<
  Collection,
  'uniqueId' | 'ownerId' | 'face' | 'title' | 'description' | 'createdAt'
> &
  Partial<
    Pick<Collection, 'isPublic' | 'passwordHash' | 'expiresAt' | 'maxViews' | 'favourite' | 'seal' | 'notify'>
  >;

/** What can be changed of a collection. */
export type CollectionChange = Partial<
  Pick<
    Collection,
    | 'title'
    | 'description'
    | 'coverImageId'
    | 'isPublic'
    | 'passwordHash'
    | 'expiresAt'
    | 'maxViews'
    | 'seal'
    | 'updatedAt'
    | 'favourite'
    | 'notify'
    | 'ownerId'
  >
>;

/** A row of `collections`. */
export interface CollectionRow {
  id: number;
  unique_id: string;
  owner_id: number;
  face: Face;
  title: string;
  description: string | null;
  cover_image_id: number | null;
  is_public: boolean | number;
  password_hash: string | null;
  expires_at: number | null;
  max_views: number | null;
  views: number;
  created_at: number;
  updated_at: number | null;
  quarantine: string | null;
  favourite: boolean | number;
  telling: Notify;
  seal: string | null;
  revision: number;
}

/** A row as a collection. */
export const collectionFromRow = (row: CollectionRow): Collection => ({
  id: row.id,
  uniqueId: row.unique_id,
  ownerId: row.owner_id,
  face: row.face,
  title: row.title,
  description: row.description,
  coverImageId: row.cover_image_id,
  isPublic: Boolean(row.is_public),
  passwordHash: row.password_hash,
  expiresAt: row.expires_at,
  maxViews: row.max_views,
  views: row.views,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  quarantine: row.quarantine,
  favourite: Boolean(row.favourite),
  notify: row.telling,
  seal: row.seal,
  revision: row.revision,
});

const BY_KEY = `SELECT * FROM collections WHERE lookup_id = ? AND ${KEPT} AND owner_id NOT IN ${DELETED_USERS}`;

/** The collection with this id (lower case), or null; those in the trash and of deleted accounts are not found. */
export async function collectionByKey(db: Queryable, key: string): Promise<Collection | null> {
  const [row] = await query<CollectionRow>(db, BY_KEY, [key]);
  return row === undefined ? null : collectionFromRow(row);
}

/** As `collectionByKey`, inside a write: locks the collection until the commit. */
export async function lockCollection(db: Db, trx: Queryable, key: string): Promise<Collection | null> {
  const [row] = await query<CollectionRow>(trx, `${BY_KEY} ${db.dialect.forUpdate}`, [key]);
  return row === undefined ? null : collectionFromRow(row);
}

/** Locks the collection with this row id until the end of the transaction; null if it is gone or in the trash. */
export async function lockCollectionById(db: Db, trx: Queryable, id: number): Promise<Collection | null> {
  await query(trx, `SELECT id FROM collections WHERE id = ? ${db.dialect.forUpdate}`, [id]);
  return collectionById(trx, id);
}

/** The collection with this row id, or null; those in the trash and of deleted accounts are not found. */
export async function collectionById(db: Queryable, id: number): Promise<Collection | null> {
  const [row] = await query<CollectionRow>(
    db,
    `SELECT * FROM collections WHERE id = ? AND ${KEPT} AND owner_id NOT IN ${DELETED_USERS}`,
    [id],
  );
  return row === undefined ? null : collectionFromRow(row);
}

/** Inserts a collection and returns it as stored; violates a unique index if the id is taken. */
export async function insertCollection(trx: Queryable, made: NewCollection): Promise<Collection> {
  const [row] = await trx('collections')
    .insert({
      unique_id: made.uniqueId,
      lookup_id: lookupId(made.uniqueId),
      owner_id: made.ownerId,
      face: made.face,
      title: made.title,
      description: made.description,
      is_public: made.isPublic ?? true,
      password_hash: made.passwordHash ?? null,
      expires_at: made.expiresAt ?? null,
      max_views: made.maxViews ?? null,
      seal: made.seal ?? null,
      views: 0,
      favourite: made.favourite ?? false,
      telling: made.notify ?? 'none',
      created_at: made.createdAt,
    })
    .returning('*');
  return collectionFromRow(row);
}

/** Changes the given fields of a collection, as one revision; missing ones stay the same. Returns it as stored. */
export async function updateCollection(
  trx: Queryable,
  id: number,
  change: CollectionChange,
): Promise<Collection> {
  // knex leaves out undefined values.
  const columns = {
    title: change.title,
    description: change.description,
    cover_image_id: change.coverImageId,
    is_public: change.isPublic,
    password_hash: change.passwordHash,
    expires_at: change.expiresAt,
    max_views: change.maxViews,
    seal: change.seal,
    updated_at: change.updatedAt,
    favourite: change.favourite,
    telling: change.notify,
    owner_id: change.ownerId,
    revision: trx.raw('revision + 1'),
  };
  const [row] = await trx('collections').where('id', id).update(columns).returning('*');
  return collectionFromRow(row);
}

/** Keeps a collection from everybody but its owner and moderators, for this reason; null shows it again. */
export async function setCollectionQuarantine(
  trx: Queryable,
  id: number,
  reason: string | null,
): Promise<void> {
  await trx('collections').where('id', id).update({ quarantine: reason });
}

/** Counts one view of a collection; false if it is gone or has none left. */
export async function countCollectionView(trx: Queryable, id: number): Promise<boolean> {
  const counted = await query(
    trx,
    `UPDATE collections SET views = views + 1 WHERE id = ? AND ${usesLeft('views', 'max_views')} RETURNING id`,
    [id],
  );
  return counted.length > 0;
}

/** Counts one view of a collection by a share link; the limit of a collection is for those who come by its own address. */
export async function noteCollectionView(trx: Queryable, id: number): Promise<void> {
  await query(trx, 'UPDATE collections SET views = views + 1 WHERE id = ? AND max_views IS NULL', [id]);
}
