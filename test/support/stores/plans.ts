import type { Db } from '../../../db/engine/connect.js';
import { type Binding, query, type StatementClient } from '../../../db/engine/query.js';

interface Statement {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** The statements that `work` runs. */
async function statementsOf(db: Db, work: () => Promise<unknown>): Promise<Statement[]> {
  const client = db.read.client as StatementClient;
  const { query: run } = client;
  const statements: Statement[] = [];
  client.query = (connection, statement) => {
    statements.push(statement as Statement);
    return run.call(client, connection, statement);
  };
  await work().finally(() => {
    client.query = run;
  });
  return statements;
}

/**
 * The plan of each statement that `work` runs, line by line. PostgreSQL, which would read small tables as a whole, plans as
 * for large ones.
 */
export async function plansOf(db: Db, work: () => Promise<unknown>): Promise<string[][]> {
  const statements = await statementsOf(db, work);
  if (db.dialect.name === 'sqlite')
    return Promise.all(
      statements.map(async ({ sql, bindings }) =>
        (await query<{ detail: string }>(db.read, `EXPLAIN QUERY PLAN ${sql}`, bindings)).map(
          ({ detail }) => detail,
        ),
      ),
    );
  return db.admin.transaction(async (trx) => {
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await query(trx, `SET LOCAL enable_${way} = off`);
    const plans: string[][] = [];
    for (const { sql, bindings } of statements) {
      const lines = await query<Record<string, string>>(trx, `EXPLAIN ${sql}`, bindings);
      plans.push(lines.map((line) => line['QUERY PLAN'] ?? ''));
    }
    return plans;
  });
}

/** How SQLite finds the rows of a table in the statements that `work` runs. */
export async function waysTo(db: Db, table: string, work: () => Promise<unknown>): Promise<string[]> {
  const statements = await statementsOf(db, work);
  const plans = await Promise.all(
    statements.map(({ sql, bindings }) =>
      query<{ detail: string }>(db.read, `EXPLAIN QUERY PLAN ${sql}`, bindings),
    ),
  );
  return plans.flat().flatMap(({ detail }) => (new RegExp(`\\b${table}\\b`).test(detail) ? [detail] : []));
}
