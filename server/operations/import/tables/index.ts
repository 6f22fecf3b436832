import { openDump } from './dump.js';
import { openPostgresTables } from './postgres.js';
import { openSqliteTables } from './sqlite.js';
import type { Tables } from './tables.js';

/** Opens a `postgres://` address, a file of SQLite, or an SQL dump. */
export async function openTables(database: string): Promise<Tables> {
  if (/^postgres(ql)?:\/\//.test(database)) return openPostgresTables(database);
  return (await openSqliteTables(database)) ?? openDump(database);
}
