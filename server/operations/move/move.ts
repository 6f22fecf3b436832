import { makeTables, pendingMigrations } from '../../../db/engine/migrate.js';
import { emptyIndex } from '../../../db/search/fill.js';
import { copyTable, countOf, type End, type Sum, sumOf } from '../../../db/transfer/copy.js';
import { countersOf, setCounters } from '../../../db/transfer/counters.js';
import { requireSameTables, type Table, TransferError, tablesOf } from '../../../db/transfer/table.js';
import { beginCopy, endCopy } from '../../../db/transfer/unfinished.js';
import type { Config } from '../../runtime/config/config.js';
import { installationOf } from '../backup/installation.js';
import { withBackupLock } from '../backup/lock.js';
import { openSource, type Source } from './source.js';
import { openTarget, type Target } from './target.js';

/** What a move is doing, with how many rows are done of how many. */
export type MoveProgress = (what: 'copying' | 'checking', done: number, total: number) => void;

/** A table that was compared in both databases. */
interface Moved extends Sum {
  readonly table: string;
}

/** Where to move the database, and how. */
interface MoveOptions {
  /** A `postgres://` address, or the path of a SQLite file that does not exist. */
  readonly to: string;
  /** Copies what can be copied while a server runs; the move itself then has little left to do. */
  readonly ahead: boolean;
  readonly progress: MoveProgress;
}

/**
 * Copies the configured database to another one, row by row, and compares every table by count and hash (ADR 20).
 * May be interrupted and repeated; the target can be served only when it is complete. Returns what was compared;
 * nothing with `ahead`. Throws `TransferError`, also if a server uses the source.
 */
export const moveDatabase = (config: Config, options: MoveOptions): Promise<readonly Moved[]> =>
  withBackupLock(config.dataDir, async () => {
    const source = await openSource(config, options.ahead);
    try {
      const installation = await identify(source);
      const target = await openTarget(options.to);
      let moved: readonly Moved[];
      try {
        const { knex, end } = target;
        await beginCopy(knex, end.engine, installation, makeTables);
        moved = await fill(source, target, options);
      } finally {
        await target.close();
      }
      if (!options.ahead) await target.publish();
      return moved;
    } finally {
      await source.close();
    }
  });

/** The installation that a database belongs to. */
async function identify({ knex, name }: Source): Promise<string> {
  const pending = await pendingMigrations({ admin: knex });
  if (pending.length > 0)
    throw new TransferError(
      `${name} is of an earlier release: start this one once with it, stop it, and repeat`,
    );
  const installation = await installationOf({ read: knex });
  if (installation !== null) return installation;
  throw new TransferError(`${name} was never used: start Holdall with the new database at once`);
}

async function fill(source: Source, target: Target, options: MoveOptions): Promise<readonly Moved[]> {
  const { ahead, progress } = options;
  // Never written to.
  const from: End = { ...source.end, write: () => Promise.reject(new Error('the source is only read')) };
  const tables = await from.read((knex) => tablesOf(knex, from.engine));
  requireSameTables(tables, await target.end.read((knex) => tablesOf(knex, target.end.engine)));
  let total = 0;
  for (const table of tables) total += await countOf(from, table);
  const counting = (what: 'copying' | 'checking') => {
    let done = 0;
    return (rows: number) => {
      done += rows;
      progress(what, done, total);
    };
  };
  const copied = counting('copying');
  for (const table of tables) await copyTable(from, target.end, table, copied);
  if (ahead) return [];
  const checked = counting('checking');
  const moved: Moved[] = [];
  for (const table of tables) moved.push(await compare(from, target.end, table, checked));
  const counters = await from.read((knex) => countersOf(knex, from.engine, tables));
  await setCounters(target.knex, target.end.engine, counters);
  await target.knex.transaction(emptyIndex);
  await source.requireAlone();
  await endCopy(target.knex, target.end.engine);
  if (target.end.engine === 'postgres') await target.knex.raw('ANALYZE');
  return moved;
}

async function compare(source: End, target: End, table: Table, step: (rows: number) => void): Promise<Moved> {
  const [here, there] = [await sumOf(source, table, step), await sumOf(target, table, () => {})];
  if (here.rows !== there.rows || here.sha256 !== there.sha256)
    throw new TransferError(
      `${table.name} differs: ${here.rows} rows, ${there.rows} in the copy; repeat the command, and report it if it happens again`,
    );
  return { table: table.name, ...here };
}
