import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { query } from '../engine/query.js';
import { compareKeys, openRows, type Row } from './rows.js';
import { type Engine, listed, quoted, type Table, TransferError } from './table.js';

/** Values that one statement may bind on either database. */
const MAX_BOUND = 30_000;
/** Keys that one statement deletes: SQLite limits how deep a condition is. */
const MAX_DELETED = 200;

/** One end of a copy. */
export interface End {
  readonly engine: Engine;
  /** Reads: on PostgreSQL in a transaction of its own, because cursors end with it. */
  read<T>(work: (knex: Knex) => Promise<T>): Promise<T>;
  /** Runs one statement of the target durably. */
  write(sql: string, bindings: Row): Promise<void>;
}

/** What a table holds, to be compared. */
export interface Sum {
  readonly rows: number;
  /** SHA-256 of all rows in the order of the key. */
  readonly sha256: string;
}

type Step = (rows: number) => void;

/**
 * Makes the rows of a table of the target those of the source, by comparing both in the order of the key. What is there
 * already stays, so that a copy that was interrupted continues. `step` is told how many rows of the source were passed.
 */
export async function copyTable(source: End, target: End, table: Table, step: Step): Promise<void> {
  // Removed first: a value that is unique may have moved to a row with a smaller key.
  if (await hasRows(target, table)) await removeOthers(source, target, table);
  const statement = insertOf(table);
  await merge(source, target, table, async (walk) => {
    const most = Math.max(1, Math.min(walk.pageRows, Math.floor(MAX_BOUND / table.columns.length)));
    let batch: Row[] = [];
    const flush = async () => {
      if (batch.length > 0)
        await target.write(statement(batch.length), batch.flat()).catch((cause: Error) => {
          // The statement before it is long.
          const reason = cause.message.slice(cause.message.lastIndexOf(' - ') + 1);
          throw new TransferError(`a row of ${table.name} cannot be stored in the target ${reason}`, {
            cause,
          });
        });
      batch = [];
    };
    await walk.each(async (mine, other) => {
      if (mine === null) return;
      step(1);
      if (other !== null) return;
      batch.push(mine);
      if (batch.length >= most) await flush();
    });
    await flush();
  });
}

async function removeOthers(source: End, target: End, table: Table): Promise<void> {
  const places = keyPlaces(table);
  const same = `(${table.key.map((part) => `${quoted(part)} = ?`).join(' AND ')})`;
  let batch: Row[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const any = batch.map(() => same).join(' OR ');
    await target.write(`DELETE FROM ${quoted(table.name)} WHERE ${any}`, batch.flat());
    batch = [];
  };
  await merge(source, target, table, async (walk) => {
    await walk.each(async (mine, other) => {
      if (other === null || (mine !== null && textOf(mine) === textOf(other))) return;
      batch.push(places.map((place) => other[place] ?? null));
      if (batch.length >= MAX_DELETED) await flush();
    });
    await flush();
  });
}

interface Walk {
  readonly pageRows: number;
  /** Visits each key once, with the row of the source and that of the target; null where there is none. */
  each(visit: (mine: Row | null, other: Row | null) => Promise<void> | void): Promise<void>;
}

async function merge(
  source: End,
  target: End,
  table: Table,
  work: (walk: Walk) => Promise<void>,
): Promise<void> {
  const places = keyPlaces(table);
  await source.read(async (from) =>
    target.read(async (to) => {
      const mine = await openRows(from, source.engine, table);
      const theirs = await openRows(to, target.engine, table);
      await work({
        pageRows: mine.pageRows,
        each: async (visit) => {
          for (;;) {
            const [a, b] = [await mine.current(), await theirs.current()];
            if (a === null && b === null) return;
            const order = a === null ? 1 : b === null ? -1 : compareKeys(places, a, b);
            const visited = visit(order > 0 ? null : a, order < 0 ? null : b);
            if (visited !== undefined) await visited;
            if (order <= 0) mine.next();
            if (order >= 0) theirs.next();
          }
        },
      });
      await mine.close();
      await theirs.close();
    }),
  );
}

/** Counts and hashes the rows of a table. */
export async function sumOf(end: End, table: Table, step: Step): Promise<Sum> {
  return end.read(async (knex) => {
    const stream = await openRows(knex, end.engine, table);
    const hash = createHash('sha256');
    let rows = 0;
    for (;;) {
      const row = await stream.current();
      if (row === null) break;
      hash.update(`${textOf(row)}\n`);
      rows += 1;
      step(1);
      stream.next();
    }
    await stream.close();
    return { rows, sha256: hash.digest('hex') };
  });
}

/** How many rows a table has. */
export async function countOf(end: End, { name }: Table): Promise<number> {
  return end.read(async (knex) => {
    const [found] = await query<{ rows: number }>(knex, `SELECT count(*) AS rows FROM ${quoted(name)}`);
    return Number(found?.rows ?? 0);
  });
}

async function hasRows(end: End, { name }: Table): Promise<boolean> {
  return end.read(async (knex) => (await query(knex, `SELECT 1 FROM ${quoted(name)} LIMIT 1`)).length > 0);
}

const textOf = (row: Row): string => JSON.stringify(row);

const keyPlaces = ({ name, key, columns }: Table): number[] => {
  if (key.length === 0) throw new TransferError(`the table ${name} has no primary key`);
  return key.map((part) => columns.findIndex((column) => column.name === part));
};

/** A statement that inserts so many rows, each with a value of every column. */
export function insertOf({ name, columns }: Omit<Table, 'key'>): (rows: number) => string {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const head = `INSERT INTO ${quoted(name)} (${listed(columns.map((column) => column.name))}) VALUES `;
  return (rows) => head + Array.from({ length: rows }, () => row).join(', ');
}
