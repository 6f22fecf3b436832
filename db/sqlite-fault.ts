import { codeOf } from './error-code.js';

/** What is the matter with the file of a database, and the way out. */
const FAULTS: Readonly<Record<string, string>> = {
  SQLITE_CORRUPT: 'is damaged: restore a backup into an empty DATA_DIR',
  SQLITE_NOTADB: 'is no database of SQLite, or is damaged: restore a backup into an empty DATA_DIR',
  SQLITE_CANTOPEN: 'cannot be opened: it is no file, or it or its folder is not readable by this user',
  SQLITE_PERM: 'is not readable by this user',
  SQLITE_READONLY: 'is not writable by this user, or lies on a disk that takes no changes',
};

/**
 * The sentence that names the file of the database and what is wrong with it; null for an error of another kind. `file`
 * is asked for only where there is such a sentence: who explains an error may not know the file, and need not.
 */
export function sqliteFault(error: unknown, file: () => string): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause);
    if (Object.hasOwn(FAULTS, code)) return `${file()} ${FAULTS[code]}`;
  }
  return null;
}
