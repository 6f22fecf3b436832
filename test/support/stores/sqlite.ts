import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../root.js';
import { migrationsDigest } from './migrations-digest.js';

const FOLDER = join(ROOT, 'dist', 'test');
/** The name of the database in a data folder. */
const FILE = 'holdall.db';

let migrated: Promise<Buffer> | null = null;

/** Puts a database with all tables into an empty data folder: a copy takes a fraction of what the migrations take. */
export async function putMigratedFile(dataDir: string): Promise<void> {
  migrated ??= migratedFile();
  await writeFile(join(dataDir, FILE), await migrated, { flag: 'wx' });
}

/**
 * A new data folder for tests that are not about the first start of a server: on SQLite it has all tables, which otherwise
 * takes a third of the start.
 */
export async function newDataDir(name: string, onSqlite = true): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), `holdall-${name}-`));
  if (onSqlite) await putMigratedFile(dataDir);
  return dataDir;
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
    // Most processes find the file, and some of them have no other use for the engine.
    const [{ openDb }, { migrate }] = await Promise.all([
      import('../../../db/engine/connect.js'),
      import('../../../db/engine/migrate.js'),
    ]);
    const db = await openDb({ databaseUrl: null, dataDir });
    await migrate(db).finally(() => db.close());
    const files = await readdir(dataDir);
    if (files.length !== 1) throw new Error(`the database is not closed: ${files.join(', ')}`);
    return await readFile(join(dataDir, FILE));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
