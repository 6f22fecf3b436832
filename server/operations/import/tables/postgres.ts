import { openPostgresDatabase } from '../../../../db/engine/connect.js';
import { query } from '../../../../db/engine/query.js';
import { ImportError } from '../port.js';
import { byTable, type ListedColumn } from './columns.js';
import { rowsAtOnce } from './rows-at-once.js';
import type { Row, Tables } from './tables.js';

let cursors = 0;

/** The tables of a PostgreSQL database, in one snapshot. */
export async function openPostgresTables(address: string): Promise<Tables> {
  const knex = await openPostgresDatabase(address, 'holdall import').catch((cause: Error) => {
    throw new ImportError(`the database cannot be opened: ${cause.message}`, { cause });
  });
  const trx = await knex.transaction({ isolationLevel: 'repeatable read', readOnly: true });
  // Columns without a zone are in UTC.
  await trx.raw("SET LOCAL timezone = 'UTC'");
  /** As text, because the driver would read moments in the zone of this process. */
  const columnsOf = async (table: string): Promise<string> => {
    const columns = await query<{ name: string; type: string }>(
      trx,
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
         WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped`,
      [`"${table}"`],
    );
    const list = columns.map(({ name, type }) =>
      type.startsWith('timestamp') ? `"${name}"::text AS "${name}"` : `"${name}"`,
    );
    return list.join(', ');
  };
  return {
    schema: async () =>
      byTable(
        await query<ListedColumn>(
          trx,
          `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type,
                  pg_get_expr(d.adbin, d.adrelid) AS default,
                  (SELECT f.relname FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
                    WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum] LIMIT 1) AS to
             FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
             LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND pg_table_is_visible(c.oid)
              AND c.relnamespace <> 'pg_catalog'::regnamespace
            ORDER BY a.attnum`,
          [],
        ),
      ),
    async *rows(table, what) {
      const atOnce = rowsAtOnce(what);
      const cursor = `import_${++cursors}`;
      await query(
        trx,
        `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${await columnsOf(table)} FROM "${table}"`,
      );
      for (;;) {
        const page = await query<Row>(trx, `FETCH FORWARD ${atOnce} FROM ${cursor}`);
        yield* page;
        if (page.length < atOnce) break;
      }
      await query(trx, `CLOSE ${cursor}`);
    },
    where: async (table, column, value) =>
      query<Row>(trx, `SELECT ${await columnsOf(table)} FROM "${table}" WHERE "${column}" = ?`, [value]),
    close: async () => {
      await trx.rollback();
      await knex.destroy();
    },
  };
}
