import { join } from 'node:path';
import { openSqliteFile } from '../../db/connect.js';
import { codeOf } from '../../db/error-code.js';
import { makeFolder } from '../storage/folders.js';
import { BackupError } from './layout.js';

/** The file in DATA_DIR by which backups keep out of each other's way; it holds nothing. */
const LOCK = 'backup.lock';

/**
 * Backs up while no other process backs up the installation of this DATA_DIR. Throws `BackupError` when one does. The
 * lock is one of SQLite's: the system takes it back when a process ends, however it ends. It lies in DATA_DIR because
 * that is on a local disk; where backups go may be a share of a network, which knows no such locks.
 */
export async function inTurn<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  await makeFolder(dataDir);
  const lock = openSqliteFile(join(dataDir, LOCK));
  try {
    await lock.raw('PRAGMA busy_timeout = 0');
    await lock.raw('BEGIN IMMEDIATE').catch((cause: unknown) => {
      if (codeOf(cause) !== 'SQLITE_BUSY') throw cause;
      throw new BackupError('another backup of this installation is being made; wait for its end', { cause });
    });
    return await work();
  } finally {
    await lock.destroy();
  }
}
