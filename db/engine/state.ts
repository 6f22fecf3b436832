import { closeSync, openSync, readSync } from 'node:fs';
import type { Knex } from 'knex';

/**
 * Identifies the committed state of the database: if the number is the same at two moments, no process
 * committed anything in between. Null if that is unknown.
 */
export interface DatabaseState {
  current(): number | null;
}

/** For databases without a cheap way to read their state. */
export const UNKNOWN_STATE: DatabaseState = { current: () => null };

/** The state of a SQLite database, read from an open file. */
export interface SqliteState extends DatabaseState {
  /**
   * Call only when no connection of this process is open any more: closing any descriptor of a file drops all
   * locks of the process on it (fcntl(2)), including SQLite's, so that two writers could run at once.
   */
  close(): void;
}

/** The header of SQLite's WAL index, stored twice; byte 12 says that it is initialised (sqlite.org/walformat.html). */
const HEADER_BYTES = 48;
const INITIALISED_AT = 12;

/** "Hold", shown by `file`; written at each start to check that the index in memory and the file agree. */
const APPLICATION_ID = 0x486f6c64;

/**
 * Reads the state of a SQLite database in WAL mode from the header of its index (`<filename>-shm`), which
 * SQLite itself compares to check its page cache. One read of 96 bytes, without the database. The state is
 * always unknown if there is no such file, or if a commit does not show in it at once.
 */
export async function openSqliteState(admin: Knex, filename: string): Promise<SqliteState> {
  const file = openIfThere(`${filename}-shm`);
  if (file === null) return { ...UNKNOWN_STATE, close: () => undefined };
  const now = new Int32Array((2 * HEADER_BYTES) / Int32Array.BYTES_PER_ELEMENT);
  const bytes = new Uint8Array(now.buffer);
  const known = new Int32Array(now.length / 2);
  let count = 0;
  let closed = false;
  const current = (): number | null => {
    if (closed) return null;
    if (readSync(file, bytes, 0, bytes.length, 0) < bytes.length) return null;
    // Word by word: for so few bytes, calls of native comparisons cost more.
    let isKnown = true;
    for (let word = 0; word < known.length; word += 1) {
      // A commit writes one copy after the other: if they differ, a commit is in progress.
      if (now[word] !== now[word + known.length]) return null;
      if (now[word] !== known[word]) isKnown = false;
    }
    if (bytes[INITIALISED_AT] !== 1) return null;
    if (isKnown) return count;
    known.set(now.subarray(0, known.length));
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

/** Null if SQLite has no index file: on a file system without shared memory it works without a WAL. */
function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}
