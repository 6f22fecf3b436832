import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import { IN_NO_PACK } from '../content-filter.js';
import { livingAt } from '../content-lookup.js';

/** A content by its hash, and the file of an account that has it. */
export interface KnownContent {
  readonly sha256: string;
  readonly uniqueId: string;
}

/** It goes away only with its account, its owner's wish, or the trash; a file of a pack goes away with that. */
const LASTS = 'expires_at IS NULL AND max_views IS NULL';

/**
 * A living file of an account for each of these contents, as they were sent or as they are kept; contents that the
 * account does not have are left out. It is the oldest one without an end, or with `ending` the newest one, which may
 * have an end or a limit of views.
 */
export async function knownContents(
  db: Db,
  ownerId: number,
  hashes: readonly string[],
  { ending }: { readonly ending: boolean },
): Promise<KnownContent[]> {
  const list = JSON.stringify(hashes);
  const now = Date.now();
  const those = (column: string) =>
    `SELECT ${column} AS hash, id FROM images
     WHERE owner_id = ? AND ${db.dialect.inStrings(column)} AND ${livingAt('image')}
       AND ${ending ? IN_NO_PACK : `${LASTS} AND ${IN_NO_PACK}`}`;
  const rows = await query<{ hash: string; unique_id: string }>(
    db.read,
    `SELECT k.hash, i.unique_id FROM
       (SELECT hash, ${ending ? 'MAX' : 'MIN'}(id) AS id
        FROM (${those('sha256')} UNION ALL ${those('sent_sha256')}) a GROUP BY hash) k
     JOIN images i ON i.id = k.id ORDER BY i.id`,
    [ownerId, list, now, ownerId, list, now],
  );
  return rows.map((row) => ({ sha256: row.hash, uniqueId: row.unique_id }));
}
