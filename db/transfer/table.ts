import type { Knex } from 'knex';
import type { Binding } from '../engine/query.js';
import { query } from '../engine/query.js';

/** Which database this connection leads to. */
export type Engine = 'sqlite' | 'postgres';

/** A stored value as both databases represent it. */
export type Value = Exclude<Binding, undefined>;

/** A table as a copy needs it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The names of the primary key's columns. */
  readonly key: readonly string[];
}

interface Column {
  readonly name: string;
  readonly type: 'boolean' | 'text' | 'number';
}

/** A copy cannot be made, or continued; the message may be shown. */
export class TransferError extends Error {}

/** The table that marks an unfinished copy; `db/transfer/unfinished.ts` is about it. */
export const MARK = 'unfinished_move';

/** What belongs to the migrations or to the copy itself, and the index of searches, which each database makes anew. */
const isCopied = (name: string): boolean =>
  name !== MARK && !/^(?:knex_|search_index(?:_|$)|search_(?:texts|fill)$)/.test(name);

/** A name in a statement. */
export const quoted = (name: string): string => `"${name}"`;

/** The names, quoted and separated by commas. */
export const listed = (names: readonly string[]): string => names.map(quoted).join(', ');

interface ColumnRow {
  readonly table_name: string;
  readonly name: string;
  readonly type: string;
  /** Position in the primary key, from 1; 0 if it is not part of it. */
  readonly position: number;
}

const COLUMNS: Readonly<Record<Engine, string>> = {
  sqlite: `SELECT t.name AS table_name, c.name AS name, lower(c.type) AS type, c.pk AS position
    FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY t.name, c.name`,
  postgres: `SELECT c.relname AS table_name, a.attname AS name, format_type(a.atttypid, NULL) AS type,
      coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) AS position
    FROM pg_class AS c
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    ORDER BY c.relname COLLATE "C", a.attname COLLATE "C"`,
};

const TYPES: Readonly<Record<string, Column['type']>> = {
  boolean: 'boolean',
  text: 'text',
  integer: 'number',
  bigint: 'number',
};

/** Every table whose rows belong to the installation, by name; the columns of each by name, too. */
export async function tablesOf(knex: Knex, engine: Engine): Promise<Table[]> {
  const rows = await query<ColumnRow>(knex, COLUMNS[engine]);
  const tables = new Map<string, ColumnRow[]>();
  for (const row of rows)
    if (isCopied(row.table_name)) tables.set(row.table_name, [...(tables.get(row.table_name) ?? []), row]);
  return [...tables].map(([name, columns]) => ({
    name,
    columns: columns.map(({ name, type }) => ({ name, type: typeOf(type) })),
    key: columns
      .filter(({ position }) => position > 0)
      .sort((a, b) => a.position - b.position)
      .map(({ name }) => name),
  }));
}

function typeOf(declared: string): Column['type'] {
  const type = TYPES[declared];
  if (type === undefined) throw new TransferError(`a column has the unknown type ${declared}`);
  return type;
}

/** Refuses two databases whose tables differ, which the same release does not make. */
export function requireSameTables(source: readonly Table[], target: readonly Table[]): void {
  const shape = (tables: readonly Table[]) => new Set(tables.map((table) => JSON.stringify(table)));
  const [here, there] = [shape(source), shape(target)];
  const [other] = [...here]
    .filter((table) => !there.has(table))
    .concat([...there].filter((table) => !here.has(table)));
  if (other !== undefined)
    throw new TransferError(`the tables of the two databases differ: ${JSON.parse(other).name}`);
}
