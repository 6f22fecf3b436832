import { dialectOf } from './dialect.js';
import type { Queryable } from './queryable.js';
import { statements } from './traced.js';

/** A value that both drivers bind alike. */
export type Binding = string | number | boolean | null;

/** An SQL statement with its values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Binding[];
}

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
export function query<T>(db: Queryable, sql: string, bindings: readonly Binding[] = []): Promise<T[]> {
  if (!statements.hasSubscribers) return run(db, sql, bindings);
  return statements.tracePromise(() => run<T>(db, sql, bindings), { sql, database: dialectOf(db).name });
}

async function run<T>(db: Queryable, sql: string, bindings: readonly Binding[]): Promise<T[]> {
  const client = db.client as StatementClient;
  const connection = await client.acquireConnection();
  try {
    const { response } = await client.query(connection, { sql, bindings, method: 'raw' });
    return Array.isArray(response) ? response : (response as { rows: T[] }).rows;
  } finally {
    await client.releaseConnection(connection);
  }
}

/**
 * Inserts rows with the same columns by one statement, and returns the requested columns of each as stored, in no
 * particular order; for the most frequent inserts. `computed` are further columns, as SQL over the row `given`. Each
 * returned column costs time, so request only those you do not have.
 */
export async function insertRows<Row>(
  db: Queryable,
  table: string,
  rows: readonly Readonly<Record<string, Binding>>[],
  computed: Readonly<Record<string, string>>,
  returning: readonly (keyof Row & string)[],
): Promise<Row[]> {
  const columns = Object.keys(rows[0] ?? {});
  const given = dialectOf(db).recordsOf('given', table, columns);
  return query<Row>(
    db,
    `INSERT INTO ${table} (${[...columns, ...Object.keys(computed)].join(', ')})
     SELECT ${[...columns.map((name) => `given.${name}`), ...Object.values(computed)].join(', ')} FROM ${given}
     RETURNING ${returning.join(', ')}`,
    [recordsJson(rows)],
  );
}

/** Records for `recordsOf`. What is no Unicode is replaced, as a driver does: PostgreSQL refuses it in JSON. */
export function recordsJson(records: readonly Readonly<Record<string, Binding>>[]): string {
  const text = JSON.stringify(records);
  if (!text.includes('\\ud')) return text;
  return JSON.stringify(records, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}

/** Parses a JSON column that Holdall itself wrote. */
export function json<T>(text: string): T {
  return JSON.parse(text) as T;
}
