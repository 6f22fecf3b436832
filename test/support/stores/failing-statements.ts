import type { Db } from '../../../db/engine/connect.js';
import { query } from '../../../db/engine/query.js';
import type { Queryable } from '../../../db/engine/queryable.js';

/**
 * The value used by the failing statements, as private as a paste, with a quotation mark and a line break.
 */
const CANARY = 'canary "of\na paste" canary';

/**
 * Statements that fail because of their values, in each of the ways in which the program builds statements.
 */
export function failing({ dialect }: Db): readonly ((knex: Queryable) => Promise<unknown>)[] {
  const twice = [1, 2].map(() => ({ name: CANARY, value: CANARY }));
  const forAll = [
    async (knex: Queryable) => knex('installation').insert(twice),
    async (knex: Queryable) => knex('installation').insert({ name: CANARY, value: null }),
    (knex: Queryable) =>
      query(knex, 'INSERT INTO installation (name, value) VALUES (?, ?), (?, ?)', [CANARY, '', CANARY, '']),
    (knex: Queryable) => knex.transaction((trx) => trx('installation').insert(twice)),
    async (knex: Queryable) => knex.raw('SELECT no_such_column FROM installation WHERE name = ?', [CANARY]),
  ];
  if (dialect.name === 'sqlite') {
    return [...forAll, (knex) => query(knex, 'SELECT json_array_length(?)', [CANARY])];
  }
  return [
    ...forAll,
    (knex) => query(knex, 'SELECT ?::bigint', [CANARY]),
    async (knex) => knex('users').where('id', CANARY),
    (knex) => query(knex, `SELECT 1 WHERE ${dialect.inStrings("''")}`, [CANARY]),
    (knex) => query(knex, 'SELECT ?::text::timestamp', [CANARY]),
  ];
}
