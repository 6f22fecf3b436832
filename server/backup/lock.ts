import { join } from 'node:path';
import type { Knex } from 'knex';
import { openSqliteFile } from '../../db/connect.js';
import { codeOf } from '../../db/error-code.js';
import { sqliteFault } from '../../db/sqlite-fault.js';
import { makeFolder } from '../storage/folders.js';
import { BackupError } from './layout.js';

/** The file in DATA_DIR that backups lock so that only one runs at a time; it is empty. */
const LOCK = 'backup.lock';

/**
 * Backs up while no other process backs up the installation of this DATA_DIR. Throws `BackupError` when one does. The
 * lock is one of SQLite's: the system frees it when a process ends, however it ends. It lies in DATA_DIR because
 * that is on a local disk; where backups go may be a share of a network, which knows no such locks.
 */
export async function withBackupLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  await makeFolder(dataDir);
  const file = join(dataDir, LOCK);
  const lock = openSqliteFile(file);
  try {
    await take(lock, file);
    return await work();
  } finally {
    await lock.destroy();
  }
}

async function take(lock: Knex, file: string): Promise<void> {
  try {
    await lock.raw('PRAGMA busy_timeout = 0');
    await lock.raw('BEGIN IMMEDIATE');
  } catch (cause) {
    if (codeOf(cause) === 'SQLITE_BUSY')
      throw new BackupError('another backup of this installation is running; wait until it has finished', {
        cause,
      });
    const fault = sqliteFault(cause, () => file);
    if (fault === null) throw cause;
    // It is empty; the next backup creates another one.
    throw new BackupError(`the lock file ${file} cannot be used: delete it and try again`, {
      cause,
    });
  }
}
