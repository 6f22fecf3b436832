import { join } from 'node:path';
import { openSqliteFile } from '../../db/connect.js';
import { BackupError } from './layout.js';

/** The file by which backups into one folder keep out of each other's way; it holds nothing. */
const LOCK = 'backup.lock';

/**
 * Does work on a folder that no other process may do at the same time. Throws `BackupError` when one does. The lock is
 * one of SQLite's: the system takes it back when a process ends, however it ends.
 */
export async function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = openSqliteFile(join(folder, LOCK));
  try {
    await lock.raw('PRAGMA busy_timeout = 0');
    await lock.raw('BEGIN IMMEDIATE').catch((cause: unknown) => {
      if ((cause as { code?: unknown }).code !== 'SQLITE_BUSY') throw cause;
      throw new BackupError(`another backup into ${folder} is being made; wait for its end`, { cause });
    });
    return await work();
  } finally {
    await lock.destroy();
  }
}
