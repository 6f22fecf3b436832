import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { overwriting } from '../../engine/secure-delete.js';
import { indexItems } from '../../search/item-text.js';
import { textIndexOf } from '../../search/text-index.js';
import type { Image } from './image.js';

/** Where words were read: in the text of a document, or in a picture. */
export type WordSource = 'document' | 'picture';

/** SQL condition: a file may be read. What is sealed, limited in its views or in quarantine is never read. */
const READABLE = 'seal IS NULL AND max_views IS NULL AND quarantine IS NULL';

/** SQL conditions for what is read in files: words in pictures only while that is on, here and in the account. */
const READS: Readonly<Record<WordSource, string>> = {
  document: READABLE,
  picture: `${READABLE} AND EXISTS (SELECT 1 FROM word_fill WHERE source = 'picture')
    AND owner_id IN (SELECT id FROM users WHERE ocr)`,
};

/** A word in a picture: the text, and its left, top, width and height. */
export type StoredBox = readonly [text: string, x: number, y: number, width: number, height: number];

/** What was read in a file; a file without words has an empty text. */
export interface StoredWords {
  readonly source: WordSource;
  readonly words: string;
  /** Null where words have no places. */
  readonly boxes: readonly StoredBox[] | null;
}

/** Whether a file is to be read: its account may not want it. */
export async function isToBeRead(db: Queryable, id: number, source: WordSource): Promise<boolean> {
  const found = await query(db, `SELECT 1 FROM images WHERE id = ? AND ${READS[source]}`, [id]);
  return found.length > 0;
}

/** Keeps what was read in the bytes of a file and makes it findable, unless it has other bytes or may not be read by now. */
export async function putWords(
  db: Db,
  trx: Queryable,
  { id, sha256 }: Pick<Image, 'id' | 'sha256'>,
  { source, words, boxes }: StoredWords,
): Promise<void> {
  const [present] = await query(
    trx,
    `SELECT id FROM images WHERE id = ? AND sha256 = ? AND ${READS[source]} ${db.dialect.forUpdate}`,
    [id, sha256],
  );
  if (present === undefined) return;
  await query(
    trx,
    `INSERT INTO image_words (image_id, source, words, boxes) VALUES (?, ?, ?, ?)
     ON CONFLICT (image_id) DO UPDATE SET source = excluded.source, words = excluded.words, boxes = excluded.boxes`,
    [id, source, words, boxes === null ? null : JSON.stringify(boxes)],
  );
  await indexItems(trx, 'image', [id]);
}

interface Row {
  readonly image_id: number;
  readonly source: WordSource;
  readonly words: string;
  readonly boxes: string | null;
}

/** What was read in a picture; `boxes` are taken apart when they are asked for, because there may be thousands. */
interface KeptWords {
  readonly words: string;
  boxes(): readonly StoredBox[];
}

/** What was read in these pictures, by their row ids; without those that were not read. */
export async function pictureWordsOf(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, KeptWords>> {
  const rows = await query<Row>(
    db.read,
    `SELECT image_id, words, boxes FROM image_words WHERE ${db.dialect.inNumbers('image_id')} AND source = 'picture'`,
    [JSON.stringify(ids)],
  );
  return new Map(
    rows.map(({ image_id, words, boxes }) => [image_id, { words, boxes: () => JSON.parse(boxes ?? '[]') }]),
  );
}

/** Forgets what was read in a file: it has other bytes, or may not be read any more. */
export async function dropWords(trx: Queryable, imageId: number): Promise<void> {
  const dropped = await query(trx, 'DELETE FROM image_words WHERE image_id = ? RETURNING image_id', [
    imageId,
  ]);
  if (dropped.length > 0) await indexItems(trx, 'image', [imageId]);
}

/** How far the older files are read. */
interface WordFill {
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

/** Notes how far older files are read. */
export async function noteWordFill(trx: Queryable, source: WordSource, doneId: number): Promise<void> {
  await query(trx, 'UPDATE word_fill SET done_id = ? WHERE source = ? AND done_id < ?', [
    ...[doneId, source, doneId],
  ]);
}

/** Has all files read that are stored by now and are not read yet; `again` also looks at those that were passed over. */
export async function beginWordFill(
  trx: Queryable,
  source: WordSource,
  { again }: { readonly again: boolean },
): Promise<void> {
  await query(
    trx,
    `INSERT INTO word_fill (source, done_id, until_id) SELECT ?, 0, coalesce(max(id), 0) FROM images WHERE true
     ON CONFLICT (source) DO UPDATE SET until_id = excluded.until_id${again ? ', done_id = 0' : ''}`,
    [source],
  );
}

/** From now on no words in pictures are kept; true if that was on, or some are left. */
export async function endPictureWords(trx: Queryable): Promise<boolean> {
  const ended = await query(trx, "DELETE FROM word_fill WHERE source = 'picture' RETURNING source");
  const left = await query(trx, "SELECT 1 AS found FROM image_words WHERE source = 'picture' LIMIT 1");
  return ended.length + left.length > 0;
}

/** Pictures whose words are forgotten in one step. */
const FORGOTTEN_AT_ONCE = 100;

/** Forgets words in pictures where they are not read any more, of at most 100 pictures, and returns of how many. */
export function forgetPictureWords(trx: Queryable): Promise<number> {
  return overwriting(trx, async () => {
    const gone = await query<{ image_id: number }>(
      trx,
      `DELETE FROM image_words WHERE image_id IN (
         SELECT w.image_id FROM image_words w JOIN images i ON i.id = w.image_id JOIN users u ON u.id = i.owner_id
         WHERE w.source = 'picture' AND (NOT u.ocr OR NOT EXISTS (SELECT 1 FROM word_fill WHERE source = 'picture'))
         LIMIT ?) RETURNING image_id`,
      [FORGOTTEN_AT_ONCE],
    );
    const ids = gone.map(({ image_id }) => image_id);
    if (ids.length > 0) await indexItems(trx, 'image', ids);
    return ids.length;
  });
}

/** Drops some of what the index and the file of the database have left of forgotten words; true once nothing is. */
export const dropForgotten = (trx: Queryable): Promise<boolean> =>
  overwriting(trx, () => textIndexOf(trx).drop(trx));

/** Row ids among which the next older file is looked for at once. */
const LOOKED_AT = 5_000;

/**
 * The next file that may be read and is not: of one of these types, or a picture. `lookedAt` is the last row id that was
 * looked at, and null stands for none among these.
 */
export async function nextUnread(
  db: Db,
  source: WordSource,
  types: readonly string[],
  { doneId, untilId }: WordFill,
): Promise<{ readonly id: number | null; readonly lookedAt: number }> {
  const lookedAt = Math.min(untilId, doneId + LOOKED_AT);
  const isOne = source === 'picture' ? "media_kind = 'image'" : db.dialect.inStrings('type');
  const [next] = await query<{ id: number }>(
    db.read,
    `SELECT id FROM images WHERE id > ? AND id <= ? AND ${isOne} AND ${READS[source]}
       AND NOT EXISTS (SELECT 1 FROM image_words w WHERE w.image_id = images.id) ORDER BY id LIMIT 1`,
    [doneId, lookedAt, ...(source === 'picture' ? [] : [JSON.stringify(types)])],
  );
  return { id: next?.id ?? null, lookedAt: next?.id ?? lookedAt };
}
