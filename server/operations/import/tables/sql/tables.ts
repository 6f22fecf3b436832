import type { Column } from '../tables.js';
import { Cursor } from './names.js';
import { textOf } from './values.js';

interface Created {
  readonly name: string;
  readonly columns: Column[];
}

const CREATE = /CREATE\s+(?:(?:TEMPORARY|TEMP|UNLOGGED|GLOBAL|LOCAL)\s+)*TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?/iy;
const CONSTRAINT =
  /(?=(?:CONSTRAINT|PRIMARY|FOREIGN|UNIQUE|KEY|INDEX|FULLTEXT|SPATIAL|CHECK|EXCLUDE|LIKE|PERIOD)(?![\w`"]))/iy;

const plain = (name: string): string => textOf(name).toString();

/** The table that a statement creates; null for other statements. */
export function createdBy(sql: string): Created | null {
  const cursor = new Cursor(sql);
  if (cursor.match(CREATE) === null) return null;
  const name = cursor.name();
  if (name === null || cursor.match(/\(/y) === null) return null;
  const columns: Column[] = [];
  do {
    const isConstraint = cursor.match(CONSTRAINT) !== null;
    const from = cursor.at;
    const column = isConstraint ? null : cursor.name();
    passPart(cursor);
    const part = sql.slice(from, cursor.at);
    if (column !== null) columns.push({ name: plain(column), ...factsOf(part) });
    else refer(columns, part);
  } while (cursor.match(/,/y) !== null);
  return { name: plain(name), columns };
}

/** Passes one column or constraint. */
function passPart(cursor: Cursor): void {
  for (;;) {
    cursor.match(/[^,()'"`]*/y);
    if (/['"`(]/.test(cursor.sql[cursor.at] ?? '')) cursor.parentheses();
    else return;
  }
}

function factsOf(part: string): Omit<Column, 'name'> {
  const [, type = ''] = /(?:[`"\]]|[\w$\x80-\xff])[ \t\r\n]+([A-Za-z]+)/.exec(part) ?? [];
  const [, text, word] =
    /\bDEFAULT[ \t\r\n]+\(?(?:_\w+)?(?:'((?:[^'\\]|''|\\.)*)'|([^\s,()]+))/i.exec(part) ?? [];
  return {
    type: type.toLowerCase(),
    default:
      text !== undefined
        ? plain(text.replaceAll("''", "'"))
        : word === undefined || /^null$/i.test(word)
          ? null
          : word,
    refersTo: referredBy(part),
  };
}

/** The name that stands behind something in a part of a statement; null if there is none. */
function nameBehind(part: string, what: RegExp): string | null {
  const found = what.exec(part);
  if (found === null) return null;
  const cursor = new Cursor(part);
  cursor.at = found.index + found[0].length;
  const name = cursor.name();
  return name === null ? null : plain(name);
}

const referredBy = (part: string): string | null => nameBehind(part, /\bREFERENCES\s+/i);

/** Notes the table that a column refers to, as a constraint says. */
function refer(columns: Column[], constraint: string): void {
  const name = nameBehind(constraint, /\bFOREIGN\s{1,9}KEY[^(]{0,300}\(/i);
  const at = columns.findIndex((column) => column.name === name);
  const column = columns[at];
  if (column !== undefined) columns[at] = { ...column, refersTo: referredBy(constraint) };
}

/** Notes the foreign key that a statement adds to a table, as pg_dump writes them. */
export function alteredBy(sql: string, tables: ReadonlyMap<string, Column[]>): void {
  const cursor = new Cursor(sql);
  if (cursor.match(/ALTER\s+TABLE\s+(?:ONLY\s+)?/iy) === null) return;
  const columns = tables.get(plain(cursor.name() ?? ''));
  if (columns !== undefined) refer(columns, sql.slice(cursor.at));
}

const INSERT =
  /(?:INSERT|REPLACE)\s+(?:(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|OVERWRITE|OR\s+\w+)\s+)*(?:INTO\s+)?(?:ONLY\s+)?/iy;

interface Inserted {
  readonly table: string;
  /** Its columns as it names them; null for all of the table. */
  readonly columns: string[] | null;
  /** Where its rows begin; null if it takes them from elsewhere. */
  readonly rows: Cursor | null;
}

/** What a statement inserts into; null for other statements. */
export function insertedBy(sql: string): Inserted | null {
  const cursor = new Cursor(sql);
  if (cursor.match(INSERT) === null) return null;
  const table = cursor.name();
  if (table === null) return null;
  const columns = columnsAt(cursor);
  const isRows = cursor.match(/(?:OVERRIDING\s+\w+\s+VALUE\s+)?VALUES?/iy) !== null;
  return { table: plain(table), columns, rows: isRows ? cursor : null };
}

/** The table and the columns of `COPY … FROM stdin`. */
export function copiedInto(copy: string): { readonly table: string; readonly columns: string[] | null } {
  const cursor = new Cursor(copy);
  cursor.match(/COPY\s+/iy);
  const table = plain(cursor.name() ?? '');
  return { table, columns: columnsAt(cursor) };
}

function columnsAt(cursor: Cursor): string[] | null {
  if (cursor.match(/\(/y) === null) return null;
  const columns: string[] = [];
  do columns.push(plain(cursor.name() ?? ''));
  while (cursor.match(/,/y) !== null);
  cursor.match(/\)/y);
  return columns;
}
