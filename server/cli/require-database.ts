import { statSync } from 'node:fs';
import { CommandError } from '../../client/bin/command.js';
import { sqliteFile } from '../../db/connect.js';
import type { Config } from '../config/config.js';
import { failedWith } from '../storage/folders.js';

/** Whether the database that the configuration names was made before; one of PostgreSQL always was. */
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

/** Refuses where there is no database yet: what looks at an installation, or copies it, makes none. */
export function requireDatabase(config: Config): void {
  if (hasDatabase(config)) return;
  throw new CommandError(
    `there is no ${sqliteFile(config.dataDir)} yet; the first start makes it. DATA_DIR must be that of the server`,
  );
}
