import type { KnownTables } from '../tables/known.js';
import type { Row } from '../tables/tables.js';
import { text } from '../tables/values.js';

/**
 * The rows of links, those of the default domain first: where two domains have the same path, its address here leads to
 * the target of the default one.
 */
export async function* defaultFirst(tables: KnownTables, table: string): AsyncGenerator<Row> {
  for (const isDefault of [true, false])
    for await (const row of tables.rows(table)) if ((text(row.domain_id) === null) === isDefault) yield row;
}
