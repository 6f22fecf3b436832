import type { Knex } from 'knex';
import { codeOf } from './error-code.js';
import { containing, globOf, regexOf } from './pattern.js';
import type { Queryable } from './queryable.js';

/**
 * Every difference between SQLite and PostgreSQL that knex does not hide. Fragments take a JSON array as ONE
 * bound value, so that a statement's text is the same for any number of ids.
 */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** `<column> IN (the strings of a JSON array)`; binds one JSON text. */
  inStrings(column: string): string;
  /** `<column> IN (the whole numbers of a JSON array)`; binds one JSON text. */
  inNumbers(column: string): string;
  /** A FROM item with one row per list in a JSON array of lists, values in column order; binds one JSON text. */
  rowsOf(alias: string, columns: Readonly<Record<string, 'bigint' | 'text'>>): string;
  /** A FROM item with one row per object in a JSON array of objects, for a table's columns; binds one JSON text. */
  recordsOf(alias: string, table: string, columns: readonly string[]): string;
  /**
   * A FROM item with the rows of a table that a SELECT of row ids names, looked up by these ids whatever other condition
   * has an index. Binds what the SELECT does.
   */
  namedBy(table: string, ids: string): string;
  /**
   * A FROM item of which the rows are looked up by the ids that a condition names, whatever other condition has an index:
   * SQLite has no statistics here, and would rather walk through all that an account has.
   */
  byIds(table: string): string;
  /**
   * A FROM item of which the rows are found in an index whose conditions all stand in the statement; PostgreSQL, which has
   * statistics, decides for itself.
   */
  through(table: string, index: string): string;
  /** Whether tables with an order in an index are merged by it; otherwise each has to say so by itself, with a limit. */
  readonly mergesParts: boolean;
  /** Whether words are looked up in an index, and not in all that an account has stored. */
  readonly indexesWords: boolean;
  /** Appended to a SELECT inside a write, to lock the rows until the commit. */
  readonly forUpdate: string;
  /** As `forUpdate`, for changes that leave the keys: others may refer to the rows meanwhile. */
  readonly forCounting: string;
  /** Appended to a SELECT inside a write: until the commit the rows may be changed, but not deleted. */
  readonly forKeeping: string;
  /** As `forUpdate`, but skips rows that are already locked. */
  readonly skipLocked: string;
  /** Whether the error is a violation of a unique constraint or index, or `IdHeld`. */
  isUniqueViolation(error: unknown): boolean;
  /** SQL expression: the UTC day number (days since the epoch) of an epoch-milliseconds column. */
  dayOf(column: string): string;
  /** SQL behind a column that tests whether it contains this text, ignoring the case of letters; binds the pattern. */
  contains(text: string): { readonly test: string; readonly pattern: string };
  /** SQL expression: a text field of a column with a JSON object. */
  fieldOf(column: string, field: string): string;
  /** SQL expression to sort texts by: ASCII letters in lower case, the same order on each database. */
  folded(text: string): string;
  /** A SELECT of the size of the whole database as `bytes`. */
  readonly size: string;
  /**
   * Waits until no other process migrates, and locks out others until the commit; null if tables cannot be changed inside
   * a transaction.
   */
  readonly lockForMigration: ((trx: Knex) => Promise<void>) | null;
}

/** An id is a former one of another item; to callers the same as one that a unique index refuses. */
export class IdHeld extends Error {
  constructor() {
    super('a former id of another item');
  }
}

/** Whether the databases' own operators know the case of every letter in this text. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** A fixed number shared by all processes: the holder of this PostgreSQL lock may migrate. */
const MIGRATION_LOCK = 4_712_803;

/** The statements of SQLite. */
export const sqlite: Dialect = {
  name: 'sqlite',
  inStrings: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  inNumbers: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  rowsOf: (alias, columns) => {
    const fields = Object.keys(columns).map((name, index) => `value ->> ${index} AS ${name}`);
    return `(SELECT ${fields.join(', ')} FROM json_each(?)) AS ${alias}`;
  },
  recordsOf: (alias, _table, columns) => {
    const fields = columns.map((name) => `value ->> '${name}' AS ${name}`);
    return `(SELECT ${fields.join(', ')} FROM json_each(?)) AS ${alias}`;
  },
  namedBy: (table, ids) => `(SELECT * FROM ${table} NOT INDEXED WHERE id IN (${ids})) AS ${table}`,
  byIds: (table) => `${table} NOT INDEXED`,
  through: (table, index) => `${table} INDEXED BY ${index}`,
  mergesParts: true,
  indexesWords: true,
  // A write holds the database's only write lock from its first statement on.
  forUpdate: '',
  forCounting: '',
  forKeeping: '',
  skipLocked: '',
  isUniqueViolation: (error) =>
    error instanceof IdHeld ||
    (codeOf(error) === 'SQLITE_CONSTRAINT' && /UNIQUE|PRIMARY KEY/.test(String(error))),
  dayOf: (column) => `(${column} / 86400000)`,
  // LIKE is several times faster.
  contains: (text) =>
    isAscii(text)
      ? { test: "LIKE ? ESCAPE '!'", pattern: containing(text) }
      : { test: 'GLOB ?', pattern: globOf(text) },
  fieldOf: (column, field) => `(${column} ->> '${field}')`,
  folded: (text) => `lower(${text})`,
  size: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  // A transaction holds the only write lock from its beginning on.
  lockForMigration: async () => {},
};

/** The statements of PostgreSQL. */
export const postgres: Dialect = {
  name: 'postgres',
  inStrings: (column) => `${column} IN (SELECT jsonb_array_elements_text(?::jsonb))`,
  inNumbers: (column) => `${column} IN (SELECT jsonb_array_elements_text(?::jsonb)::bigint)`,
  rowsOf: (alias, columns) => {
    const fields = Object.entries(columns).map(
      ([name, type], index) => `(list ->> ${index})::${type} AS ${name}`,
    );
    return `(SELECT ${fields.join(', ')} FROM jsonb_array_elements(?::jsonb) AS list) AS ${alias}`;
  },
  recordsOf: (alias, table) => `jsonb_populate_recordset(NULL::${table}, ?::jsonb) AS ${alias}`,
  // Of an array it expects few, where a semi-join would rather read the whole table than ten thousand rows by their keys.
  // Apart from the other conditions, which it would otherwise use first and then look through the array for each row.
  namedBy: (table, ids) => `(SELECT * FROM ${table} WHERE id = ANY (ARRAY(${ids})) OFFSET 0) AS ${table}`,
  byIds: (table) => table,
  through: (table) => table,
  mergesParts: false,
  indexesWords: true,
  forUpdate: 'FOR UPDATE',
  forCounting: 'FOR NO KEY UPDATE',
  forKeeping: 'FOR KEY SHARE',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  isUniqueViolation: (error) => error instanceof IdHeld || codeOf(error) === '23505',
  dayOf: (column) => `(${column} / 86400000)`,
  // Depending on the locale of the database, ILIKE also only knows the case of ASCII letters.
  contains: (text) =>
    isAscii(text)
      ? { test: "ILIKE ? ESCAPE '!'", pattern: containing(text) }
      : { test: '~ ?', pattern: regexOf(text) },
  fieldOf: (column, field) => `(${column}::json ->> '${field}')`,
  folded: (text) => `lower(${text} COLLATE "C")`,
  size: 'SELECT pg_database_size(current_database()) AS bytes',
  lockForMigration: async (trx) => {
    await trx.raw('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
  },
};

/**
 * As `postgres`, for engines that speak its protocol and lack some of its features: what `POSTGRES_SUBSET` selects
 * (docs/scaling.md).
 */
export const postgresSubset: Dialect = {
  ...postgres,
  // Some divide whole numbers into fractions.
  dayOf: (column) => `CAST(floor(${column} / 86400000) AS bigint)`,
  indexesWords: false,
  namedBy: (table, ids) => `(SELECT * FROM ${table} WHERE id IN (${ids})) AS ${table}`,
  lockForMigration: null,
};

/** The dialect of the database of this connection or transaction. */
export const dialectOf = (db: Queryable): Dialect => (db.client.dialect === 'postgresql' ? postgres : sqlite);
