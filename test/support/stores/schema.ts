/** The schema of a migrated database as SQL, in a form that is the same for every database with this schema. */
import { join } from 'node:path';
import type { Db } from '../../../db/engine/connect.js';
import { postgresSubset } from '../../../db/engine/dialect.js';
import { query } from '../../../db/engine/query.js';
import { ROOT } from '../root.js';

type Kind = Db['dialect']['name'];

/** The file that shows the schema of this kind of database. */
export const schemaFile = (kind: Kind): string => join(ROOT, 'db', `schema.${kind}.sql`);

/** What the file shows. */
export async function describeSchema(db: Db): Promise<string> {
  const { name } = db.dialect;
  const tables = name === 'sqlite' ? await describeSqlite(db) : await describePostgres(db);
  const head = `-- The schema after all migrations on ${name}. Made by \`npm run db:schema\`; a test compares it.`;
  return `${[head, ...tables].join('\n')}\n`;
}

/** What belongs to knex, not to us. */
const isOurs = (name: string): boolean => !name.startsWith('knex_') && !name.startsWith('sqlite_');

const tableOf = (name: string, parts: readonly string[], end = ''): string =>
  `CREATE TABLE ${name} (\n${parts.map((part) => `  ${part}`).join(',\n')}\n)${end};`;

/** SQLite keeps the statements that made the tables, with the columns that were added later. */
async function describeSqlite(db: Db): Promise<string[]> {
  const rows = await query<{ type: string; name: string; sql: string }>(
    db.read,
    `SELECT type, tbl_name AS name, sql FROM sqlite_schema WHERE sql IS NOT NULL
     ORDER BY tbl_name, type DESC, name`,
  );
  return rows
    .filter(({ name }) => isOurs(name))
    .map(({ type, name, sql }) => {
      const plain = sql.replace(/[`"]/g, '').replace(/\s+/g, ' ');
      if (type !== 'table') return `${plain};`;
      const [, body = '', end = ''] = /\((.*)\)([^)]*)$/.exec(plain) ?? [];
      return `\n${tableOf(name, partsOf(body), end)}`;
    });
}

/** What the commas outside of brackets separate. */
const partsOf = (list: string): string[] =>
  (list.match(/(?:\((?:[^()]|\([^()]*\))*\)|'[^']*'|[^,()'])+/g) ?? []).map((part) => part.trim());

interface Described {
  readonly name: string;
  readonly columns: readonly string[];
  /** Each with its name in front. */
  readonly constraints: readonly string[];
  readonly indexes: readonly string[];
}

async function describePostgres(db: Db): Promise<string[]> {
  return (await tablesOfPostgres(db)).flatMap(({ name, columns, constraints, indexes }) => [
    `\n${tableOf(name, [...columns, ...constraints.map((one) => one.replace(/^\w+ /, ''))])}`,
    ...indexes.map((index) => `${index};`),
  ]);
}

async function tablesOfPostgres(db: Db): Promise<Described[]> {
  const tables = await query<Described>(
    db.read,
    `SELECT c.relname AS name,
       ARRAY(
         SELECT concat_ws(' ', attname, format_type(atttypid, atttypmod),
             CASE WHEN attcollation = 'pg_catalog."C"'::regcollation THEN 'COLLATE "C"' END,
             CASE WHEN attnotnull THEN 'NOT NULL' END,
             'DEFAULT ' || pg_get_expr(adbin, adrelid))
         FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
         WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum
       ) AS columns,
       ARRAY(
         SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
         WHERE conrelid = c.oid AND contype <> 'n' ORDER BY contype DESC, conname
       ) AS constraints,
       ARRAY(
         SELECT replace(pg_get_indexdef(indexrelid), 'public.', '') FROM pg_index
         WHERE indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = c.oid)
         ORDER BY indexrelid::regclass::text
       ) AS indexes
     FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname`,
  );
  return tables.filter(({ name }) => isOurs(name));
}

/** The file with the statements that make the same tables with what engines like PostgreSQL have, too. */
export const SUBSET_FILE = join(ROOT, 'db', 'engine', 'subset-tables.json');

/** What that file holds, from a new database of PostgreSQL with all tables; each statement may be repeated. */
export async function describeSubset(db: Db): Promise<string> {
  const tables = inOrder(await tablesOfPostgres(db));
  const made = tables.flatMap(({ name, columns, constraints, indexes }) => [
    `CREATE TABLE IF NOT EXISTS ${name} (${[...columns.map(counted), ...constraints.map((one) => `CONSTRAINT ${one}`)].join(', ')})`,
    ...indexes
      .filter((index) => !index.includes(' USING gin '))
      .map((index) =>
        index
          .replace(/ INDEX (?=\w+ ON )/, ' INDEX IF NOT EXISTS ')
          .replace(' USING btree ', ' ')
          .replace('((created_at / 86400000))', `(${postgresSubset.dayOf('created_at')})`),
      ),
  ]);
  const filled = await Promise.all(tables.map(({ name }) => filling(db, name)));
  return `${JSON.stringify([...made, ...filled.flat()], null, 2)}\n`;
}

/** The statements for what a table has from its beginning. */
async function filling(db: Db, table: string): Promise<string[]> {
  const rows = await query<Readonly<Record<string, unknown>>>(db.read, `SELECT * FROM ${table}`);
  return rows.map((row) => {
    const given = Object.entries(row).filter(([, value]) => value !== null);
    const values = given.map(([, value]) => `'${String(value).replaceAll("'", "''")}'`);
    const columns = given.map(([name]) => name);
    return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')}) ON CONFLICT DO NOTHING`;
  });
}

/** Ids count up in every engine, which those of a `serial` do not. */
const counted = (column: string): string =>
  column.replace(/DEFAULT nextval\(.*\)$/, 'GENERATED BY DEFAULT AS IDENTITY');

/** Each table behind those that it refers to. */
function inOrder(tables: readonly Described[]): Described[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: Described[] = [];
  while (left.size > 0) {
    const next = [...left.values()].find(({ name, constraints }) =>
      constraints.every((one) => {
        const target = / REFERENCES (\w+)/.exec(one)?.[1];
        return target === undefined || target === name || !left.has(target);
      }),
    );
    if (next === undefined) throw new Error(`tables refer to each other: ${[...left.keys()].join(', ')}`);
    left.delete(next.name);
    ordered.push(next);
  }
  return ordered;
}
