import type { Db, Queryable } from './connect.js';
import {
  CONTENT_COLUMNS,
  type Content,
  type ContentRow,
  contentFromRow,
  insertContent,
  type NewContent,
  rowsByIds,
} from './content.js';
import { query } from './query.js';

/** What lists know of a stored text, which may be long. `size` is its length in bytes of UTF-8. */
export interface ListedPaste extends Content {
  readonly title: string | null;
  readonly size: number;
  readonly language: string | null;
  readonly burn: boolean;
}

/** A stored text. */
export interface Paste extends ListedPaste {
  readonly content: string;
}

export type NewPaste = NewContent & Omit<Paste, keyof Content>;

interface ListedRow extends ContentRow {
  title: string | null;
  size: number;
  language: string | null;
  burn: boolean | number;
}
interface Row extends ListedRow {
  content: string;
}

/** The columns of a paste in a list. */
export const LISTED_COLUMNS = [...CONTENT_COLUMNS, 'title', 'size', 'language', 'burn'] as const;

export const listedFromRow = (row: ListedRow): ListedPaste => ({
  ...contentFromRow(row),
  title: row.title,
  size: row.size,
  language: row.language,
  burn: Boolean(row.burn),
});

const pasteFromRow = (row: Row): Paste => ({ ...listedFromRow(row), content: row.content });

/** Pastes by id (lower case), in the order asked; null for unknown ids. Expired ones are included. */
export async function pastesByIds(db: Db, keys: readonly string[]): Promise<(Paste | null)[]> {
  const found = await rowsByIds<Row>(db, 'paste', keys);
  return found.map((row) => (row === null ? null : pasteFromRow(row)));
}

/** The texts of pastes by the numbers of these; one that is gone has none. */
export async function textsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const found = await query<{ id: number; content: string }>(
    db.read,
    `SELECT id, content FROM pastes WHERE ${db.dialect.inNumbers('id')}`,
    [JSON.stringify(ids)],
  );
  return new Map(found.map(({ id, content }) => [id, content]));
}

/** Adds a paste and returns it as stored; violates a unique index when the id is taken. */
export async function insertPaste(trx: Queryable, paste: NewPaste): Promise<Paste> {
  const own = {
    title: paste.title,
    content: paste.content,
    size: paste.size,
    language: paste.language,
    burn: paste.burn,
  };
  return { ...paste, ...(await insertContent(trx, 'paste', paste, own, { format: '', bytes: paste.size })) };
}
