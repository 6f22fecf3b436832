import { KINDS, type Kind } from '../content/kinds.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { Ask, TaggedTerm, TextIndex } from './entry.js';
import type { Term } from './terms.js';

/** Kinds have ranges of row ids in the index, so that one kind is a range and the newest come last in it. */
const RANGE = 2 ** 40;
const baseOf = (kind: Kind): number => KINDS.indexOf(kind) * RANGE;

/** A word that every item has in `whose`, for searches that only exclude. */
const EVERY = '0';

const phrase = ({ words, prefix }: Term): string => `"${words.join(' ')}"${prefix ? ' *' : ''}`;
const word = (column: string, value: number | string): string => `${column} : "${value}"`;

/** What has a term, in the language of FTS5. */
const has = (term: TaggedTerm, own: boolean): string =>
  `(${[
    ...(term.words.length === 0 ? [] : [`{${own ? 'shown own' : 'shown'}} : ${phrase(term)}`]),
    ...term.tagIds.map((id) => word('tags', id)),
  ].join(' OR ')})`;

function expressionOf({ terms, ownerId, own, isRareTag }: Ask): string {
  const wanted = terms.filter(({ excluded }) => !excluded).map((term) => has(term, own));
  const everyone = wanted.length === 0 ? [EVERY] : [];
  // What few have is of the account anyway, and quicker looked at than intersected with all that the account has.
  const scope = ownerId === null ? everyone : isRareTag ? [] : [String(ownerId)];
  const all = [...scope.map((value) => word('whose', value)), ...wanted].join(' AND ');
  return terms
    .filter(({ excluded }) => excluded)
    .reduce((found, term) => `(${found}) NOT ${has(term, own)}`, all);
}

/** So many pages of the index are written again in one step: some milliseconds. */
const MERGED_PAGES = 200;
/** FTS5 counts fewer for a merge that had nothing to do. */
const LEAST_CHANGES = 2;

async function changesIn(trx: Queryable): Promise<number> {
  const [row] = await query<{ total: number }>(trx, 'SELECT total_changes() AS total');
  return row?.total ?? 0;
}

/** FTS5 without a copy of the texts. */
export const sqliteIndex: TextIndex = {
  put: async (trx, entries, mayExist) => {
    if (mayExist)
      await query(trx, 'DELETE FROM search_index WHERE rowid IN (SELECT value FROM json_each(?))', [
        JSON.stringify(entries.map(({ kind, id }) => baseOf(kind) + id)),
      ]);
    const rows = entries.map(({ kind, id, ownerId, shown, own, tagIds }) => [
      ...[baseOf(kind) + id, `${EVERY} ${ownerId}`, tagIds.join(' '), shown, own],
    ]);
    await query(
      trx,
      `INSERT INTO search_index (rowid, whose, tags, shown, own)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)`,
      [JSON.stringify(rows)],
    );
  },
  remove: async (trx, kind, ids) => {
    await query(trx, 'DELETE FROM search_index WHERE rowid IN (SELECT value FROM json_each(?))', [
      JSON.stringify(ids.map((id) => baseOf(kind) + id)),
    ]);
  },
  clear: async (trx) => {
    await query(trx, "INSERT INTO search_index (search_index) VALUES ('delete-all')");
  },
  // A forgotten entry is only marked until the part of the index that has its words is written again.
  drop: async (trx) => {
    const before = await changesIn(trx);
    await query(trx, "INSERT INTO search_index (search_index, rank) VALUES ('merge', ?)", [-MERGED_PAGES]);
    return (await changesIn(trx)) - before < LEAST_CHANGES;
  },
  numbers: 'SELECT value FROM json_each(?)',
  locks: '',
  // The range stands in the statement: the driver binds large numbers as fractions, and FTS5 walks through all that a
  // word is in unless its bounds are whole numbers.
  finds: (kind, ask) => {
    const base = baseOf(kind);
    // Compared while FTS5 walks, a tenth of a microsecond each; looked up one by one they would cost seventy.
    const candidates =
      ask.candidates === null ? '' : `AND +rowid IN (SELECT ${base} + id FROM (${ask.candidates.sql}))`;
    return {
      sql: `SELECT rowid - ${base} AS id FROM search_index
        WHERE search_index MATCH ? AND rowid BETWEEN ${base} AND ${base + RANGE - 1} ${candidates}
        ORDER BY rowid DESC LIMIT ?`,
      values: [expressionOf(ask), ...(ask.candidates?.values ?? []), ask.limit],
    };
  },
  verify: async ({ admin }) => {
    await query(admin, "INSERT INTO search_index (search_index) VALUES ('integrity-check')");
  },
};
