import type { Queryable } from './queryable.js';

export type Binding = string | number | boolean | null;

/** The parts of a knex client that run one statement; knex publishes no types for it. */
export interface StatementClient {
  acquireConnection(): Promise<unknown>;
  releaseConnection(connection: unknown): Promise<unknown>;
  query(connection: unknown, statement: object): Promise<{ readonly response: unknown }>;
}

/**
 * Runs a statement with `?` for its bindings and returns its rows, on SQLite and PostgreSQL alike; without
 * RETURNING there are none. Bypasses knex's builder, which costs more than a small statement itself
 * (docs/adr/0004).
 */
export async function query<T>(db: Queryable, sql: string, bindings: readonly Binding[] = []): Promise<T[]> {
  const client = db.client as StatementClient;
  const connection = await client.acquireConnection();
  try {
    const { response } = await client.query(connection, { sql, bindings, method: 'raw' });
    return Array.isArray(response) ? response : (response as { rows: T[] }).rows;
  } finally {
    await client.releaseConnection(connection);
  }
}

/** A value computed by the database. */
export interface Computed {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

const isComputed = (value: Binding | Computed): value is Computed =>
  typeof value === 'object' && value !== null;

/**
 * Inserts one row, `{ column: value }`, and returns the requested columns as stored; for the most frequent
 * inserts. Each returned column costs time, so request only those you do not have.
 */
export async function insertRow<Row, Column extends keyof Row & string>(
  db: Queryable,
  table: string,
  values: Readonly<Record<string, Binding | Computed>>,
  returning: readonly Column[],
): Promise<Pick<Row, Column>> {
  const columns = Object.keys(values);
  const given = Object.values(values);
  const places = given.map((value) => (isComputed(value) ? value.sql : '?'));
  const [row] = await query<Pick<Row, Column>>(
    db,
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')}) RETURNING ${returning.join(', ')}`,
    given.flatMap((value) => (isComputed(value) ? value.bindings : [value])),
  );
  if (row === undefined) throw new Error(`${table}: no row was inserted`);
  return row;
}

/** Parses a JSON column that Holdall itself wrote. */
export function json<T>(text: string): T {
  return JSON.parse(text) as T;
}
