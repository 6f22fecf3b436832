import { DELETED_USERS } from '../../account/account.js';
import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { type ImageRow, type StoredImage, storedImageFromRow } from '../file/image.js';
import type { Kind } from '../kinds.js';
import { KEPT } from '../life.js';
import { type Collection, collectionById } from './collection.js';

/** A file in a collection. */
export interface CollectionItem {
  readonly image: StoredImage;
  /** Where it is in the collection, `a/b/c.txt`; null for its own name. */
  readonly path: string | null;
  /** The last part of its address below `/files/`, if a portal gave it one; such a file belongs to its pack. */
  readonly address: string | null;
  /** The type that a portal gave it. */
  readonly fileType: string | null;
}

interface Row extends ImageRow {
  owner_name: string;
  path: string | null;
  address: string | null;
  file_type: string | null;
  collection_id: number;
}

/** SQL condition on `images c`: it is there. What a deleted account added to the collections of others is not. */
export const SHOWN = `c.${KEPT} AND c.owner_id NOT IN ${DELETED_USERS}`;

const COLUMNS = 'c.*, u.username AS owner_name, i.path, i.address, i.file_type, i.collection_id';
const TABLES = 'collection_items i JOIN images c ON c.id = i.image_id JOIN users u ON u.id = c.owner_id';

const fromRow = (row: Row): CollectionItem => ({
  image: storedImageFromRow(row),
  path: row.path,
  address: row.address,
  fileType: row.file_type,
});

/** A file of a collection as far as it decides who sees it, and counts into the whole. */
export interface CollectionEntry extends Pick<CollectionItem, 'address'> {
  readonly image: Pick<
    StoredImage,
    | 'id'
    | 'uniqueId'
    | 'ownerId'
    | 'mediaKind'
    | 'size'
    | 'isPublic'
    | 'passwordHash'
    | 'expiresAt'
    | 'views'
    | 'maxViews'
    | 'quarantine'
  >;
}

/**
 * What is in a collection, in its order, expired files included, those in the trash left out; short, because there may
 * be thousands. `itemsAmong` reads the files themselves.
 */
export async function entriesOf(db: Queryable, collectionId: number): Promise<CollectionEntry[]> {
  const found = await query<Row>(
    db,
    `SELECT c.id, c.unique_id, c.owner_id, c.media_kind, c.size, c.is_public, c.password_hash, c.expires_at, c.views, c.max_views, c.quarantine,
       i.address
     FROM collection_items i JOIN images c ON c.id = i.image_id
     WHERE i.collection_id = ? AND ${SHOWN} ORDER BY i.position, i.image_id`,
    [collectionId],
  );
  return found.map((row) => ({
    address: row.address,
    image: {
      id: row.id,
      uniqueId: row.unique_id,
      ownerId: row.owner_id,
      mediaKind: row.media_kind,
      size: row.size,
      isPublic: Boolean(row.is_public),
      passwordHash: row.password_hash,
      expiresAt: row.expires_at,
      views: row.views,
      maxViews: row.max_views,
      quarantine: row.quarantine,
    },
  }));
}

/** Those of these files that are still in a collection, in the order of the list; for a part of a long one. */
export async function itemsAmong(
  db: Db,
  collectionId: number,
  imageIds: readonly number[],
): Promise<CollectionItem[]> {
  const found = await query<Row>(
    db.read,
    `SELECT ${COLUMNS} FROM ${TABLES}
     WHERE i.collection_id = ? AND ${db.dialect.inNumbers('i.image_id')} AND ${SHOWN}`,
    [collectionId, JSON.stringify(imageIds)],
  );
  const rows = new Map(found.map((row) => [row.id, row]));
  return imageIds.flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [fromRow(row)];
  });
}

/** The first pictures of a collection that its owner may open, the cover before all others; none whose views are counted. */
export async function picturesIn(
  db: Queryable,
  { id, coverImageId, ownerId }: Pick<Collection, 'id' | 'coverImageId' | 'ownerId'>,
  limit: number,
): Promise<CollectionItem[]> {
  const found = await query<Row>(
    db,
    `SELECT ${COLUMNS} FROM ${TABLES}
     WHERE i.collection_id = ? AND ${SHOWN} AND c.thumbhash IS NOT NULL AND c.max_views IS NULL
       AND (c.owner_id = ? OR (c.is_public AND c.password_hash IS NULL))
     ORDER BY CASE WHEN i.image_id = ? THEN 0 ELSE 1 END, i.position, i.image_id LIMIT ?`,
    [id, ownerId, coverImageId ?? 0, limit],
  );
  return found.map(fromRow);
}

/** The file with this id (lower case) in a collection, or null. */
export async function itemOfCollection(
  db: Queryable,
  collectionId: number,
  key: string,
): Promise<CollectionItem | null> {
  const [row] = await query<Row>(
    db,
    `SELECT ${COLUMNS} FROM ${TABLES} WHERE i.collection_id = ? AND c.lookup_id = ? AND ${SHOWN}`,
    [collectionId, key],
  );
  return row === undefined ? null : fromRow(row);
}

/** The file at an address below `/files/` with its pack; null if there is none, or its account is deleted. */
export async function itemAtAddress(
  db: Queryable,
  address: string,
): Promise<{ readonly item: CollectionItem; readonly pack: Collection } | null> {
  const [row] = await query<Row>(db, `SELECT ${COLUMNS} FROM ${TABLES} WHERE i.address = ? AND ${SHOWN}`, [
    address,
  ]);
  if (row === undefined) return null;
  const pack = await collectionById(db, row.collection_id);
  return pack === null ? null : { item: fromRow(row), pack };
}

/** Whether a file has this address below `/files/`. */
export async function isAddressTaken(trx: Queryable, address: string): Promise<boolean> {
  const [row] = await query(trx, 'SELECT 1 AS taken FROM collection_items WHERE address = ?', [address]);
  return row !== undefined;
}

/** How many files are in a collection, private ones included. */
export async function sizeOfCollection(db: Queryable, collectionId: number): Promise<number> {
  const [row] = await query<{ size: number }>(
    db,
    `SELECT count(*) AS size FROM collection_items i JOIN images c ON c.id = i.image_id
     WHERE i.collection_id = ? AND ${SHOWN}`,
    [collectionId],
  );
  return row?.size ?? 0;
}

/** The row ids of a collection's files in their order; those in the trash only if asked for. */
export async function itemIds(trx: Queryable, collectionId: number, trashedToo = false): Promise<number[]> {
  const found = await query<{ image_id: number }>(
    trx,
    `SELECT i.image_id FROM collection_items i JOIN images c ON c.id = i.image_id
     WHERE i.collection_id = ? ${trashedToo ? '' : `AND c.${KEPT}`} ORDER BY i.position, i.image_id`,
    [collectionId],
  );
  return found.map((row) => row.image_id);
}

/** What every file of a collection is. */
const FILE = 'image' satisfies Kind;

/** The row ids of those files of a collection that have these ids or had them (lower case), by them. */
export async function idsAmong(
  db: Db,
  trx: Queryable,
  collectionId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await query<{ id: number; lookup_id: string }>(
    trx,
    `SELECT c.id, c.lookup_id FROM collection_items i JOIN images c ON c.id = i.image_id
     WHERE i.collection_id = ? AND ${SHOWN} AND ${db.dialect.inStrings('c.lookup_id')}
     UNION ALL SELECT c.id, a.lookup_id FROM item_aliases a JOIN images c ON c.id = a.item_id
     JOIN collection_items i ON i.image_id = c.id
     WHERE a.kind = ? AND i.collection_id = ? AND ${SHOWN} AND ${db.dialect.inStrings('a.lookup_id')}`,
    [collectionId, JSON.stringify(keys), FILE, collectionId, JSON.stringify(keys)],
  );
  return new Map(found.map((row) => [row.lookup_id, row.id]));
}
