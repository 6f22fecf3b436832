import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { progressBar } from '../../../client/bin/terminal.js';
import {
  countNamedBlobs,
  type NamedBlob,
  namedBlobs,
  unreferencedBlobs,
} from '../../../db/content/file/blob.js';
import { type Db, sqliteFile } from '../../../db/engine/connect.js';
import { pendingMigrations } from '../../../db/engine/migrate.js';
import { query } from '../../../db/engine/query.js';
import { beginReindex, fillIndex, isFilled } from '../../../db/search/fill.js';
import { textIndexOf } from '../../../db/search/text-index.js';
import { jobCounts, queueTotals } from '../../../db/system/job.js';
import { readableSize } from '../../../routers/base/embed.js';
import { mapLimit } from '../../../routers/base/map-limit.js';
import type { BlobStore } from '../../../routers/base/ports/storage.js';
import { openSecrets } from '../../drivers/secrets/secrets.js';
import { openBlobStore } from '../../drivers/storage/index.js';
import { verifyBlob } from '../../drivers/storage/verify-blob.js';
import { type Config, readConfig } from '../../runtime/config/config.js';
import { createCommandLogger } from '../../runtime/logger.js';
import { openDatabase } from '../../runtime/open-database.js';
import { NAMES } from '../backup/layout.js';
import { describeLost } from '../describe-lost.js';
import { explainServerError } from './explain.js';
import { requireDatabase } from './require-database.js';

/** A check found a problem; the message says what it is and what to do. */
class Finding extends Error {}

/** One check; returns a text if all is well and throws a `Finding` otherwise. */
type Check = () => Promise<string>;

const BATCH = 500;
const AT_ONCE = 8;
/** Free space below this is reported as a problem. */
const LITTLE_SPACE = 1024 ** 3;

/**
 * `holdall doctor`: checks an installation, running or not, without changing its data. With `--reindex` it first makes
 * the index of searches again, in steps: if it is stopped, the next one or the next start goes on. The exit code is 1 if
 * it finds a problem.
 */
export async function doctor(args: string[]): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({ args, options: { deep: flag, reindex: flag } });
  const config = readConfig();
  requireDatabase(config);
  const opening = openDatabase(config, createCommandLogger());
  const db = await opening.catch(() => null);
  const openStore = () => openBlobStore(config);
  const store = async () => {
    await (await openStore()).check();
    const places = config.places.map((place) => (place === 'disk' ? 'the disk' : config.s3?.endpoint));
    return `files can be written to ${places.join(' and ')}`;
  };
  const space = () => checkSpace(config);
  try {
    const wrong = await examine(
      db === null
        ? // The error says why it cannot be opened.
          { database: () => opening.then(() => ''), store, space }
        : {
            database: () => checkDatabase(config, db),
            schema: () => checkSchema(db),
            secret: () => checkSecret(config, db),
            store,
            files: async () => checkFiles(config, db, await openStore(), values.deep),
            space,
            search: () => checkSearch(db, values.reindex),
            jobs: () => checkJobs(db),
          },
    );
    if (wrong > 0) process.exitCode = 1;
  } finally {
    await db?.close();
  }
}

/** Runs the checks and prints a line for each; returns the number of problems. */
async function examine(checks: Readonly<Record<string, Check>>): Promise<number> {
  let wrong = 0;
  for (const [name, check] of Object.entries(checks)) {
    let line: string;
    try {
      line = `ok     ${name.padEnd(9)} ${await check()}`;
    } catch (error) {
      wrong += 1;
      line = `FAILED ${name.padEnd(9)} ${explainServerError(error) ?? (error instanceof Error ? error.message : error)}`;
    }
    process.stdout.write(`${line}\n`);
  }
  return wrong;
}

async function checkDatabase(config: Config, db: Db): Promise<string> {
  if (db.dialect.name === 'postgres') {
    const [server] = await query<{ server_version: string }>(db.read, 'SHOW server_version');
    return `PostgreSQL ${server?.server_version} responds`;
  }
  const faults = await query<{ quick_check: string }>(db.read, 'PRAGMA quick_check');
  if (faults[0]?.quick_check !== 'ok')
    throw new Finding(`SQLite is damaged: ${faults[0]?.quick_check}; restore a backup`);
  const file = sqliteFile(config.dataDir);
  if ((await allows(config.dataDir, 0o011)) && (await allows(file, 0o077)))
    throw new Finding(
      `${file} can be read by other users: run chmod 700 ${config.dataDir} and chmod 600 ${file}*`,
    );
  return 'SQLite is intact';
}

/** Whether a file or folder has one of these bits set. */
const allows = async (path: string, bits: number): Promise<boolean> => ((await stat(path)).mode & bits) !== 0;

async function checkSchema(db: Db): Promise<string> {
  const pending = await pendingMigrations(db);
  if (pending.length === 0) return 'up to date';
  throw new Finding(`the next start will run these migrations: ${pending.join(', ')}`);
}

async function checkSecret(config: Config, db: Db): Promise<string> {
  if (config.secretKey === null) {
    const file = join(config.dataDir, NAMES.secret);
    const facts = await stat(file).catch(() => null);
    if (facts === null) throw new Finding(`${file} is missing: restore it, or set SECRET_KEY`);
    if ((facts.mode & 0o077) !== 0)
      throw new Finding(`${file} can be read by other users: run chmod 600 ${file}`);
  }
  await openSecrets(config, db);
  return 'matches this database';
}

async function checkFiles(config: Config, db: Db, store: BlobStore, deep: boolean): Promise<string> {
  const all = await countNamedBlobs(db);
  const bar = progressBar('files');
  const wrong: string[] = [];
  let seen = 0;
  let last = '';
  try {
    for (;;) {
      const batch = await namedBlobs(db.read, last, BATCH);
      const faults = await mapLimit(AT_ONCE, batch, async (blob) =>
        (await isWhole(store, blob, deep)) ? [] : [blob.sha256],
      );
      wrong.push(...(await stillNamed(db, faults.flat())));
      seen += batch.length;
      bar.update(seen, all);
      last = batch.at(-1)?.sha256 ?? '';
      if (batch.length < BATCH) break;
    }
  } finally {
    bar.end();
  }
  if (wrong.length > 0)
    throw new Finding(
      `${wrong.length} of ${seen} files are missing or damaged:\n${await describeLost(db, config, wrong)}`,
    );
  return `${seen} present${deep ? ' and intact' : ''}`;
}

async function isWhole(store: BlobStore, { sha256, size }: NamedBlob, deep: boolean): Promise<boolean> {
  return deep ? verifyBlob(store, sha256) : (await store.stat(sha256))?.size === size;
}

/** Filters out files that the running server has deleted together with their rows in the meantime. */
async function stillNamed(db: Db, hashes: readonly string[]): Promise<string[]> {
  const unreferenced = new Set(await unreferencedBlobs(db, hashes));
  return hashes.filter((hash) => !unreferenced.has(hash));
}

/** The files may be on a separate disk, through a symbolic link. */
async function checkSpace({ dataDir, places }: Config): Promise<string> {
  let least = Number.POSITIVE_INFINITY;
  for (const folder of places.includes('disk') ? [dataDir, join(dataDir, 'blobs')] : [dataDir]) {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free < LITTLE_SPACE) throw new Finding(`only ${readableSize(free)} free in ${folder}`);
    least = Math.min(least, free);
  }
  return `${readableSize(least)} free`;
}

async function checkSearch(db: Db, again: boolean): Promise<string> {
  if ((await pendingMigrations(db)).length > 0)
    throw new Finding('start the server once, which makes the index');
  if (again) await reindex(db);
  if (!(await isFilled(db)))
    throw new Finding('the index is not complete: start the server, or run holdall doctor --reindex');
  await textIndexOf(db.admin)
    .verify(db)
    .catch((cause: unknown) => {
      throw new Finding('the index is damaged: run holdall doctor --reindex', { cause });
    });
  return again ? 'the index was made again' : 'the index is complete';
}

async function reindex(db: Db): Promise<void> {
  const bar = progressBar('items');
  try {
    await beginReindex(db);
    // The server may be running.
    await fillIndex(db, (done, all) => bar.update(done, all), { beside: true });
  } finally {
    bar.end();
  }
}

async function checkJobs(db: Db): Promise<string> {
  const { waiting, failed } = queueTotals(await jobCounts(db));
  return `${waiting} waiting, ${failed} failed`;
}
