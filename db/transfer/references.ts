import type { Knex } from 'knex';
import { query } from '../engine/query.js';
import { type Engine, type Table, TransferError } from './table.js';

const REFERENCES: Readonly<Record<Engine, string>> = {
  sqlite: `SELECT t.name AS child, f."table" AS parent
    FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table'`,
  postgres: `SELECT c.relname AS child, p.relname AS parent FROM pg_constraint AS f
    JOIN pg_class AS c ON c.oid = f.conrelid JOIN pg_class AS p ON p.oid = f.confrelid
    WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace`,
};

/** The tables, each behind those that its rows refer to. */
export async function parentsFirst(knex: Knex, engine: Engine, tables: readonly Table[]): Promise<Table[]> {
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
