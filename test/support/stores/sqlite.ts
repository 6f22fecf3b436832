import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb, sqliteFile } from '../../../db/engine/connect.js';
import { migrate } from '../../../db/engine/migrate.js';
import { ROOT } from '../root.js';
import { migrationsDigest } from './migrations-digest.js';

const FOLDER = join(ROOT, 'dist', 'test');

let migrated: Promise<Buffer> | null = null;

/** Puts a database with all tables into an empty data folder: a copy takes a fraction of what the migrations take. */
export async function putMigratedFile(dataDir: string): Promise<void> {
  migrated ??= migratedFile();
  await writeFile(sqliteFile(dataDir), await migrated, { flag: 'wx' });
}

/** The bytes to copy, made by the first process that needs them. */
async function migratedFile(): Promise<Buffer> {
  const name = `tables-${await migrationsDigest()}.db`;
  const path = join(FOLDER, name);
  const known = await readFile(path).catch(() => null);
  if (known !== null) return known;
  const made = await makeTables();
  await mkdir(FOLDER, { recursive: true });
  for (const other of await readdir(FOLDER))
    if (/^tables-\w+\.db$/.test(other)) await rm(join(FOLDER, other), { force: true });
  // Several processes may need it first.
  await writeFile(`${path}.${process.pid}`, made);
  await rename(`${path}.${process.pid}`, path);
  return made;
}

async function makeTables(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-tables-'));
  try {
    const db = await openDb({ databaseUrl: null, dataDir });
    await migrate(db).finally(() => db.close());
    const files = await readdir(dataDir);
    if (files.length !== 1) throw new Error(`the database is not closed: ${files.join(', ')}`);
    return await readFile(sqliteFile(dataDir));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
