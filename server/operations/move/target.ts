import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import { openPostgresDatabase, openSqliteFile } from '../../../db/engine/connect.js';
import { codeOf } from '../../../db/engine/error-code.js';
import { query } from '../../../db/engine/query.js';
import type { End } from '../../../db/transfer/copy.js';
import { TransferError } from '../../../db/transfer/table.js';
import { makeFolder, syncFolder } from '../../drivers/storage/disk/folders.js';
import { nameOfPostgres } from '../../runtime/open-database.js';
import { putSqlite, requireNoSqlite } from '../backup/restore.js';
import { APPLICATION } from './source.js';

/** The database that is filled. */
export interface Target {
  readonly name: string;
  readonly end: End;
  readonly knex: Knex;
  close(): Promise<void>;
  /** After `close`: gives a complete file its name. */
  publish(): Promise<void>;
}

const isAddress = (to: string): boolean => /^postgres(ql)?:\/\//.test(to);

/** Opens a target: a `postgres://` address or the path of a SQLite file, which gets this name when it is complete. */
export const openTarget = (to: string): Promise<Target> =>
  isAddress(to) ? openPostgres(to) : openSqlite(to);

async function openPostgres(databaseUrl: string): Promise<Target> {
  const name = nameOfPostgres(databaseUrl);
  const knex = await openPostgresDatabase(databaseUrl, APPLICATION).catch((cause: Error) => {
    throw new TransferError(`${name}, cannot be opened: ${cause.message}`, { cause });
  });
  return {
    name,
    knex,
    end: {
      engine: 'postgres',
      read: (work) => knex.transaction(work, { isolationLevel: 'repeatable read', readOnly: true }),
      write: async (sql, bindings) => {
        await query(knex, sql, bindings);
      },
    },
    close: async () => knex.destroy(),
    publish: async () => {},
  };
}

async function openSqlite(file: string): Promise<Target> {
  await requireNoSqlite(file);
  await makeFolder(dirname(file));
  const part = `${file}.part`;
  const knex = openSqliteFile(part, { alone: true, busyTimeoutMs: 0 });
  try {
    // The tables are filled one after another; `endCopy` checks what refers to what.
    await query(knex, 'PRAGMA foreign_keys = OFF');
  } catch (error) {
    await knex.destroy();
    throw codeOf(error) === 'SQLITE_BUSY' ? new TransferError(`${part} is in use`, { cause: error }) : error;
  }
  return {
    name: file,
    knex,
    end: {
      engine: 'sqlite',
      read: (work) => work(knex),
      write: async (sql, bindings) => {
        await query(knex, sql, bindings);
      },
    },
    close: async () => knex.destroy(),
    publish: async () => {
      await requireNoSqlite(file);
      await putSqlite(part, file);
      // A second name of the same file: what is copied to it later would be written into the database.
      await rm(part, { force: true });
      await syncFolder(dirname(file));
    },
  };
}
