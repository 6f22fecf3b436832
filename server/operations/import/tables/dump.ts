import { createReadStream } from 'node:fs';
import { ImportError } from '../port.js';
import type { Row, Tables, Value } from './index.js';

/** The longest statement that is read: mysqldump writes at most `max_allowed_packet`, usually 16 MiB. */
const MAX_STATEMENT = 128 * 1024 * 1024;

/** The tables of an SQL dump as mysqldump, mariadb-dump and phpMyAdmin write it. Each reading goes through the file. */
export function openDump(path: string): Tables {
  const tables: Tables = {
    has: async (table) => {
      for await (const statement of statementsOf(path))
        if (createdTable(statement)?.name === table) return true;
      return false;
    },
    async *rows(table) {
      let columns: readonly string[] = [];
      for await (const statement of statementsOf(path)) {
        const created = createdTable(statement);
        if (created?.name === table) columns = created.columns;
        else yield* insertedRows(statement, table, columns);
      }
    },
    where: async (table, column, value) => {
      const found: Row[] = [];
      for await (const row of tables.rows(table)) if (String(row[column] ?? '') === value) found.push(row);
      return found;
    },
    close: async () => {},
  };
  return tables;
}

/** The statements of a dump, one at a time: what ends with a semicolon outside of quotes and comments. */
async function* statementsOf(path: string): AsyncGenerator<string> {
  const source = createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024 });
  let text = '';
  let at = 0;
  let quote = '';
  try {
    for await (const chunk of source) {
      text += chunk;
      for (; at < text.length; at += 1) {
        const sign = text[at] ?? '';
        if (quote !== '') {
          // What follows may be in the next chunk.
          if (at + 1 >= text.length) break;
          if (sign === '\\' && quote !== '`') at += 1;
          else if (sign === quote) quote = '';
        } else if (sign === "'" || sign === '"' || sign === '`') quote = sign;
        else if (isCommentAt(text, at)) {
          const end = text.indexOf('\n', at);
          if (end < 0) break;
          text = text.slice(0, at) + text.slice(end + 1);
          at -= 1;
        } else if (sign === '-' && at + 2 >= text.length) break;
        else if (sign === ';') {
          yield text.slice(0, at).trim();
          text = text.slice(at + 1);
          at = -1;
        }
      }
      if (text.length > MAX_STATEMENT) throw new ImportError(`${path} is not an SQL dump that can be read`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new ImportError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  } finally {
    source.destroy();
  }
}

const isCommentAt = (text: string, at: number): boolean =>
  text[at] === '#' || (text[at] === '-' && text[at + 1] === '-' && /\s/.test(text[at + 2] ?? ''));

/** The name and the columns of a table that a statement creates; null for other statements. */
function createdTable(statement: string): { name: string; columns: string[] } | null {
  const [head, name = ''] =
    /^CREATE TABLE (?:IF NOT EXISTS )?[`"]?([^`"\s(]+)[`"]?\s*\(/i.exec(statement) ?? [];
  if (head === undefined) return null;
  const columns = statement
    .slice(head.length)
    .split('\n')
    .flatMap((line) => /^[`"]([^`"]+)[`"] /.exec(line.trim())?.[1] ?? []);
  return { name, columns };
}

const INSERT = /^(?:INSERT|REPLACE)(?: IGNORE)? INTO [`"]?([^`"\s(]+)[`"]?(?: ?\(([^)]*)\))? ?VALUES/i;

function* insertedRows(statement: string, table: string, created: readonly string[]): Generator<Row> {
  const [head, name, list] = INSERT.exec(statement) ?? [];
  if (head === undefined || name !== table) return;
  const columns =
    list === undefined ? created : list.split(',').map((column) => column.trim().replace(/^[`"]|[`"]$/g, ''));
  const reader = new ValueReader(statement, head.length);
  for (let row = reader.row(); row !== null; row = reader.row()) {
    const values = row;
    yield Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]));
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  '0': '\0',
  Z: '\u001a',
};

/** Reads the lists of values of an INSERT. */
class ValueReader {
  constructor(
    private readonly sql: string,
    private at: number,
  ) {}

  /** The next list in parentheses; null at the end. */
  row(): Value[] | null {
    const start = this.sql.indexOf('(', this.at);
    if (start < 0) return null;
    this.at = start + 1;
    const values: Value[] = [];
    for (;;) {
      values.push(this.value());
      while (/\s/.test(this.sql[this.at] ?? '')) this.at += 1;
      const sign = this.sql[this.at++];
      if (sign === ')') return values;
      if (sign !== ',') throw new ImportError('the SQL dump has a list of values that cannot be read');
    }
  }

  private value(): Value {
    while (/\s/.test(this.sql[this.at] ?? '')) this.at += 1;
    const [introducer] = /^_(?:binary|utf8mb4|utf8)\s+/i.exec(this.sql.slice(this.at, this.at + 16)) ?? [''];
    this.at += introducer.length;
    if (this.sql[this.at] === "'") return this.quoted();
    const [word = ''] = /^[^,)\s]+/.exec(this.sql.slice(this.at, this.at + 4096)) ?? [];
    if (/^0x[0-9a-f]+$/i.test(word)) return this.hex();
    this.at += word.length;
    if (/^null$/i.test(word)) return null;
    const number = Number(word);
    return word !== '' && Number.isSafeInteger(number) ? number : word;
  }

  private hex(): Buffer {
    let end = this.at + 2;
    while (/[0-9a-f]/i.test(this.sql[end] ?? '')) end += 1;
    const bytes = Buffer.from(this.sql.slice(this.at + 2, end), 'hex');
    this.at = end;
    return bytes;
  }

  private quoted(): string {
    const parts: string[] = [];
    let from = this.at + 1;
    for (let end = from; ; end += 1) {
      const sign = this.sql[end];
      if (sign === undefined) throw new ImportError('the SQL dump has a text without an end');
      if (sign === '\\') {
        const escaped = this.sql[end + 1] ?? '';
        parts.push(this.sql.slice(from, end), ESCAPES[escaped] ?? escaped);
        end += 1;
        from = end + 1;
      } else if (sign === "'") {
        parts.push(this.sql.slice(from, end));
        if (this.sql[end + 1] !== "'") {
          this.at = end + 1;
          return parts.join('');
        }
        parts.push("'");
        end += 1;
        from = end + 1;
      }
    }
  }
}
