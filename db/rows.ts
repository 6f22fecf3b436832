import type { Queryable } from './connect.js';

type Binding = string | number | boolean | null;

/** Runs a SELECT or a statement with RETURNING; answers its rows on SQLite and PostgreSQL alike. */
export async function rows<T>(db: Queryable, sql: string, bindings: readonly Binding[] = []): Promise<T[]> {
  const result: unknown = await db.raw(sql, bindings);
  return Array.isArray(result) ? result : (result as { rows: T[] }).rows;
}

/** Epoch milliseconds of now; one name for the clock of the tables. */
export const now = (): number => Date.now();

/** Parses a JSON column that Holdall itself wrote. */
export function json<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** A pattern for `LIKE ... ESCAPE '!'` that finds this text anywhere. */
export const containing = (text: string): string => `%${text.replace(/[!%_]/g, '!$&')}%`;
