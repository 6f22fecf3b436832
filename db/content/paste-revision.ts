import type { Db } from '../engine/connect.js';
import type { Window } from '../engine/paging.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { FileLayout } from './paste-files.js';

/** Texts of one paste that are kept, the present one included. */
const MAX_REVISIONS = 100;
/** What the texts of one paste may take together, in bytes. */
const MAX_REVISION_BYTES = 20 * 1024 * 1024;

/** What a paste was from one change of its text, title or language to the next. */
export interface PasteRevision extends FileLayout {
  readonly revision: number;
  readonly createdAt: number;
  readonly authorId: number;
  readonly title: string | null;
  readonly size: number;
  readonly language: string | null;
  /** As of a paste. */
  readonly seal: string | null;
}

/** A revision with its text. */
export interface WholeRevision extends PasteRevision {
  readonly content: string;
}

interface Row {
  revision: number;
  created_at: number;
  author_id: number;
  title: string | null;
  size: number;
  language: string | null;
  seal: string | null;
  file_names: string | null;
  file_parts: string | null;
}

const fromRow = (row: Row): PasteRevision => ({
  revision: row.revision,
  createdAt: row.created_at,
  authorId: row.author_id,
  title: row.title,
  size: row.size,
  language: row.language,
  seal: row.seal,
  fileNames: row.file_names,
  fileParts: row.file_parts,
});

/** What `paste_revisions` and `pastes` call alike. */
const ALIKE = 'title, size, language, seal, file_names, file_parts, content';
const COLUMNS = `paste_id, revision, created_at, author_id, ${ALIKE}`;
/** The present revision as a row of `paste_revisions`. */
const PRESENT = `id, text_revision, coalesce(written_at, created_at), owner_id, ${ALIKE}`;

/**
 * Keeps the present text of a locked paste, which gets another one of `size` bytes in the same transaction; the oldest
 * go if there are too many.
 */
export async function keepRevision(trx: Queryable, pasteId: number, size: number): Promise<void> {
  await query(trx, `INSERT INTO paste_revisions (${COLUMNS}) SELECT ${PRESENT} FROM pastes WHERE id = ?`, [
    pasteId,
  ]);
  await query(
    trx,
    `DELETE FROM paste_revisions WHERE paste_id = ? AND revision IN (
       SELECT revision FROM (
         SELECT revision, row_number() OVER (ORDER BY revision DESC) AS place,
           sum(size) OVER (ORDER BY revision DESC) AS bytes
         FROM paste_revisions WHERE paste_id = ?
       ) AS kept WHERE place >= ? OR bytes > ?
     )`,
    [pasteId, pasteId, MAX_REVISIONS, MAX_REVISION_BYTES - size],
  );
}

/** All revisions of a paste, the present one included, as a FROM item; binds its row id twice. */
const ALL = `(
  SELECT ${COLUMNS} FROM paste_revisions WHERE paste_id = ?
  UNION ALL
  SELECT ${PRESENT} FROM pastes WHERE id = ?
) AS revisions`;
/** The columns of a revision without its text. */
const LISTED = 'revision, created_at, author_id, title, size, language, seal, file_names, file_parts';

/** A section of the revisions of a paste, newest first, and how many there are. */
export async function revisionsOf(
  db: Db,
  pasteId: number,
  { limit, offset }: Window,
): Promise<{ readonly items: readonly PasteRevision[]; readonly total: number }> {
  const found = await query<Row>(
    db.read,
    `SELECT ${LISTED} FROM ${ALL}
     ORDER BY revision DESC LIMIT ? OFFSET ?`,
    [pasteId, pasteId, limit, offset],
  );
  const [counted] = await query<{ total: number }>(db.read, `SELECT count(*) AS total FROM ${ALL}`, [
    pasteId,
    pasteId,
  ]);
  return { items: found.map(fromRow), total: counted?.total ?? 0 };
}

/** One revision of a paste without its text, or null. */
export async function revisionOf(
  db: Queryable,
  pasteId: number,
  revision: number,
): Promise<PasteRevision | null> {
  const [row] = await query<Row>(db, `SELECT ${LISTED} FROM ${ALL} WHERE revision = ?`, [
    pasteId,
    pasteId,
    revision,
  ]);
  return row === undefined ? null : fromRow(row);
}

/** One revision of a paste with its text, or null. */
export async function wholeRevisionOf(
  db: Queryable,
  pasteId: number,
  revision: number,
): Promise<WholeRevision | null> {
  const [row] = await query<Row & { content: string }>(db, `SELECT * FROM ${ALL} WHERE revision = ?`, [
    pasteId,
    pasteId,
    revision,
  ]);
  return row === undefined ? null : { content: row.content, ...fromRow(row) };
}

/** The newest revision of a paste before this one, or null. */
export async function revisionBefore(
  db: Queryable,
  pasteId: number,
  revision: number,
): Promise<number | null> {
  const [row] = await query<{ revision: number | null }>(
    db,
    'SELECT max(revision) AS revision FROM paste_revisions WHERE paste_id = ? AND revision < ?',
    [pasteId, revision],
  );
  return row?.revision ?? null;
}
