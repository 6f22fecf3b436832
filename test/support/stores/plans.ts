import type { Db } from '../../../db/engine/connect.js';
import { type Binding, query, type StatementClient } from '../../../db/engine/query.js';

/** How SQLite finds the rows of a table in the statements that `work` runs. */
export async function waysTo(db: Db, table: string, work: () => Promise<unknown>): Promise<string[]> {
  const client = db.read.client as StatementClient;
  const { query: run } = client;
  const statements: { sql: string; bindings: readonly Binding[] }[] = [];
  client.query = (connection, statement) => {
    statements.push(statement as (typeof statements)[number]);
    return run.call(client, connection, statement);
  };
  await work().finally(() => {
    client.query = run;
  });
  const plans = await Promise.all(
    statements.map(({ sql, bindings }) =>
      query<{ detail: string }>(db.read, `EXPLAIN QUERY PLAN ${sql}`, bindings),
    ),
  );
  return plans.flat().flatMap(({ detail }) => (new RegExp(`\\b${table}\\b`).test(detail) ? [detail] : []));
}
