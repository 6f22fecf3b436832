import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

/** Identifies a rendition: the source's hash, a step of the width ladder, and a format, "" for the source's own. */
export interface RenditionName {
  readonly sourceSha256: string;
  readonly width: number;
  readonly format: string;
}

/** A rendition as it was found: `usedAt` is about when it was last asked for. */
type FoundRendition = StoredRendition & { readonly usedAt: number };

/** A rendition that is stored as a blob. */
export interface StoredRendition {
  readonly sha256: string;
  readonly size: number;
  readonly mimeType: string;
  readonly extension: string;
}

interface Row {
  sha256: string | null;
  size: number | null;
  mime_type: string | null;
  extension: string | null;
  created_at: number;
}

/** The rendition with this name: stored, known to be impossible, or null if it was not tried yet. */
export async function findRendition(
  db: Queryable,
  name: RenditionName,
): Promise<FoundRendition | 'IMPOSSIBLE' | null> {
  const [row] = await query<Row>(
    db,
    'SELECT sha256, size, mime_type, extension, created_at FROM renditions WHERE source_sha256 = ? AND width = ? AND format = ?',
    [name.sourceSha256, name.width, name.format],
  );
  if (row === undefined) return null;
  if (row.sha256 === null) return 'IMPOSSIBLE';
  return {
    sha256: row.sha256,
    size: row.size ?? 0,
    mimeType: row.mime_type ?? '',
    extension: row.extension ?? '',
    usedAt: row.created_at,
  };
}

/**
 * Stores a rendition, or that it cannot be made (null), as long as a row references its source. False if the
 * source is gone or the rendition was already stored; then nothing is changed.
 */
export async function insertRendition(
  db: Db,
  trx: Queryable,
  name: RenditionName,
  made: StoredRendition | null,
  at: number,
): Promise<boolean> {
  const source = await query(
    trx,
    `SELECT refs FROM blobs WHERE sha256 = ? AND refs > 0 ${db.dialect.forUpdate}`,
    [name.sourceSha256],
  );
  if (source.length === 0) return false;
  const inserted = await query(
    trx,
    `INSERT INTO renditions (source_sha256, width, format, sha256, size, mime_type, extension, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (source_sha256, width, format) DO NOTHING RETURNING source_sha256`,
    [
      name.sourceSha256,
      name.width,
      name.format,
      made?.sha256 ?? null,
      made?.size ?? null,
      made?.mimeType ?? null,
      made?.extension ?? null,
      at,
    ],
  );
  return inserted.length > 0;
}

/** For each of these sources, whether a rendition of it is known to be impossible; null if not. */
export async function impossibleSources(db: Queryable, sources: readonly string[]): Promise<(true | null)[]> {
  const rows: { source_sha256: string }[] = await db('renditions')
    .distinct('source_sha256')
    .whereNull('sha256')
    .whereIn('source_sha256', sources);
  const known = new Set(rows.map((row) => row.source_sha256));
  return sources.map((source) => (known.has(source) ? true : null));
}

/** Deletes every rendition of these bytes; returns the other blobs that the deleted rows referenced. */
export async function deleteRenditions(trx: Queryable, sourceSha256: string): Promise<string[]> {
  const removed = await query<{ sha256: string | null }>(
    trx,
    'DELETE FROM renditions WHERE source_sha256 = ? RETURNING sha256',
    [sourceSha256],
  );
  return removed.flatMap(({ sha256 }) => (sha256 === null || sha256 === sourceSha256 ? [] : [sha256]));
}

/** How many bytes the stored renditions have together. An image that is its own rendition takes nothing more. */
export async function renditionBytes(db: Queryable): Promise<number> {
  const [row] = await query<{ bytes: number | null }>(
    db,
    'SELECT sum(size) AS bytes FROM renditions WHERE sha256 <> source_sha256',
  );
  return Number(row?.bytes ?? 0);
}

/** Records that a rendition was asked for: it counts as new, so that others are deleted before it. */
export async function noteRenditionUse(trx: Queryable, name: RenditionName, at: number): Promise<void> {
  await query(
    trx,
    'UPDATE renditions SET created_at = ? WHERE source_sha256 = ? AND width = ? AND format = ? AND sha256 IS NOT NULL',
    [at, name.sourceSha256, name.width, name.format],
  );
}

/**
 * Deletes the stored renditions that were not asked for for longest, at least this many bytes but at most `limit` of them and none of the `newest`;
 * returns their blobs.
 */
export async function deleteOldestRenditions(
  trx: Queryable,
  bytes: number,
  { limit, newest }: { readonly limit: number; readonly newest: number },
): Promise<string[]> {
  const removed = await query<{ sha256: string }>(
    trx,
    `DELETE FROM renditions WHERE (source_sha256, width, format) IN (
       SELECT source_sha256, width, format FROM (
         SELECT source_sha256, width, format, size,
           sum(size) OVER (ORDER BY created_at, source_sha256, width, format) AS up_to,
           count(*) OVER () - row_number() OVER (ORDER BY created_at, source_sha256, width, format) AS newer
         FROM renditions WHERE sha256 <> source_sha256
       ) AS aged WHERE up_to - size < ? AND newer >= ? ORDER BY up_to LIMIT ?
     ) RETURNING sha256`,
    [bytes, newest, limit],
  );
  return removed.map(({ sha256 }) => sha256);
}

/** Deletes failures recorded before `at`, so that they are retried; returns how many. */
export async function deleteFailedRenditions(trx: Queryable, at: number): Promise<number> {
  return trx('renditions').whereNull('sha256').andWhere('created_at', '<', at).delete();
}
