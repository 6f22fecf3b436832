/** `holdall import` reads tables with large contents in little memory. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPostgresDatabase, openSqliteFile } from '../../db/engine/connect.js';
import { type CommandWorld, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { put } from '../support/servers/importing.js';
import { skipping } from '../support/skip.js';
import { openTestDatabase, postgresUrl } from '../support/stores/postgres.js';

/** More than the command may have in memory, in rows of which it may have a few. */
const ROWS = 80;
const ROW_BYTES = 4_000_000;
const MEMORY = { NODE_OPTIONS: '--max-old-space-size=160' };

const test = suite<CommandWorld>('moving in with large pastes');
test.before(startCommandWorld);
test.after(endCommandWorld);

async function takesAll(world: CommandWorld, database: string): Promise<void> {
  const folder = await put(join(world.folder, 'links'), { 'links.txt': '' });
  const args = ['privatebin', '--database', database, '--links', join(folder, 'links.txt')];
  const { code, err } = await world.holdall(['import', ...args], '', MEMORY);
  assert.is(code, 0, err);
  assert.match(
    err,
    `imported 0 files, 0 pastes, 0 links and 0 collections; 0 had come before, ${ROWS} cannot come`,
  );
}

test('the database of PrivateBin in SQLite', async (world) => {
  const file = join(world.folder, 'privatebin.sqlite');
  const knex = openSqliteFile(file);
  await knex.raw('CREATE TABLE paste (dataid TEXT PRIMARY KEY, data TEXT, expiredate INT)');
  await knex.raw(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
     INSERT INTO paste SELECT 'paste ' || i, hex(zeroblob(${ROW_BYTES / 2})), 0 FROM n`,
  );
  await knex.destroy();
  await takesAll(world, file);
});

test('the database of PrivateBin in PostgreSQL', async (world) => {
  const address = postgresUrl();
  if (address === null) return skipping('PostgreSQL: TEST_DATABASE_URL is not set');
  const database = await openTestDatabase(address, randomUUID());
  try {
    const knex = await openPostgresDatabase(database.url, 'test');
    await knex.raw('CREATE TABLE paste (dataid text PRIMARY KEY, data text, expiredate int)');
    await knex.raw(
      `INSERT INTO paste SELECT 'paste ' || i, repeat('0', ${ROW_BYTES}), 0 FROM generate_series(1, ${ROWS}) i`,
    );
    await knex.destroy();
    await takesAll(world, database.url);
  } finally {
    await database.drop();
  }
});

test.run();
