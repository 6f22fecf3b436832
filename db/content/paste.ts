import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import type { Page, Window } from '../engine/paging.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import {
  CONTENT_COLUMNS,
  type Content,
  type ContentRow,
  contentFromRow,
  insertContent,
  type NewContent,
  OPEN,
  only,
} from './content.js';
import { rowsByIds } from './content-lookup.js';
import { type ContentSearch, searchContent } from './content-search.js';
import { KEPT, UNEXPIRED } from './life.js';
import type { FileLayout } from './paste-files.js';

/** A paste in a list, without its text, which may be long. `size` is the text's length in bytes of UTF-8. */
export interface ListedPaste extends Content, FileLayout {
  readonly title: string | null;
  readonly size: number;
  readonly language: string | null;
  readonly burn: boolean;
  /** The sealed name of a text that its author encrypted, "" without one; null for all others. */
  readonly seal: string | null;
  /** The revision with which its text, title and language became what they are. */
  readonly textRevision: number;
  /** The row id of the paste that it was made from. */
  readonly forkedFromId: number | null;
  /** How often it was opened, at most some seconds behind. */
  readonly opened: number;
}

/** A stored text. */
export interface Paste extends ListedPaste {
  readonly content: string;
}

/** Texts up to this many bytes are read with their row; longer ones only after the access check, see `textsOf`. */
const INLINE_BYTES = 16 * 1024;

/** A paste as it is looked up by id; without its text if that is long. */
export interface FoundPaste extends ListedPaste {
  readonly content: string | null;
}

/** A paste to be stored. */
export type NewPaste = NewContent &
  Omit<Paste, keyof Content | 'textRevision' | 'opened' | keyof Later> &
  Partial<Later>;
type Later = Pick<Paste, 'forkedFromId' | 'seal' | keyof FileLayout>;

interface ListedRow extends ContentRow {
  title: string | null;
  size: number;
  language: string | null;
  file_names: string | null;
  file_parts: string | null;
  burn: boolean | number;
  seal: string | null;
  text_revision: number;
  forked_from: number | null;
  opened: number;
}
/** A row of `pastes` with its text. */
export interface PasteRow extends ListedRow {
  content: string;
  written_at: number | null;
}
interface Row extends ListedRow {
  content: string | null;
}

/** The columns of a paste in a list. */
export const LISTED_COLUMNS = [
  ...CONTENT_COLUMNS,
  'title',
  'size',
  'language',
  'file_names',
  'file_parts',
  'burn',
  'seal',
  'text_revision',
  'forked_from',
  'opened',
] as const;

/** A paste in a list from its row. */
export const listedFromRow = (row: ListedRow): ListedPaste => ({
  title: row.title,
  size: row.size,
  language: row.language,
  fileNames: row.file_names,
  fileParts: row.file_parts,
  burn: Boolean(row.burn),
  seal: row.seal,
  textRevision: row.text_revision,
  forkedFromId: row.forked_from,
  opened: row.opened,
  ...contentFromRow(row),
});

/** A whole paste from its row, text included. */
export const pasteFromRow = (row: PasteRow): Paste => ({ content: row.content, ...listedFromRow(row) });

const FOUND_COLUMNS = [
  ...LISTED_COLUMNS.map((column) => `c.${column}`),
  `CASE WHEN c.size <= ${INLINE_BYTES} THEN c.content END AS content`,
].join(', ');

/** Pastes by id (lower case), in the requested order; null for unknown ids. Expired ones are included. */
export async function pastesByIds(db: Db, keys: readonly string[]): Promise<(FoundPaste | null)[]> {
  const found = await rowsByIds<Row>(db, 'paste', keys, FOUND_COLUMNS);
  return found.map((row) => row && { content: row.content, ...listedFromRow(row) });
}

/** As `searchImages`, for pastes without their texts: see `textsOf`. */
export const searchPastes = (db: Db, search: ContentSearch, window: Window): Promise<Page<ListedPaste>> =>
  searchContent(db, 'paste', search, window, listedFromRow, LISTED_COLUMNS.join(', '));

/** The texts of pastes by row id; deleted pastes are missing. */
export async function textsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const found = await query<{ id: number; content: string }>(
    db.read,
    `SELECT id, content FROM pastes WHERE ${db.dialect.inNumbers('id')}`,
    [JSON.stringify(ids)],
  );
  return new Map(found.map(({ id, content }) => [id, content]));
}

/** Where forks come from, by row id in the requested order; null for pastes that are gone. */
export async function forkSources(
  db: Db,
  ids: readonly number[],
): Promise<({ readonly uniqueId: string; readonly open: boolean } | null)[]> {
  const found = await query<{ id: number; unique_id: string; open: boolean | number }>(
    db.read,
    `SELECT id, unique_id, (${OPEN} AND NOT burn AND ${UNEXPIRED}) AS open FROM pastes
     WHERE ${db.dialect.inNumbers('id')} AND ${KEPT} AND owner_id NOT IN ${DELETED_USERS}`,
    [Date.now(), JSON.stringify(ids)],
  );
  const byId = new Map(found.map((row) => [row.id, { uniqueId: row.unique_id, open: Boolean(row.open) }]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Inserts pastes and returns them as stored, in their order; violates a unique index if an id is taken. */
export async function insertPastes(trx: Queryable, pastes: readonly NewPaste[]): Promise<Paste[]> {
  const rows = await insertContent<PasteRow>(
    trx,
    'paste',
    pastes.map((paste) => ({
      item: paste,
      own: {
        title: paste.title,
        content: paste.content,
        size: paste.size,
        language: paste.language,
        file_names: paste.fileNames ?? null,
        file_parts: paste.fileParts ?? null,
        burn: paste.burn,
        seal: paste.seal ?? null,
        text_revision: 1,
        forked_from: paste.forkedFromId ?? null,
        opened: 0,
        written_at: null,
      },
      weight: { format: '', bytes: paste.size },
    })),
  );
  return rows.map(pasteFromRow);
}

/** As `insertPastes`, for one. */
export const insertPaste = async (trx: Queryable, paste: NewPaste): Promise<Paste> =>
  only(await insertPastes(trx, [paste]));

/** The text of a paste by its row id, in the trash or not; null if it is gone. */
export async function pasteTextById(
  db: Queryable,
  id: number,
): Promise<{ readonly content: string; readonly size: number; readonly burn: boolean } | null> {
  const [row] = await query<{ content: string; size: number; burn: boolean | number }>(
    db,
    'SELECT content, size, burn FROM pastes WHERE id = ?',
    [id],
  );
  return row === undefined ? null : { ...row, burn: Boolean(row.burn) };
}
