import { statSync } from 'node:fs';
import { CommandError } from '../../../client/bin/command.js';
import { sqliteFile } from '../../../db/engine/connect.js';
import { failedWith } from '../../drivers/storage/disk/folders.js';
import type { Config } from '../../runtime/config/config.js';

/** Whether the configured database exists; a PostgreSQL database always does. */
export function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  if (databaseUrl !== null) return true;
  const file = sqliteFile(dataDir);
  try {
    statSync(file);
    return true;
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return false;
    throw new CommandError(`${file} is not readable by this user`, { cause: error });
  }
}

/** Throws if there is no database yet: commands that only read or copy must not create one. */
export function requireDatabase(config: Config): void {
  if (hasDatabase(config)) return;
  throw new CommandError(
    `${sqliteFile(config.dataDir)} does not exist yet; the first start creates it. Check that DATA_DIR is the one of the server`,
  );
}
