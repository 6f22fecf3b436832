import type { Knex } from 'knex';

/** A knex instance or an open transaction: what the table functions take. */
export type Queryable = Knex;
