import type { Knex } from 'knex';
import { query } from '../engine/query.js';
import { type Engine, quoted, type Table } from './table.js';

/** The tables whose ids the database counts, with the last id that each has given. No id is ever given twice. */
type Counters = Readonly<Record<string, number>>;

const isCounted = ({ key, columns }: Table): boolean =>
  key.length === 1 && key[0] === 'id' && columns.some(({ name, type }) => name === 'id' && type === 'number');

async function sequenceOf(knex: Knex, table: string): Promise<string | null> {
  const [row] = await query<{ sequence: string | null }>(
    knex,
    `SELECT pg_get_serial_sequence(?, 'id') AS sequence`,
    [quoted(table)],
  );
  return row?.sequence ?? null;
}

/** Reads the counters. */
export async function countersOf(knex: Knex, engine: Engine, tables: readonly Table[]): Promise<Counters> {
  const last: Record<string, number> = {};
  for (const { name } of tables.filter(isCounted)) {
    if (engine === 'sqlite') {
      const [row] = await query<{ seq: number }>(knex, 'SELECT seq FROM sqlite_sequence WHERE name = ?', [
        name,
      ]);
      last[name] = row?.seq ?? 0;
      continue;
    }
    const sequence = await sequenceOf(knex, name);
    if (sequence === null) continue;
    const [row] = await query<{ last: number }>(
      knex,
      `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${sequence}`,
    );
    last[name] = Number(row?.last ?? 0);
  }
  return last;
}

/** Sets the counters to those of another database. */
export async function setCounters(knex: Knex, engine: Engine, counters: Counters): Promise<void> {
  for (const [table, last] of Object.entries(counters)) {
    if (engine === 'sqlite') {
      await query(knex, 'DELETE FROM sqlite_sequence WHERE name = ?', [table]);
      await query(knex, 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [table, last]);
      continue;
    }
    const sequence = await sequenceOf(knex, table);
    if (sequence !== null)
      await query(knex, 'SELECT setval(?::regclass, ?, ?)', [sequence, Math.max(1, last), last > 0]);
  }
}
