import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import { livingAt } from './content.js';

/** A content by its hash, and the file of an account that has it. */
export interface KnownContent {
  readonly sha256: string;
  readonly uniqueId: string;
}

/**
 * The oldest living file of an account for each of these contents, as they were sent or as they are kept; contents that
 * the account does not have are left out.
 */
export async function knownContents(
  db: Db,
  ownerId: number,
  hashes: readonly string[],
): Promise<KnownContent[]> {
  const list = JSON.stringify(hashes);
  const now = Date.now();
  const those = (column: string) =>
    `SELECT ${column} AS hash, id FROM images
     WHERE owner_id = ? AND ${db.dialect.inStrings(column)} AND ${livingAt('image')}`;
  const rows = await query<{ hash: string; unique_id: string }>(
    db.read,
    `SELECT k.hash, i.unique_id FROM
       (SELECT hash, MIN(id) AS id FROM (${those('sha256')} UNION ALL ${those('sent_sha256')}) a GROUP BY hash) k
     JOIN images i ON i.id = k.id ORDER BY i.id`,
    [ownerId, list, now, ownerId, list, now],
  );
  return rows.map((row) => ({ sha256: row.hash, uniqueId: row.unique_id }));
}
