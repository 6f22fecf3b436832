import { closeSync, openSync, readSync } from 'node:fs';
import type { Knex } from 'knex';

/**
 * Names the committed state of the database: the same number at two moments means that nobody, in no process,
 * committed anything in between. Null where that cannot be told.
 */
export interface DatabaseState {
  current(): number | null;
}

/** For databases that cannot be asked this cheaply. */
export const UNKNOWN_STATE: DatabaseState = { current: () => null };

/** The state of a SQLite database, over a file that is open. */
export interface SqliteState extends DatabaseState {
  /**
   * To be called when no connection of this process is open any more: to close any descriptor of a file takes all locks
   * of the process from it (fcntl(2)), those of SQLite too, and then nothing keeps two writers apart.
   */
  close(): void;
}

/** Both copies of the header of SQLite's WAL index; byte 12 says that it is initialised (sqlite.org/walformat.html). */
const HEADER_BYTES = 48;
const INITIALISED_AT = 12;

/** "Hold", shown by `file` and written once at each start to see that the index in memory and the file agree. */
const APPLICATION_ID = 0x486f6c64;

/**
 * Reads the state of a SQLite database in WAL mode from the header of its index (`<filename>-shm`): what SQLite
 * itself compares to see whether its page cache is still good. One read of 96 bytes, without the database.
 * It is never known where there is no such file, or where a commit does not show in it at once.
 */
export async function openSqliteState(admin: Knex, filename: string): Promise<SqliteState> {
  const file = openIfThere(`${filename}-shm`);
  if (file === null) return { ...UNKNOWN_STATE, close: () => undefined };
  const now = Buffer.alloc(2 * HEADER_BYTES);
  const known = Buffer.alloc(2 * HEADER_BYTES);
  let count = 0;
  let closed = false;
  const current = (): number | null => {
    if (closed) return null;
    const read = readSync(file, now, 0, now.length, 0);
    // A commit writes one copy after the other: where they differ, one is under way.
    if (read < now.length || now.compare(now, HEADER_BYTES, undefined, 0, HEADER_BYTES) !== 0) return null;
    if (now[INITIALISED_AT] !== 1) return null;
    if (now.equals(known)) return count;
    now.copy(known);
    count += 1;
    return count;
  };
  const close = (): void => {
    closed = true;
    closeSync(file);
  };
  const before = current();
  await admin.raw(`PRAGMA application_id = ${APPLICATION_ID}`);
  const after = current();
  const isShown = before !== null && after !== null && before !== after;
  return { ...(isShown ? { current } : UNKNOWN_STATE), close };
}

/** Null where SQLite has no index in a file: on a file system that cannot share memory it works without a WAL. */
function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}
