import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import { type Page, queryPage, type Window } from '../engine/paging.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { lookupId } from './content.js';
import { type ImageRow, type StoredImage, storedImageFromRow } from './image.js';

/** An ordered collection of images. */
export interface Playlist {
  readonly id: number;
  readonly uniqueId: string;
  readonly ownerId: number;
  readonly title: string;
  readonly description: string | null;
  readonly coverImageId: number | null;
  readonly views: number;
  readonly createdAt: number;
}

/** A playlist in a list. */
export type ListedPlaylist = Playlist & { readonly size: number };

/** A new playlist; it has no views and no cover. */
export type NewPlaylist = Omit<Playlist, 'id' | 'coverImageId' | 'views'>;

interface Row {
  id: number;
  unique_id: string;
  owner_id: number;
  title: string;
  description: string | null;
  cover_image_id: number | null;
  views: number;
  created_at: number;
}

const fromRow = (row: Row): Playlist => ({
  id: row.id,
  uniqueId: row.unique_id,
  ownerId: row.owner_id,
  title: row.title,
  description: row.description,
  coverImageId: row.cover_image_id,
  views: row.views,
  createdAt: row.created_at,
});

const BY_KEY = `SELECT * FROM playlists WHERE lookup_id = ? AND owner_id NOT IN ${DELETED_USERS}`;

/** The playlist with this id (lower case), or null; playlists of deleted accounts are not found. */
export async function playlistByKey(db: Queryable, key: string): Promise<Playlist | null> {
  const [row] = await query<Row>(db, BY_KEY, [key]);
  return row === undefined ? null : fromRow(row);
}

/** As `playlistByKey`, inside a write: locks the playlist until the commit. */
export async function lockPlaylist(db: Db, trx: Queryable, key: string): Promise<Playlist | null> {
  const [row] = await query<Row>(trx, `${BY_KEY} ${db.dialect.forUpdate}`, [key]);
  return row === undefined ? null : fromRow(row);
}

/** Inserts a playlist and returns it as stored; violates a unique index if the id is taken. */
export async function insertPlaylist(trx: Queryable, playlist: NewPlaylist): Promise<Playlist> {
  const [row] = await trx('playlists')
    .insert({
      unique_id: playlist.uniqueId,
      lookup_id: lookupId(playlist.uniqueId),
      owner_id: playlist.ownerId,
      title: playlist.title,
      description: playlist.description,
      views: 0,
      created_at: playlist.createdAt,
    })
    .returning('*');
  return fromRow(row);
}

/** Changes the given fields of a playlist; missing ones stay the same. */
export async function updatePlaylist(
  trx: Queryable,
  id: number,
  change: Partial<Pick<Playlist, 'title' | 'description' | 'coverImageId'>>,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const { title, description, coverImageId } = change;
  // knex leaves out undefined values.
  await trx('playlists').where('id', id).update({ title, description, cover_image_id: coverImageId });
}

/** Counts one view of a playlist; false if it is gone. */
export async function countPlaylistView(trx: Queryable, id: number): Promise<boolean> {
  return (await trx('playlists').where('id', id).increment('views', 1)) > 0;
}

/** Deletes a playlist; its images stay. False if it was already deleted. */
export async function deletePlaylist(trx: Queryable, id: number): Promise<boolean> {
  return (await trx('playlists').where('id', id).delete()) > 0;
}

/** Deletes some playlists of an account, at most `limit`; false if it has none. */
export async function deletePlaylistsOf(trx: Queryable, ownerId: number, limit: number): Promise<boolean> {
  const some = trx('playlists').select('id').where('owner_id', ownerId).orderBy('id').limit(limit);
  return (await trx('playlists').whereIn('id', some).delete()) > 0;
}

/** Playlists of an account, newest first, and how many there are. */
export const playlistsOf = (db: Db, ownerId: number, window: Window): Promise<Page<ListedPlaylist>> =>
  queryPage(
    db,
    {
      columns: 'p.*, (SELECT count(*) FROM playlist_items i WHERE i.playlist_id = p.id) AS size',
      from: 'playlists p',
      where: [['p.owner_id = ?', ownerId]],
    },
    window,
    (row: Row & { size: number }) => ({ ...fromRow(row), size: row.size }),
  );

/** The images of a playlist in their order, expired ones included. */
export async function imagesOfPlaylist(db: Queryable, playlistId: number): Promise<StoredImage[]> {
  const found = await query<ImageRow & { owner_name: string }>(
    db,
    `SELECT c.*, u.username AS owner_name
     FROM playlist_items i JOIN images c ON c.id = i.image_id JOIN users u ON u.id = c.owner_id
     WHERE i.playlist_id = ? ORDER BY i.position, i.image_id`,
    [playlistId],
  );
  return found.map(storedImageFromRow);
}

/** How many images are in a playlist, private ones included. */
export async function playlistSize(db: Queryable, playlistId: number): Promise<number> {
  const [row] = await query<{ size: number }>(
    db,
    'SELECT count(*) AS size FROM playlist_items WHERE playlist_id = ?',
    [playlistId],
  );
  return row?.size ?? 0;
}

/** The row ids of a playlist's images in their order. */
export async function itemIds(trx: Queryable, playlistId: number): Promise<number[]> {
  const found: { image_id: number }[] = await trx('playlist_items')
    .select('image_id')
    .where('playlist_id', playlistId)
    .orderBy(['position', 'image_id']);
  return found.map((row) => row.image_id);
}

/** Appends images to a playlist; violates its primary key if one is already in it. */
export async function addItems(
  db: Db,
  trx: Queryable,
  playlistId: number,
  imageIds: readonly number[],
): Promise<void> {
  const last = await trx('playlist_items')
    .where('playlist_id', playlistId)
    .max('position as position')
    .first();
  const next = (last?.position ?? -1) + 1;
  await query(
    trx,
    `INSERT INTO playlist_items (playlist_id, image_id, position)
     SELECT CAST(? AS integer), image_id, position
     FROM ${db.dialect.rowsOf('items', { image_id: 'bigint', position: 'bigint' })}`,
    [playlistId, JSON.stringify(imageIds.map((id, index) => [id, next + index]))],
  );
}

/** Removes an image from a playlist; false if it is not in it. */
export async function removeItem(trx: Queryable, playlistId: number, imageId: number): Promise<boolean> {
  return (await trx('playlist_items').where({ playlist_id: playlistId, image_id: imageId }).delete()) > 0;
}

/** Orders the images of a playlist as in this list. */
export async function orderItems(
  db: Db,
  trx: Queryable,
  playlistId: number,
  imageIds: readonly number[],
): Promise<void> {
  await query(
    trx,
    `UPDATE playlist_items SET position = wanted.position
     FROM ${db.dialect.rowsOf('wanted', { image_id: 'bigint', position: 'bigint' })}
     WHERE playlist_items.playlist_id = ? AND playlist_items.image_id = wanted.image_id`,
    [JSON.stringify(imageIds.map((id, index) => [id, index])), playlistId],
  );
}
