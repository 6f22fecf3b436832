import { join } from 'node:path';
import type { Knex } from 'knex';
import { sqliteFault } from '../../../db/engine/clients/sqlite-fault.js';
import { openSqliteFile } from '../../../db/engine/connect.js';
import { codeOf } from '../../../db/engine/error-code.js';
import { makeFolder } from '../../drivers/storage/disk/folders.js';
import { BackupError } from './layout.js';

/** The file in DATA_DIR that a running backup or move locks, so that only one runs at a time. It is empty. */
const LOCK = 'backup.lock';

/**
 * Runs `work` while no other process backs up or moves the installation in this DATA_DIR; throws `BackupError` if one does.
 * This is a SQLite lock, which the system releases however the process ends. It is in DATA_DIR because that is on a
 * local disk; the backup folder may be a network share without such locks.
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
      throw new BackupError(
        'another backup of this installation, or a move, is running; wait until it has finished',
        {
          cause,
        },
      );
    const fault = sqliteFault(cause, () => file);
    if (fault === null) throw cause;
    // The file is empty; the next backup creates a new one.
    throw new BackupError(`the lock file ${file} cannot be used: delete it and try again`, {
      cause,
    });
  }
}
