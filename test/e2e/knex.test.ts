/** The knex command line with `knexfile.ts`, on each database. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DatabaseIsNewer, migrate, pendingMigrations } from '../../db/engine/migrate.js';
import { migrationSource } from '../../db/migrations/index.js';
import { ROOT } from '../support/root.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';

const names = (await migrationSource.getMigrations([])).map((migration) =>
  migrationSource.getMigrationName(migration),
);

for (const { name, make } of databaseKinds()) {
  const test = suite<{ database: OwnDatabase }>(`knex command line: ${name}`);
  test.before.each(async (context) => {
    context.database = await make();
  });
  test.after.each(({ database }) => database.remove());

  test('sees, runs and rolls back the same migrations as the server', async ({ database }) => {
    const pending = await knex(database, 'migrate:status');
    for (const migration of names) assert.match(pending, `${migration}\n`);
    assert.match(await knex(database, 'migrate:latest'), `${names.length} migrations`);
    assert.match(await knex(database, 'migrate:currentVersion'), names.at(-1)?.split('_')[0] ?? '');
    const db = await database.open();
    assert.equal(await pendingMigrations(db), [], 'the server has nothing left to do');
    assert.match(await knex(database, 'migrate:rollback'), `${names.length} migrations`);
    assert.equal(await migrate(db), names);
    assert.match(await knex(database, 'migrate:status'), 'No Pending Migration');
  });

  test('a database of a newer release is distinguished from a damaged one', async ({ database }) => {
    const db = await database.open();
    await migrate(db);
    await db.admin('knex_migrations').insert({ name: '9999_future', batch: 2, migration_time: new Date() });
    for (const look of [migrate, pendingMigrations]) {
      const error = await look(db).catch((reason: unknown) => reason);
      assert.instance(error, DatabaseIsNewer);
      assert.match((error as Error).message, '9999_future is unknown here');
    }
    const more = Array.from({ length: 30 }, (_, n) => ({
      ...{ name: `99${10 + n}_future`, batch: 2, migration_time: new Date() },
    }));
    await db.admin('knex_migrations').insert(more);
    const { message } = (await migrate(db).catch((reason: unknown) => reason)) as Error;
    assert.match(message, '31 of its migrations are unknown here, the newest is 9999_future');
    assert.ok(message.length < 250, message);
  });

  test.run();
}

async function knex({ location }: OwnDatabase, command: string): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: location.dataDir,
    DATABASE_URL: location.databaseUrl ?? '',
  };
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'db', '--', command], { cwd: ROOT, env });
  return stdout;
}
