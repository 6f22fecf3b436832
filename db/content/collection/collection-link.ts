import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { UNEXPIRED, usesLeft } from '../life.js';

/** A link that opens a collection by its own secret, whatever the privacy of the collection. */
export interface ShareLink {
  readonly id: number;
  readonly collectionId: number;
  /** The secret, encrypted: its owner can see the address again. */
  readonly secretCipher: string;
  readonly passwordHash: string | null;
  readonly expiresAt: number | null;
  readonly maxViews: number | null;
  readonly views: number;
  readonly note: string | null;
  readonly createdAt: number;
}

interface Row {
  id: number;
  collection_id: number;
  secret_cipher: string;
  password_hash: string | null;
  expires_at: number | null;
  max_views: number | null;
  views: number;
  note: string | null;
  created_at: number;
}

const fromRow = (row: Row): ShareLink => ({
  id: row.id,
  collectionId: row.collection_id,
  secretCipher: row.secret_cipher,
  passwordHash: row.password_hash,
  expiresAt: row.expires_at,
  maxViews: row.max_views,
  views: row.views,
  note: row.note,
  createdAt: row.created_at,
});

/** What can be changed of a share link. */
export type ShareLinkChange = Partial<Pick<ShareLink, 'passwordHash' | 'expiresAt' | 'maxViews' | 'note'>>;

/** Inserts a share link and returns it as stored. */
export async function insertShareLink(
  trx: Queryable,
  link: Omit<ShareLink, 'id' | 'views'> & { readonly secretHash: string },
): Promise<ShareLink> {
  const [row] = await trx('collection_links')
    .insert({
      collection_id: link.collectionId,
      secret_hash: link.secretHash,
      secret_cipher: link.secretCipher,
      password_hash: link.passwordHash,
      expires_at: link.expiresAt,
      max_views: link.maxViews,
      views: 0,
      note: link.note,
      created_at: link.createdAt,
    })
    .returning('*');
  return fromRow(row);
}

/** The share link with this secret, or null. */
export async function shareLinkBySecret(db: Queryable, secretHash: string): Promise<ShareLink | null> {
  const [row] = await query<Row>(db, 'SELECT * FROM collection_links WHERE secret_hash = ?', [secretHash]);
  return row === undefined ? null : fromRow(row);
}

/** The share links of a collection, newest first. */
export async function shareLinksOf(db: Queryable, collectionId: number): Promise<ShareLink[]> {
  const rows = await query<Row>(
    db,
    'SELECT * FROM collection_links WHERE collection_id = ? ORDER BY id DESC',
    [collectionId],
  );
  return rows.map(fromRow);
}

/** Changes the given fields of a share link of a collection and returns it; null if it has no such link. */
export async function updateShareLink(
  trx: Queryable,
  collectionId: number,
  id: number,
  change: ShareLinkChange,
): Promise<ShareLink | null> {
  const { passwordHash, expiresAt, maxViews, note } = change;
  const of = () => trx('collection_links').where({ id, collection_id: collectionId });
  // knex leaves out undefined values, and refuses an update that has no others.
  const columns = { password_hash: passwordHash, expires_at: expiresAt, max_views: maxViews, note };
  if (Object.values(columns).some((value) => value !== undefined)) await of().update(columns);
  const row: Row | undefined = await of().first();
  return row === undefined ? null : fromRow(row);
}

/** Deletes a share link of a collection; false if it has no such link. */
export async function deleteShareLink(trx: Queryable, collectionId: number, id: number): Promise<boolean> {
  return (await trx('collection_links').where({ id, collection_id: collectionId }).delete()) > 0;
}

/** Counts one view of a share link unless its limit is reached; true if the view is allowed. */
export async function takeShareView(trx: Queryable, id: number, at: number): Promise<boolean> {
  const taken = await query(
    trx,
    `UPDATE collection_links SET views = views + 1 WHERE id = ? AND ${usesLeft('views', 'max_views')}
     AND ${UNEXPIRED} RETURNING id`,
    [id, at],
  );
  return taken.length > 0;
}
