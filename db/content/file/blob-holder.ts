import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import { KIND_STORAGE } from '../kinds.js';

/** A row that references a blob. */
export interface BlobHolder {
  readonly sha256: string;
  /** A short description: `image`, `picture of account`. */
  readonly kind: string;
  /** The id that its owner sees. */
  readonly id: string;
  /** Name of the account; null if it no longer exists. */
  readonly owner: string | null;
}

const OF_ITEMS = Object.values(KIND_STORAGE).flatMap(({ table, blobs }) =>
  Object.entries(blobs).map(
    ([holder, column]) =>
      [holder, 'h.unique_id', `h.${column}`, `${table} h LEFT JOIN users u ON u.id = h.owner_id`] as const,
  ),
);

/** Everything that holds blobs: its description, id, hash, and FROM clause. `h` has the hash, `u` is the owner. */
const HOLDERS = [
  ...OF_ITEMS,
  [
    'smaller copy of image',
    'i.unique_id',
    'h.sha256',
    'renditions h JOIN images i ON i.sha256 = h.source_sha256 LEFT JOIN users u ON u.id = i.owner_id',
  ],
  ['picture of account', 'h.username', 'h.avatar_sha256', 'users h JOIN users u ON u.id = h.id'],
  [
    'attachment of mail',
    'CAST(h.mail_id AS text)',
    'h.sha256',
    `mail_attachments h JOIN mail_messages m ON m.id = h.mail_id JOIN mailboxes b ON b.id = m.mailbox_id
     LEFT JOIN users u ON u.id = b.owner_id`,
  ],
  [
    'original of mail',
    'CAST(h.mail_id AS text)',
    'h.original_sha256',
    `mail_contents h JOIN mail_messages m ON m.id = h.mail_id JOIN mailboxes b ON b.id = m.mailbox_id
     LEFT JOIN users u ON u.id = b.owner_id`,
  ],
  ['upload under way', 'h.unique_id', 'h.sha256', 'reservations h LEFT JOIN users u ON u.id = h.owner_id'],
] as const;

/** The rows that reference these blobs, at most `limit`. Reads whole tables: for diagnosis only. */
export async function blobHolders(db: Db, hashes: readonly string[], limit: number): Promise<BlobHolder[]> {
  const parts = HOLDERS.map(
    ([kind, id, sha256, from]) =>
      `SELECT ${sha256} AS sha256, '${kind}' AS kind, ${id} AS id, u.username AS owner
       FROM ${from} WHERE ${db.dialect.inStrings(sha256)}`,
  );
  return query(db.read, `${parts.join(' UNION ALL ')} ORDER BY 1, 2, 3 LIMIT ?`, [
    ...HOLDERS.map(() => JSON.stringify(hashes)),
    limit,
  ]);
}
