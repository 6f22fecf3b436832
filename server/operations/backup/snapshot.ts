import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type NamedBlob, namedBlobs } from '../../../db/content/file/blob.js';
import { type Db, openSqliteFile } from '../../../db/engine/connect.js';
import { query } from '../../../db/engine/query.js';
import { environmentWith } from '../../runtime/config/config.js';
import { BackupError, NAMES } from './layout.js';

const BATCH = 1_000;

/** A consistent copy of the database, written to `<name>.part` in its folder. */
interface Snapshot {
  readonly name: string;
  /** The blobs that its rows reference, ordered by hash. */
  readonly blobs: readonly NamedBlob[];
}

/** Copies the database while it is in use. The blobs are those that this copy references. */
export function takeSnapshot(db: Db, databaseUrl: string | null, folder: string): Promise<Snapshot> {
  return databaseUrl === null ? fromSqlite(db, folder) : fromPostgres(db, databaseUrl, folder);
}

async function fromSqlite(db: Db, folder: string): Promise<Snapshot> {
  const part = join(folder, `${NAMES.sqlite}.part`);
  await rm(part, { force: true });
  // One read transaction, so writers are not blocked.
  await db.read.raw('VACUUM INTO ?', [part]);
  const copy = openSqliteFile(part);
  try {
    return { name: NAMES.sqlite, blobs: await allNamed(copy) };
  } finally {
    await copy.destroy();
  }
}

async function fromPostgres(db: Db, databaseUrl: string, folder: string): Promise<Snapshot> {
  const part = join(folder, `${NAMES.postgres}.part`);
  return db.admin.transaction(
    async (trx) => {
      const [exported] = await query<{ id: string }>(trx, 'SELECT pg_export_snapshot() AS id');
      await runPostgres('pg_dump', databaseUrl, [
        '--format=custom',
        '--no-owner',
        '--no-privileges',
        '--no-unlogged-table-data',
        `--snapshot=${exported?.id}`,
        `--file=${part}`,
      ]);
      return { name: NAMES.postgres, blobs: await allNamed(trx) };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

async function allNamed(db: Parameters<typeof namedBlobs>[0]): Promise<NamedBlob[]> {
  const all: NamedBlob[] = [];
  for (;;) {
    const batch = await namedBlobs(db, all.at(-1)?.sha256 ?? '', BATCH);
    all.push(...batch);
    if (batch.length < BATCH) return all;
  }
}

/** Runs a PostgreSQL program on a database. The password is not passed in its arguments. */
export async function runPostgres(
  program: string,
  databaseUrl: string,
  args: readonly string[],
): Promise<void> {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const child = spawn(program, [...args, `--dbname=${url.href}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environmentWith(password === '' ? {} : { PGPASSWORD: password }),
  });
  const ended = once(child, 'close').catch((cause: unknown) => {
    throw new BackupError(`${program} cannot be run: install the PostgreSQL client programs`, { cause });
  });
  const [[code], complaints] = await Promise.all([ended, text(child.stderr)]);
  if (code !== 0) throw new BackupError(`${program} failed: ${complaints.trim()}`);
}
