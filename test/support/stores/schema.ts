/** The schema of a migrated database as SQL, in a form that is the same for every database with this schema. */
import { join } from 'node:path';
import type { Db } from '../../../db/engine/connect.js';
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
  readonly parts: readonly string[];
  readonly indexes: readonly string[];
}

async function describePostgres(db: Db): Promise<string[]> {
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
       ) || ARRAY(
         SELECT pg_get_constraintdef(oid) FROM pg_constraint
         WHERE conrelid = c.oid AND contype <> 'n' ORDER BY contype DESC, conname
       ) AS parts,
       ARRAY(
         SELECT replace(pg_get_indexdef(indexrelid), 'public.', '') FROM pg_index
         WHERE indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = c.oid)
         ORDER BY indexrelid::regclass::text
       ) AS indexes
     FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname`,
  );
  return tables
    .filter(({ name }) => isOurs(name))
    .flatMap(({ name, parts, indexes }) => [
      `\n${tableOf(name, parts)}`,
      ...indexes.map((index) => `${index};`),
    ]);
}
