import type { Db, Queryable } from './connect.js';
import {
  type Content,
  type ContentRow,
  contentFromRow,
  insertContent,
  type NewContent,
  rowsByIds,
} from './content.js';

/** A stored text. `size` is its length in bytes of UTF-8. */
export interface Paste extends Content {
  readonly title: string | null;
  readonly content: string;
  readonly size: number;
  readonly language: string | null;
  readonly burn: boolean;
}

export type NewPaste = NewContent & Omit<Paste, keyof Content>;

interface Row extends ContentRow {
  title: string | null;
  content: string;
  size: number;
  language: string | null;
  burn: boolean | number;
}

export const pasteFromRow = (row: Row): Paste => ({
  ...contentFromRow(row),
  title: row.title,
  content: row.content,
  size: row.size,
  language: row.language,
  burn: Boolean(row.burn),
});

/** Pastes by id (lower case), in the order asked; null for unknown ids. Expired ones are included. */
export async function pastesByIds(db: Db, keys: readonly string[]): Promise<(Paste | null)[]> {
  const found = await rowsByIds<Row>(db, 'paste', keys);
  return found.map((row) => (row === null ? null : pasteFromRow(row)));
}

/** Adds a paste and answers it as stored; violates a unique index when the id is taken. */
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
