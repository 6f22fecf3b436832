import { query } from '../engine/query.js';
import type { Ask, Entry, TaggedTerm, TextIndex } from './entry.js';
import { borderedWordsOf } from './words.js';

/**
 * Words in one row, and places of the same word: an item with more has several rows, which overlap, so that every
 * phrase is whole in one of them. PostgreSQL keeps at most 255 places of a word, and 1 MiB of words, in a row.
 */
const PART_WORDS = 4_000;
const WORD_PLACES = 255;
const OVERLAP = 100;
/** Bytes of words and beginnings in one row. */
const PART_BYTES = 600_000;
/** Characters of a word that count; PostgreSQL takes 2,046 bytes. */
const WORD_CHARACTERS = 100;

/**
 * Beginnings up to so many characters are words of their own in the index: all that a common beginning is in would be
 * gathered first otherwise.
 */
const BEGINNING = 16;

/** A word that no text can have, in every part. */
const ofTag = (id: number): string => `'#t${id}'`;
const ofBeginning = (weight: Placed['weight'], beginning: string): string =>
  `'${weight === 'A' ? '^' : '~'}${beginning}'`;
const quote = (word: string): string =>
  `'${word.length <= WORD_CHARACTERS ? word : [...word.slice(0, 2 * WORD_CHARACTERS)].slice(0, WORD_CHARACTERS).join('')}'`;

interface Placed {
  readonly word: string;
  /** The weight: what everybody finds, or only the owner. */
  readonly weight: 'A' | 'B';
}

/** The vectors of an entry, each as a text that PostgreSQL reads as one. */
function vectorsOf({ shown, own, tagIds }: Entry): string[] {
  const words: Placed[] = [
    ...borderedWordsOf(shown).map((word) => ({ word, weight: 'A' }) as const),
    // Nothing in between would be a phrase across.
    { word: '#', weight: 'B' },
    ...borderedWordsOf(own).map((word) => ({ word, weight: 'B' }) as const),
  ];
  const tags = tagIds.map(ofTag).join(' ');
  return partsOf(words).map((part) => {
    const placed = part.map(({ word, weight }, index) => `${quote(word)}:${index + 1}${weight}`);
    return `${tags} ${placed.join(' ')} ${beginningsOf(part).join(' ')}`;
  });
}

/** The beginnings of words, each once. */
function beginningsOf(words: readonly Placed[]): string[] {
  const found = new Set<string>();
  for (const one of new Set(words.map(({ word, weight }) => `${weight}${word}`))) {
    const weight = one.startsWith('A') ? 'A' : 'B';
    let beginning = '';
    let length = 0;
    for (const character of one.slice(1)) {
      beginning += character;
      found.add(ofBeginning(weight, beginning));
      length += 1;
      if (length === BEGINNING) break;
    }
  }
  return [...found];
}

/** The words in overlapping parts, in none of which PostgreSQL would lose a place. */
function partsOf(words: readonly Placed[]): Placed[][] {
  const parts: Placed[][] = [];
  let part: Placed[] = [];
  let seen = new Map<string, number>();
  let bytes = 0;
  const add = (placed: Placed) => {
    part.push(placed);
    seen.set(placed.word, (seen.get(placed.word) ?? 0) + 1);
    bytes += weigh(placed.word);
  };
  for (const placed of words) {
    const isFull = part.length === PART_WORDS || bytes > PART_BYTES;
    if (isFull || (seen.get(placed.word) ?? 0) === WORD_PLACES) {
      parts.push(part);
      const last = part.slice(-OVERLAP);
      part = [];
      seen = new Map();
      bytes = 0;
      for (const again of last) add(again);
    }
    add(placed);
  }
  return [...parts, part];
}

/** At most how many bytes a word and its beginnings take. */
const weigh = (word: string): number =>
  Buffer.byteLength(word.slice(0, 2 * WORD_CHARACTERS)) +
  BEGINNING * Buffer.byteLength(word.slice(0, 2 * BEGINNING));

/** What has a term, in the language of `tsquery`. */
function has({ words, prefix, tagIds }: TaggedTerm, own: boolean): string {
  if (words.length === 0) return `(${tagIds.map(ofTag).join(' | ')})`;
  const [word = ''] = words;
  if (prefix && words.length === 1 && [...word].length <= BEGINNING) {
    const weights = own ? (['A', 'B'] as const) : (['A'] as const);
    return `(${[...weights.map((weight) => ofBeginning(weight, word)), ...tagIds.map(ofTag)].join(' | ')})`;
  }
  const weight = own ? '' : 'A';
  const last = words.length - 1;
  const places = words.map((word, index) => {
    const marks = `${prefix && index === last ? '*' : ''}${weight}`;
    return `${quote(word)}${marks === '' ? '' : `:${marks}`}`;
  });
  return `(${[places.join(' <-> '), ...tagIds.map(ofTag)].join(' | ')})`;
}

/**
 * The parts of a statement that finds row ids. Owner and kind are conditions on columns: as words that most rows have
 * they would cost more than they spare.
 */
function findingsOf({ terms, own }: Ask) {
  const wanted = terms.filter(({ excluded }) => !excluded).map((term) => has(term, own));
  const unwanted = terms.filter(({ excluded }) => excluded).map((term) => has(term, own));
  return {
    wanted,
    unwanted,
    // All of it in one part, or some of it in any; null is every part.
    whole: [...wanted, ...unwanted.map((term) => `!${term}`)].join(' & '),
    some: wanted.length === 0 ? null : [...wanted, ...unwanted].join(' | '),
  };
}

/** Rows with a `tsvector` of words with their places. */
export const postgresIndex: TextIndex = {
  put: async (trx, entries, mayExist) => {
    if (mayExist)
      for (const kind of new Set(entries.map((entry) => entry.kind)))
        await postgresIndex.remove(
          trx,
          kind,
          entries.filter((entry) => entry.kind === kind).map(({ id }) => id),
        );
    const rows = entries.flatMap((entry) => {
      const vectors = vectorsOf(entry);
      return vectors.map((words, part) => [entry.kind, entry.id, part, vectors.length, entry.ownerId, words]);
    });
    await query(
      trx,
      `INSERT INTO search_texts (kind, item_id, part, parts, owner_id, words)
       SELECT row ->> 0, (row ->> 1)::int, (row ->> 2)::int, (row ->> 3)::int, (row ->> 4)::int, (row ->> 5)::tsvector
       FROM jsonb_array_elements(?::jsonb) AS row`,
      [JSON.stringify(rows)],
    );
  },
  remove: async (trx, kind, ids) => {
    // Kind and id are one key: while the statistics know few rows of a kind yet, as in the middle of filling, PostgreSQL
    // would read all of them for each id.
    await query(
      trx,
      `DELETE FROM search_texts WHERE (kind, item_id) IN
         (SELECT item ->> 0, (item ->> 1)::int FROM jsonb_array_elements(?::jsonb) AS item)`,
      [JSON.stringify(ids.map((id) => [kind, id]))],
    );
  },
  clear: async (trx) => {
    // TRUNCATE changes the table itself, which not every engine does inside a transaction.
    await query(trx, 'DELETE FROM search_texts');
  },
  drop: async () => true,
  numbers: 'SELECT jsonb_array_elements_text(?::jsonb)::int',
  locks: 'FOR UPDATE',
  finds: (kind, ask) => {
    const { whole, some, wanted, unwanted } = findingsOf(ask);
    // Of what few have, the planner would intersect the places with all items of the kind, if an index has the column.
    const kindIs = ask.isRareTag ? "kind || '' = ?" : 'kind = ?';
    const owned = ask.ownerId === null ? '' : `AND owner_id ${ask.isRareTag ? '+ 0 ' : ''}= ?`;
    const owner = ask.ownerId === null ? [] : [ask.ownerId];
    const each = [
      ...wanted.map(() => 'bool_or(words @@ ?::tsquery)'),
      ...unwanted.map(() => 'NOT bool_or(words @@ ?::tsquery)'),
    ];
    // As an array, of which the planner expects few.
    const candidates = ask.candidates === null ? '' : `AND item_id = ANY (ARRAY(${ask.candidates.sql}))`;
    const ids = ask.candidates?.values ?? [];
    return {
      sql: `(SELECT item_id AS id FROM search_texts
          WHERE ${kindIs} AND parts = 1 ${owned} ${candidates} AND words @@ ?::tsquery ORDER BY item_id DESC LIMIT ?)
         UNION ALL
         (SELECT item_id AS id FROM search_texts
          WHERE kind = ? AND parts > 1 ${owned} ${candidates} ${some === null ? '' : 'AND words @@ ?::tsquery'}
          GROUP BY item_id HAVING ${each.join(' AND ')} ORDER BY item_id DESC LIMIT ?)`,
      values: [
        ...[kind, ...owner, ...ids, whole, ask.limit],
        ...[kind, ...owner, ...ids, ...(some === null ? [] : [some]), ...wanted, ...unwanted, ask.limit],
      ],
    };
  },
  // PostgreSQL has no check of its own indexes.
  verify: async () => {},
};
