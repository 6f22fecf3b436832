import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { indexItems } from '../../search/item-text.js';
import type { Image } from './image.js';

/** Where words were read: in the text of a document, or in a picture. */
export type WordSource = 'document' | 'picture';

/** SQL condition: a file may be read. What is sealed, limited in its views or in quarantine is never read. */
export const READABLE = 'seal IS NULL AND max_views IS NULL AND quarantine IS NULL';

/** Keeps what was read in the bytes of a file and makes it findable, unless it has other bytes or may not be read by now. */
export async function putWords(
  db: Db,
  trx: Queryable,
  { id, sha256 }: Pick<Image, 'id' | 'sha256'>,
  { source, words }: { readonly source: WordSource; readonly words: string },
): Promise<void> {
  const [present] = await query(
    trx,
    `SELECT id FROM images WHERE id = ? AND sha256 = ? AND ${READABLE} ${db.dialect.forUpdate}`,
    [id, sha256],
  );
  if (present === undefined) return;
  await query(
    trx,
    `INSERT INTO image_words (image_id, source, words) VALUES (?, ?, ?)
     ON CONFLICT (image_id) DO UPDATE SET source = excluded.source, words = excluded.words`,
    [id, source, words],
  );
  await indexItems(trx, 'image', [id]);
}

/** Forgets what was read in a file: it has other bytes, or may not be read any more. */
export async function dropWords(trx: Queryable, imageId: number): Promise<void> {
  const dropped = await query(trx, 'DELETE FROM image_words WHERE image_id = ? RETURNING image_id', [
    imageId,
  ]);
  if (dropped.length > 0) await indexItems(trx, 'image', [imageId]);
}

/** How far the older files are read. */
export interface WordFill {
  readonly doneId: number;
  readonly untilId: number;
}

/** How far the files are read that were stored before their words were asked for; null if all are. */
export async function wordFill(db: Queryable, source: WordSource): Promise<WordFill | null> {
  const [row] = await query<{ done_id: number; until_id: number }>(
    db,
    'SELECT done_id, until_id FROM word_fill WHERE source = ?',
    [source],
  );
  return row === undefined ? null : { doneId: row.done_id, untilId: row.until_id };
}

/** Notes how far older files are read; at their end it is forgotten. */
export async function noteWordFill(
  trx: Queryable,
  source: WordSource,
  { doneId, untilId }: WordFill,
): Promise<void> {
  const isOver = doneId >= untilId;
  await query(
    trx,
    isOver
      ? 'DELETE FROM word_fill WHERE until_id <= ? AND source = ?'
      : 'UPDATE word_fill SET done_id = ? WHERE source = ?',
    [doneId, source],
  );
}

/** Row ids among which the next older file is looked for at once. */
const LOOKED_AT = 5_000;

/**
 * The next file of one of these types that may be read and is not; null with none among those that are looked at.
 * `lookedAt` is the last of these.
 */
export async function nextUnread(
  db: Db,
  types: readonly string[],
  { doneId, untilId }: WordFill,
): Promise<{ readonly id: number | null; readonly lookedAt: number }> {
  const lookedAt = Math.min(untilId, doneId + LOOKED_AT);
  const [next] = await query<{ id: number }>(
    db.read,
    `SELECT id FROM images WHERE id > ? AND id <= ? AND ${db.dialect.inStrings('type')} AND ${READABLE}
       AND NOT EXISTS (SELECT 1 FROM image_words w WHERE w.image_id = images.id) ORDER BY id LIMIT 1`,
    [doneId, lookedAt, JSON.stringify(types)],
  );
  return { id: next?.id ?? null, lookedAt: next?.id ?? lookedAt };
}
