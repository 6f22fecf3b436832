import type { Knex } from 'knex';
import { query } from '../engine/query.js';
import { type Engine, listed, quoted, type Table, type Value } from './table.js';

/** Rows of one page, and what their texts may amount to in bytes. */
const PAGE_ROWS = 1_000;
const PAGE_BYTES = 8 * 1024 * 1024;

/** A row: its values in the order of the table's columns. */
export type Row = readonly Value[];

/** The rows of a table in the order of its key, which is the same in each database, a page at a time. */
interface RowStream {
  /** The row at which the stream is; null at its end. */
  current(): Promise<Row | null>;
  next(): void;
  /** Rows that one page can hold, which is also how many are worth writing at once. */
  readonly pageRows: number;
  close(): Promise<void>;
}

/** How many rows may be in memory at once: few, if one of them is long. */
async function pageRowsOf(knex: Knex, engine: Engine, { name, columns }: Table): Promise<number> {
  const texts = columns.filter(({ type }) => type === 'text').map((column) => quoted(column.name));
  if (texts.length === 0) return PAGE_ROWS;
  const bytes = texts.map((text) =>
    engine === 'sqlite' ? `coalesce(length(CAST(${text} AS BLOB)), 0)` : `coalesce(octet_length(${text}), 0)`,
  );
  const [found] = await query<{ longest: number | null }>(
    knex,
    `SELECT max(${bytes.join(' + ')}) AS longest FROM ${quoted(name)}`,
  );
  return Math.min(PAGE_ROWS, Math.max(1, Math.floor(PAGE_BYTES / Math.max(1, Number(found?.longest ?? 0)))));
}

/** Opens the rows of a table. On PostgreSQL `knex` must be a transaction that stays open until `close`. */
export async function openRows(knex: Knex, engine: Engine, table: Table): Promise<RowStream> {
  const pageRows = await pageRowsOf(knex, engine, table);
  const source = await (engine === 'sqlite' ? sqlitePages : postgresPages)(knex, table, pageRows);
  const booleans = table.columns.flatMap(({ type }, index) => (type === 'boolean' ? [index] : []));
  let page: Row[] = [];
  let at = 0;
  let ended = false;
  return {
    pageRows,
    async current() {
      if (at < page.length) return page[at] ?? null;
      if (ended) return null;
      const rows = await source.page(page.at(-1) ?? null);
      page = rows.map((row) => rowOf(table, booleans, row));
      at = 0;
      ended = page.length < pageRows;
      return page[0] ?? null;
    },
    next: () => {
      at += 1;
    },
    close: source.close,
  };
}

type Stored = Readonly<Record<string, Value>>;

interface Pages {
  page(last: Row | null): Promise<Stored[]>;
  close(): Promise<void>;
}

function rowOf({ columns }: Table, booleans: readonly number[], stored: Stored): Row {
  const row = columns.map(({ name }) => stored[name] ?? null);
  // SQLite stores them as 0 and 1.
  for (const index of booleans) if (row[index] !== null) row[index] = Boolean(row[index]);
  return row;
}

async function sqlitePages(knex: Knex, { name, columns, key }: Table, limit: number): Promise<Pages> {
  const select = `SELECT ${listed(columns.map((column) => column.name))} FROM ${quoted(name)}`;
  const order = `ORDER BY ${listed(key)} LIMIT ${limit}`;
  const after = `WHERE (${listed(key)}) > (${key.map(() => '?').join(', ')})`;
  const places = key.map((part) => columns.findIndex((column) => column.name === part));
  return {
    page: (last) =>
      last === null
        ? query(knex, `${select} ${order}`)
        : query(
            knex,
            `${select} ${after} ${order}`,
            places.map((place) => last[place] ?? null),
          ),
    close: async () => {},
  };
}

async function postgresPages(knex: Knex, { name, columns, key }: Table, limit: number): Promise<Pages> {
  const isText = (part: string) => columns.find((column) => column.name === part)?.type === 'text';
  // Byte order, whatever the locale of the database: that of SQLite.
  const order = key.map((part) => `${quoted(part)}${isText(part) ? ' COLLATE "C"' : ''}`).join(', ');
  const cursor = quoted(`rows of ${name}`);
  await query(
    knex,
    `DECLARE ${cursor} NO SCROLL CURSOR FOR
     SELECT ${listed(columns.map((column) => column.name))} FROM ${quoted(name)} ORDER BY ${order}`,
  );
  return {
    page: () => query(knex, `FETCH FORWARD ${limit} FROM ${cursor}`),
    close: async () => {
      await query(knex, `CLOSE ${cursor}`);
    },
  };
}

/** Compares rows as `openRows` orders them, given the places of the key's columns: negative if `a` comes first. */
export function compareKeys(places: readonly number[], a: Row, b: Row): number {
  for (const place of places) {
    const [mine, other] = [a[place] ?? null, b[place] ?? null];
    if (mine === other) continue;
    if (typeof mine === 'string' && typeof other === 'string')
      return Buffer.compare(Buffer.from(mine), Buffer.from(other));
    return Number(mine) - Number(other);
  }
  return 0;
}
