import { open } from 'node:fs/promises';
import { openSqliteReader } from '../../../../db/engine/connect.js';
import { query } from '../../../../db/engine/query.js';
import { ImportError } from '../port.js';
import { byTable, type ListedColumn } from './columns.js';
import { rowsAtOnce } from './rows-at-once.js';
import type { Row, Tables } from './tables.js';

const HEADER = 'SQLite format 3\u0000';

/** The tables of a SQLite file, which is only read; null if it is another kind of file. */
export async function openSqliteTables(path: string): Promise<Tables | null> {
  if (!(await isSqlite(path))) return null;
  const knex = openSqliteReader(path);
  return {
    schema: async () => {
      const columns = await query<ListedColumn>(
        knex,
        `SELECT tables.name AS "table", columns.name, lower(columns.type) AS type, columns.dflt_value AS "default",
                (SELECT keys."table" FROM pragma_foreign_key_list(tables.name) AS keys WHERE keys."from" = columns.name LIMIT 1) AS "to"
         FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY columns.cid`,
      );
      return byTable(columns);
    },
    async *rows(table, what) {
      const atOnce = rowsAtOnce(what);
      for (let after: number | null = null; ; ) {
        const page: (Row & { readonly 'row id': number })[] = await query(
          knex,
          `SELECT rowid AS "row id", * FROM "${table}" ${after === null ? '' : 'WHERE rowid > ?'} ORDER BY rowid LIMIT ${atOnce}`,
          after === null ? [] : [after],
        );
        yield* page;
        after = page.at(-1)?.['row id'] ?? 0;
        if (page.length < atOnce) return;
      }
    },
    where: async (table, column, value) =>
      query<Row>(knex, `SELECT * FROM "${table}" WHERE "${column}" = ?`, [value]),
    close: async () => knex.destroy(),
  };
}

async function isSqlite(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch((cause: Error) => {
    throw new ImportError(`${path} cannot be read: ${cause.message}`, { cause });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === HEADER;
  } finally {
    await file.close();
  }
}
