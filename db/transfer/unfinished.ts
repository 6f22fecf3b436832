import type { Knex } from 'knex';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { type Engine, MARK, quoted, TransferError } from './table.js';

/** Whether the database is the target of a copy that is not complete. */
export const isUnfinished = (db: Queryable): Promise<boolean> => db.schema.hasTable(MARK);

interface ForeignKey {
  readonly table_name: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Makes an empty database the target of a copy of this installation, in one step, or finds that it is one already.
 * Throws `TransferError` for any other database. References between tables wait for the end of the copy, because the
 * tables are filled one after another.
 */
export async function beginCopy(
  knex: Knex,
  engine: Engine,
  installation: string,
  makeTables: (trx: Knex) => Promise<unknown>,
): Promise<void> {
  await knex.transaction(async (trx) => {
    if (await isUnfinished(trx)) {
      const row = await trx(MARK).where('name', 'installation').first();
      if (row?.value === installation) return;
      throw new TransferError(
        'the target is the unfinished copy of another installation; use an empty database',
      );
    }
    if (await hasTables(trx, engine))
      throw new TransferError('the target is not empty, and not an unfinished copy; use an empty database');
    await trx.schema.createTable(MARK, (table) => {
      table.text('name').primary();
      table.text('value').notNullable();
    });
    await trx(MARK).insert({ name: 'installation', value: installation });
    await makeTables(trx);
    if (engine === 'postgres') await detachTables(trx);
  });
}

/** Ends the copy: from now on the database can be served. Throws if a reference leads nowhere. */
export async function endCopy(knex: Knex, engine: Engine): Promise<void> {
  await knex.transaction(async (trx) => {
    if (engine === 'postgres') await attachTables(trx);
    else {
      const [broken] = await query<{ table: string }>(trx, 'PRAGMA foreign_key_check');
      if (broken !== undefined)
        throw new TransferError(
          `a row of ${broken.table} refers to one that does not exist; nothing was switched`,
        );
    }
    await trx.schema.dropTable(MARK);
  });
}

async function hasTables(trx: Knex, engine: Engine): Promise<boolean> {
  const found = await query(
    trx,
    engine === 'sqlite'
      ? "SELECT 1 FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' LIMIT 1"
      : 'SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() LIMIT 1',
  );
  return found.length > 0;
}

/** Removes the references and remembers them beside the mark. */
async function detachTables(trx: Knex): Promise<void> {
  const keys = await query<ForeignKey>(
    trx,
    `SELECT c.relname AS table_name, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`,
  );
  for (const key of keys) {
    await trx(MARK).insert({ name: `reference ${key.table_name} ${key.name}`, value: JSON.stringify(key) });
    await trx.raw(`ALTER TABLE ${quoted(key.table_name)} DROP CONSTRAINT ${quoted(key.name)}`);
  }
}

/** Adds the references again, which checks every row. */
async function attachTables(trx: Knex): Promise<void> {
  const rows: { value: string }[] = await trx(MARK).where('name', 'like', 'reference %');
  for (const { value } of rows) {
    const key: ForeignKey = JSON.parse(value);
    await trx.raw(
      `ALTER TABLE ${quoted(key.table_name)} ADD CONSTRAINT ${quoted(key.name)} ${key.definition}`,
    );
  }
}
