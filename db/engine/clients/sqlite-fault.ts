import { codeOf } from '../error-code.js';

/** Faults of the database file, and how to fix them. */
const FAULTS: Readonly<Record<string, string>> = {
  SQLITE_CORRUPT: 'is damaged: restore a backup into an empty DATA_DIR',
  SQLITE_NOTADB: 'is not an SQLite database, or is damaged: restore a backup into an empty DATA_DIR',
  SQLITE_CANTOPEN: 'cannot be opened: it is not a file, or this user cannot read it or write in its folder',
  SQLITE_PERM: 'is not readable by this user',
  SQLITE_BUSY:
    'is locked by another program (a database shell, a backup tool, another copy of Holdall): stop that program and try again',
  SQLITE_READONLY: 'is not writable by this user, or is on a read-only disk',
};

/**
 * A message that names the database file and its fault; null for any other error. `file` is only called if
 * there is such a message, because not every caller knows the file.
 */
export function sqliteFault(error: unknown, file: () => string): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause);
    if (Object.hasOwn(FAULTS, code)) return `${file()} ${FAULTS[code]}`;
  }
  return null;
}
