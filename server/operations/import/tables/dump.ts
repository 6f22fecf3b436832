import { ImportError } from '../port.js';
import { type Dump, openDumpFile } from './sql/bytes.js';
import { CutOff, statementsOf } from './sql/statements.js';
import { alteredBy, copiedInto, createdBy, insertedBy } from './sql/tables.js';
import { copiedRow, nextRow } from './sql/values.js';
import type { Column, Row, Tables, Value } from './tables.js';

/**
 * The tables of an SQL dump of MySQL, MariaDB, PostgreSQL or SQLite, in the spellings of their programs and of those
 * around them. Each reading goes through the file. Throws `ImportError` for what is no dump, or one that is cut off.
 */
export async function openDump(path: string): Promise<Tables> {
  const dump = await openDumpFile(path);
  const known = await schemaOf(path, dump);
  const tables: Tables = {
    schema: async () => known,
    async *rows(table) {
      const created = known.get(table) ?? [];
      const all = created.map(({ name }) => name);
      for await (const statement of statementsOf(path, dump)) {
        if ('line' in statement) {
          const into = copiedInto(statement.copy);
          if (into.table === table) yield rowOf(into.columns ?? all, copiedRow(statement.line), created);
          continue;
        }
        const inserted = insertedBy(statement.sql);
        if (inserted?.table !== table) continue;
        const { rows, columns } = inserted;
        if (rows === null) throw new ImportError(`${path} has an INSERT into ${table} that cannot be read`);
        for (let row = nextRow(rows, dump.escapes); row !== null; row = nextRow(rows, dump.escapes))
          yield rowOf(columns ?? all, row, created);
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

/** The tables that a dump creates. What has none is no dump, of which its product says more. */
async function schemaOf(path: string, dump: Dump): Promise<Map<string, Column[]>> {
  const known = new Map<string, Column[]>();
  try {
    for await (const statement of statementsOf(path, dump)) {
      if ('line' in statement) continue;
      const created = createdBy(statement.sql);
      if (created === null) alteredBy(statement.sql, known);
      else if (known.has(created.name))
        throw new ImportError(
          `${path} has the table ${created.name} twice: write a dump of one database only`,
        );
      else known.set(created.name, created.columns);
    }
  } catch (error) {
    if (known.size > 0 || !(error instanceof CutOff)) throw error;
  }
  return known;
}

function rowOf(columns: readonly string[], values: readonly Value[], created: readonly Column[]): Row {
  if (values.length !== columns.length)
    throw new ImportError(`the SQL dump has a row of ${values.length} values for ${columns.length} columns`);
  return Object.fromEntries(
    columns.map((column, index) => {
      const value = values[index] ?? null;
      const isBytes =
        typeof value === 'string' &&
        value.startsWith('\\x') &&
        created.find(({ name }) => name === column)?.type === 'bytea';
      return [column, isBytes ? Buffer.from(value.slice(2), 'hex') : value];
    }),
  );
}
