import type { Db } from '../../engine/connect.js';
import type { Page, Window } from '../../engine/paging.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import {
  type Content,
  type ContentRow,
  contentFromRow,
  insertContent,
  type NewContent,
  only,
} from '../content.js';
import { rowsByIds } from '../content-lookup.js';
import { type ContentSearch, searchContent } from '../content-search.js';
import { KEPT, usesLeft } from '../life.js';

/** An uploaded file as stored. */
export interface Image extends Content {
  readonly sha256: string;
  /** The hash of the bytes as they were sent, if metadata was removed from them. */
  readonly sentSha256: string | null;
  readonly size: number;
  readonly mimeType: string;
  readonly type: string;
  readonly mediaKind: 'image' | 'video' | 'audio' | 'other';
  readonly originalName: string | null;
  /** The sealed name of a file that its sender encrypted, "" without one; null for all others. */
  readonly seal: string | null;
  readonly description: string | null;
  readonly source: string;
  readonly location: 'LOCAL' | 'S3';
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly animated: boolean;
  /** What became of its metadata; null if that is not known, or if it is no medium. */
  readonly metadata: 'removed' | 'mayRemain' | 'kept' | null;
  readonly thumbhash: string | null;
  readonly posterSha256: string | null;
  readonly maxViews: number | null;
  /** Views that used up some of its limit. */
  readonly views: number;
  /** How often it was opened, at most some seconds behind. */
  readonly opened: number;
}

/** An image with the name of its owner, which every response with its bytes contains. */
export type StoredImage = Image & { readonly ownerName: string };

/** A new image; its counts start at zero. */
export type NewImage = NewContent &
  Omit<Image, keyof Content | 'views' | 'opened' | 'seal'> &
  Partial<Pick<Image, 'seal'>>;

/** A row of `images`. */
export interface ImageRow extends ContentRow {
  sha256: string;
  sent_sha256: string | null;
  size: number;
  mime_type: string;
  type: string;
  media_kind: Image['mediaKind'];
  original_name: string | null;
  seal: string | null;
  description: string | null;
  source: string;
  location: Image['location'];
  width: number | null;
  height: number | null;
  duration_ms: number | null;
  animated: boolean | number;
  metadata: Image['metadata'];
  thumbhash: string | null;
  poster_sha256: string | null;
  max_views: number | null;
  views: number;
  opened: number;
}

/** A row as an image. */
export const imageFromRow = (row: ImageRow): Image => ({
  sha256: row.sha256,
  sentSha256: row.sent_sha256,
  size: row.size,
  mimeType: row.mime_type,
  type: row.type,
  mediaKind: row.media_kind,
  originalName: row.original_name,
  seal: row.seal,
  description: row.description,
  source: row.source,
  location: row.location,
  width: row.width,
  height: row.height,
  durationMs: row.duration_ms,
  animated: Boolean(row.animated),
  metadata: row.metadata,
  thumbhash: row.thumbhash,
  posterSha256: row.poster_sha256,
  maxViews: row.max_views,
  views: row.views,
  opened: row.opened,
  ...contentFromRow(row),
});

/** An image from its row joined with the name of its owner. */
export const storedImageFromRow = (row: ImageRow & { owner_name: string }): StoredImage => ({
  ownerName: row.owner_name,
  ...imageFromRow(row),
});

/** Images by id (lower case), in the requested order; null for unknown ids. Expired ones are included. */
export async function imagesByIds(db: Db, keys: readonly string[]): Promise<(StoredImage | null)[]> {
  const found = await rowsByIds<ImageRow>(db, 'image', keys);
  return found.map((row) => (row === null ? null : storedImageFromRow(row)));
}

/** Images of all accounts that are not deleted, newest first, including expired ones. */
export const searchImages = (db: Db, search: ContentSearch, window: Window): Promise<Page<Image>> =>
  searchContent(db, 'image', search, window, imageFromRow);

/** What an image is by its bytes. */
export type FileFacts = Pick<
  Image,
  | 'sha256'
  | 'sentSha256'
  | 'size'
  | 'mimeType'
  | 'type'
  | 'mediaKind'
  | 'location'
  | 'width'
  | 'height'
  | 'durationMs'
  | 'animated'
  | 'metadata'
  | 'posterSha256'
>;

/** The columns of the bytes of an image. */
export const fileColumns = (file: FileFacts) => ({
  sha256: file.sha256,
  sent_sha256: file.sentSha256,
  size: file.size,
  mime_type: file.mimeType,
  type: file.type,
  media_kind: file.mediaKind,
  location: file.location,
  width: file.width,
  height: file.height,
  duration_ms: file.durationMs,
  animated: file.animated,
  metadata: file.metadata,
  poster_sha256: file.posterSha256,
});

/** Inserts images and returns them as stored, in their order; violates a unique index if an id is taken. */
export async function insertImages(trx: Queryable, images: readonly NewImage[]): Promise<Image[]> {
  const rows = await insertContent<ImageRow>(
    trx,
    'image',
    images.map((image) => ({
      item: image,
      own: {
        original_name: image.originalName,
        seal: image.seal ?? null,
        description: image.description,
        source: image.source,
        thumbhash: image.thumbhash,
        max_views: image.maxViews,
        views: 0,
        opened: 0,
        ...fileColumns(image),
      },
      weight: { format: image.type, bytes: image.size },
    })),
  );
  return rows.map(imageFromRow);
}

/** As `insertImages`, for one. */
export const insertImage = async (trx: Queryable, image: NewImage): Promise<Image> =>
  only(await insertImages(trx, [image]));

/** Counts one view unless the limit is reached; true if the view is allowed. */
export async function takeView(trx: Queryable, id: number): Promise<boolean> {
  const taken = await query(
    trx,
    `UPDATE images SET views = views + 1 WHERE id = ? AND ${usesLeft('views', 'max_views')} RETURNING id`,
    [id],
  );
  return taken.length > 0;
}

/** Reads an image inside a write and locks it until the commit. Null if it is gone. */
export async function lockImage(db: Db, trx: Queryable, id: number): Promise<Image | null> {
  const [row] = await query<ImageRow>(trx, `SELECT * FROM images WHERE id = ? ${db.dialect.forUpdate}`, [id]);
  return row === undefined ? null : imageFromRow(row);
}

/** The image with this row id, or null. */
export async function imageById(db: Queryable, id: number): Promise<Image | null> {
  const [row] = await query<ImageRow>(db, 'SELECT * FROM images WHERE id = ?', [id]);
  return row === undefined ? null : imageFromRow(row);
}

/** The images with these row ids, those in the trash as well. */
export async function imagesByRowId(db: Db, trx: Queryable, ids: readonly number[]): Promise<Image[]> {
  const found = await query<ImageRow>(
    trx,
    `SELECT * FROM images WHERE ${db.dialect.inNumbers('id')} ORDER BY id`,
    [JSON.stringify(ids)],
  );
  return found.map(imageFromRow);
}

/** The row ids of an account's images by id or former id (lower case), in the requested order; null for all other ids. */
export async function ownImageIds(
  db: Db,
  trx: Queryable,
  ownerId: number,
  keys: readonly string[],
): Promise<(number | null)[]> {
  const found = await query<{ id: number; lookup_id: string }>(
    trx,
    `SELECT id, lookup_id FROM images WHERE owner_id = ? AND ${KEPT} AND ${db.dialect.inStrings('lookup_id')}
     UNION ALL SELECT images.id, a.lookup_id FROM item_aliases a JOIN images ON images.id = a.item_id
     WHERE a.kind = 'image' AND owner_id = ? AND ${KEPT} AND ${db.dialect.inStrings('a.lookup_id')}`,
    [ownerId, JSON.stringify(keys), ownerId, JSON.stringify(keys)],
  );
  const ids = new Map(found.map((row) => [row.lookup_id, row.id]));
  return keys.map((key) => ids.get(key) ?? null);
}

/** Whether any of the images with these row ids is not sealed. */
export async function anyUnsealed(db: Db, trx: Queryable, ids: readonly number[]): Promise<boolean> {
  const found = await query(
    trx,
    `SELECT 1 AS found FROM images WHERE ${db.dialect.inNumbers('id')} AND seal IS NULL LIMIT 1`,
    [JSON.stringify(ids)],
  );
  return found.length > 0;
}
