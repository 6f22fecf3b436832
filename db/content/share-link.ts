import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { type SharedKind, tableOf } from './kinds.js';
import { KEPT, UNEXPIRED, usesLeft } from './life.js';
import { forgetTold, type Notify } from './told/told.js';

/** An item or collection as a share link names it. */
export interface Shared {
  readonly kind: SharedKind;
  readonly id: number;
}

/** A link that opens an item or a collection by its own secret, whatever the privacy of that. */
export interface ShareLink {
  readonly id: number;
  readonly of: Shared;
  /** The secret, encrypted: its owner can see the address again. */
  readonly secretCipher: string;
  readonly passwordHash: string | null;
  readonly expiresAt: number | null;
  readonly maxViews: number | null;
  readonly views: number;
  /** For whom it is, as its owner says. */
  readonly label: string | null;
  /** Whether it shows pictures in a smaller size only. */
  readonly renditionsOnly: boolean;
  /** Whether its owner is told that it was opened. */
  readonly notify: Notify;
  readonly createdAt: number;
}

interface Row {
  id: number;
  collection_id: number | null;
  image_id: number | null;
  paste_id: number | null;
  secret_cipher: string;
  password_hash: string | null;
  expires_at: number | null;
  max_views: number | null;
  views: number;
  note: string | null;
  renditions_only: boolean | number;
  telling: Notify;
  created_at: number;
}

const COLUMN = {
  collection: 'collection_id',
  image: 'image_id',
  paste: 'paste_id',
} as const satisfies Readonly<Record<SharedKind, keyof Row>>;

const KINDS = Object.keys(COLUMN) as SharedKind[];

function sharedBy(row: Row): Shared {
  for (const kind of KINDS) {
    const id = row[COLUMN[kind]];
    if (id !== null) return { kind, id };
  }
  throw new Error(`share_links: ${row.id} opens nothing`);
}

const fromRow = (row: Row): ShareLink => ({
  id: row.id,
  of: sharedBy(row),
  secretCipher: row.secret_cipher,
  passwordHash: row.password_hash,
  expiresAt: row.expires_at,
  maxViews: row.max_views,
  views: row.views,
  label: row.note,
  renditionsOnly: Boolean(row.renditions_only),
  notify: row.telling,
  createdAt: row.created_at,
});

type ShareLinkChange = Partial<
  Pick<ShareLink, 'passwordHash' | 'expiresAt' | 'maxViews' | 'label' | 'renditionsOnly' | 'notify'>
>;

/** Locks what is shared until the commit; false if it is gone or in the trash. */
export async function lockShared(db: Db, trx: Queryable, { kind, id }: Shared): Promise<boolean> {
  const rows = await query(
    trx,
    `SELECT id FROM ${tableOf(kind)} WHERE id = ? AND ${KEPT} ${db.dialect.forUpdate}`,
    [id],
  );
  return rows.length > 0;
}

/** Inserts a share link and returns it as stored. */
export async function insertShareLink(
  trx: Queryable,
  link: Omit<ShareLink, 'id' | 'views'> & { readonly secretHash: string },
): Promise<ShareLink> {
  const [row] = await trx('share_links')
    .insert({
      [COLUMN[link.of.kind]]: link.of.id,
      secret_hash: link.secretHash,
      secret_cipher: link.secretCipher,
      password_hash: link.passwordHash,
      expires_at: link.expiresAt,
      max_views: link.maxViews,
      views: 0,
      note: link.label,
      renditions_only: link.renditionsOnly,
      telling: link.notify,
      created_at: link.createdAt,
    })
    .returning('*');
  return fromRow(row);
}

/** A share link, and the id of the item that it opens; null for a collection, which is looked up by its row id. */
export interface FoundShareLink extends ShareLink {
  readonly uniqueId: string | null;
}

/** The share link with this secret, or null; what it opens may be in the trash. */
export async function shareLinkBySecret(db: Queryable, secretHash: string): Promise<FoundShareLink | null> {
  const [row] = await query<Row & { unique_id: string | null }>(
    db,
    `SELECT l.*, coalesce(i.unique_id, p.unique_id) AS unique_id FROM share_links l
     LEFT JOIN images i ON i.id = l.image_id LEFT JOIN pastes p ON p.id = l.paste_id WHERE l.secret_hash = ?`,
    [secretHash],
  );
  return row === undefined ? null : { uniqueId: row.unique_id, ...fromRow(row) };
}

/** The share links of an item or collection, newest first. */
export async function shareLinksOf(db: Queryable, { kind, id }: Shared): Promise<ShareLink[]> {
  const rows = await query<Row>(
    db,
    `SELECT * FROM share_links WHERE ${COLUMN[kind]} = ? ORDER BY share_links.id DESC`,
    [id],
  );
  return rows.map(fromRow);
}

/** Changes the given fields of a share link and returns it; null if this has no such link. */
export async function updateShareLink(
  trx: Queryable,
  { kind, id }: Shared,
  linkId: number,
  change: ShareLinkChange,
): Promise<ShareLink | null> {
  const of = () => trx('share_links').where({ id: linkId, [COLUMN[kind]]: id });
  // knex leaves out undefined values, and refuses an update that has no others.
  const columns = {
    password_hash: change.passwordHash,
    expires_at: change.expiresAt,
    max_views: change.maxViews,
    note: change.label,
    renditions_only: change.renditionsOnly,
    telling: change.notify,
  };
  if (Object.values(columns).some((value) => value !== undefined)) await of().update(columns);
  const row: Row | undefined = await of().first();
  if (row !== undefined && change.notify !== undefined) await forgetTold(trx, 'share', linkId);
  return row === undefined ? null : fromRow(row);
}

/** Deletes a share link; false if this has no such link. */
export async function deleteShareLink(
  trx: Queryable,
  { kind, id }: Shared,
  linkId: number,
): Promise<boolean> {
  const deleted = await trx('share_links')
    .where({ id: linkId, [COLUMN[kind]]: id })
    .delete();
  if (deleted > 0) await forgetTold(trx, 'share', linkId);
  return deleted > 0;
}

/** Counts one view of a share link unless its limit is reached; true if the view is allowed. */
export async function takeShareView(trx: Queryable, id: number, at: number): Promise<boolean> {
  const taken = await query(
    trx,
    `UPDATE share_links SET views = views + 1 WHERE id = ? AND ${usesLeft('views', 'max_views')}
     AND ${UNEXPIRED} RETURNING id`,
    [id, at],
  );
  return taken.length > 0;
}
