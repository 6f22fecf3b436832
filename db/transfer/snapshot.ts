import type { Knex } from 'knex';
import { KIND_STORAGE, KINDS } from '../content/kinds.js';
import { DAY_MS } from '../engine/days.js';
import { dialectOf } from '../engine/dialect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { indexItems } from '../search/item-text.js';
import { textIndexOf } from '../search/text-index.js';
import { insertOf } from './copy.js';
import { openRows, type Row } from './rows.js';
import { type Engine, quoted, type Table, TransferError, tablesOf } from './table.js';

const REFERENCES: Readonly<Record<Engine, string>> = {
  sqlite: `SELECT t.name AS child, f."table" AS parent
    FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table'`,
  postgres: `SELECT c.relname AS child, p.relname AS parent FROM pg_constraint AS f
    JOIN pg_class AS c ON c.oid = f.conrelid JOIN pg_class AS p ON p.oid = f.confrelid
    WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace`,
};

/** The tables, each behind those that its rows refer to. */
async function parentsFirst(knex: Knex, engine: Engine, tables: readonly Table[]): Promise<Table[]> {
  const references = await query<{ child: string; parent: string }>(knex, REFERENCES[engine]);
  const ordered: Table[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const isFree = ({ name }: Table) =>
      references.every(({ child, parent }) => child !== name || parent === name || !waiting.has(parent));
    const free = left.filter(isFree);
    if (free.length === 0)
      throw new TransferError(`these tables refer to each other: ${[...waiting].join(', ')}`);
    ordered.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}

/** What is of the installation, of its processes or of its store, whatever accounts and items there are. */
const KEPT: ReadonlySet<string> = new Set([
  'installation',
  'leases',
  'hub_notes',
  'rate_limits',
  'blobs',
  'blob_removals',
]);

/** What is under way or was done, which is never part of what is put back. */
const PASSING: ReadonlySet<string> = new Set(['jobs', 'sessions', 'audit_log', 'codes', 'verify_tokens']);

/** Bound values of one statement, whose rows are few. */
const MAX_BOUND = 10_000;

/** All accounts, items and settings at one time, as JSON can hold them. */
export interface Snapshot {
  /** Epoch milliseconds. */
  readonly takenAt: number;
  readonly tables: Readonly<
    Record<string, { readonly columns: readonly string[]; readonly rows: readonly Row[] }>
  >;
  /** The stored bytes that they refer to, with how often they do. */
  readonly blobs: readonly { readonly sha256: string; readonly refs: number }[];
}

/** What the migrations leave: no account, no item, and a look that nobody has changed. */
export const EMPTY: Snapshot = {
  takenAt: 0,
  tables: { branding: { columns: ['id'], rows: [[1]] } },
  blobs: [],
};

const engineOf = (trx: Queryable) => dialectOf(trx).name;

const tablesIn = async (trx: Queryable): Promise<Table[]> => {
  const tables = await tablesOf(trx, engineOf(trx));
  return parentsFirst(
    trx,
    engineOf(trx),
    tables.filter(({ name }) => !KEPT.has(name)),
  );
};

/**
 * Takes a snapshot, in a transaction. Its stored bytes get one reference more, so that they stay, whatever is deleted
 * until the snapshot is put back.
 */
export async function takeSnapshot(trx: Queryable, takenAt: number): Promise<Snapshot> {
  const tables: Record<string, { columns: string[]; rows: Row[] }> = {};
  for (const table of await tablesIn(trx)) {
    if (PASSING.has(table.name)) continue;
    const rows: Row[] = [];
    const stream = await openRows(trx, engineOf(trx), table);
    for (let row = await stream.current(); row !== null; row = await stream.current()) {
      rows.push(row);
      stream.next();
    }
    await stream.close();
    if (rows.length > 0) tables[table.name] = { columns: table.columns.map(({ name }) => name), rows };
  }
  await query(trx, 'UPDATE blobs SET refs = refs + 1 WHERE refs > 0');
  const blobs = await query<{ sha256: string; refs: number }>(
    trx,
    'SELECT sha256, refs FROM blobs WHERE refs > 0',
  );
  return { takenAt, tables, blobs: blobs.map(({ sha256, refs }) => ({ sha256, refs })) };
}

/**
 * Makes a snapshot all that there is, in a transaction. Times move with it by whole days, so that what was new then is
 * new now. Ids are not given again; what no row refers to any more is left to the sweep.
 */
export async function putBack(trx: Queryable, snapshot: Snapshot, at: number): Promise<void> {
  const tables = await tablesIn(trx);
  for (const { name } of [...tables].reverse()) await query(trx, `DELETE FROM ${quoted(name)}`);
  const days = Math.max(0, Math.floor((at - snapshot.takenAt) / DAY_MS));
  for (const table of tables) await insert(trx, table, snapshot, days);
  await query(trx, 'UPDATE blobs SET refs = 0 WHERE refs > 0');
  for (const { sha256, refs } of snapshot.blobs)
    await query(trx, 'UPDATE blobs SET refs = ? WHERE sha256 = ?', [refs, sha256]);
  await textIndexOf(trx).clear(trx);
  await query(trx, 'DELETE FROM search_fill');
  for (const kind of KINDS) {
    const ids = await query<{ id: number }>(trx, `SELECT id FROM ${KIND_STORAGE[kind].table} ORDER BY id`);
    if (ids.length > 0)
      await indexItems(
        trx,
        kind,
        ids.map(({ id }) => id),
      );
  }
}

async function insert(trx: Queryable, table: Table, snapshot: Snapshot, days: number): Promise<void> {
  const stored = snapshot.tables[table.name];
  if (stored === undefined) return;
  const columns = table.columns.filter(({ name }) => stored.columns.includes(name));
  const statement = insertOf({ ...table, columns });
  const rows = stored.rows.map((row) =>
    columns.map(({ name }) => later(name, row[stored.columns.indexOf(name)] ?? null, days)),
  );
  const most = Math.max(1, Math.floor(MAX_BOUND / columns.length));
  for (let start = 0; start < rows.length; start += most) {
    const some = rows.slice(start, start + most);
    await query(trx, statement(some.length), some.flat());
  }
}

/** A value some days later, if it is a time. */
function later(column: string, value: Row[number], days: number): Row[number] {
  if (typeof value !== 'number' || value === 0) return value;
  if (column === 'day') return value + days;
  return column.endsWith('_at') ? value + days * DAY_MS : value;
}
