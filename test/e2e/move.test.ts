/** `holdall move`: the database goes to PostgreSQL and back, exactly. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDb } from '../../db/engine/connect.js';
import { migrate } from '../../db/engine/migrate.js';
import { tablesOf } from '../../db/transfer/table.js';
import { type CommandWorld, done, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { OWNER, type ServerProcess, startServer } from '../support/servers/server-process.js';
import { skipping } from '../support/skip.js';
import { openTestDatabase, postgresUrl, type TestDatabase } from '../support/stores/postgres.js';

interface World extends CommandWorld {
  database: TestDatabase;
}

const address = postgresUrl();
const test = suite<World>('moving the database');

test.before.each(async (world) => {
  await startCommandWorld(world);
  world.database = await openTestDatabase(address ?? '', randomUUID());
});
test.after.each(async (world) => {
  await endCommandWorld(world);
  await world.database.drop();
});

const headers = { 'X-API-Key': OWNER.OWNER_API_KEY, 'Content-Type': 'application/json' };

async function call(server: ServerProcess, method: string, path: string, body?: object) {
  const answer = await fetch(`${server.origin}/v1${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Items of each kind, with texts that databases order and compare in different ways. */
async function fill(server: ServerProcess): Promise<void> {
  for (const content of [
    'zebra',
    'Äpfel',
    'apple',
    '\u{1f600} face',
    '\ufb01 ligature',
    "it's \\ 'quoted'",
    'ß',
  ])
    assert.ok((await call(server, 'POST', '/paste/create', { content, title: content })).status < 300);
  for (const [uniqueId, url] of [
    ['Link-a', 'https://example.org/a'],
    ['link-B', 'https://example.org/b'],
  ])
    assert.ok((await call(server, 'POST', '/url/create', { url, uniqueId })).status < 300);
  for (let visit = 0; visit < 3; visit += 1) await call(server, 'GET', '/url/r/Link-a');
}

/** Everything that is stored, as text. */
async function contentOf(location: { databaseUrl: string | null; dataDir: string }): Promise<string> {
  const db = await openDb(location);
  try {
    const content: Record<string, string[]> = {};
    for (const { name, columns } of await tablesOf(db.admin, db.dialect.name)) {
      const rows: Record<string, unknown>[] = await db.read(name).select();
      content[name] = rows
        .map((row) =>
          JSON.stringify(
            columns.map(({ name, type }) =>
              type === 'boolean' && row[name] !== null ? Boolean(row[name]) : row[name],
            ),
          ),
        )
        .sort();
    }
    return JSON.stringify(content, null, 1);
  } finally {
    await db.close();
  }
}

test('carries every row to PostgreSQL and back, and the server continues there', async (world) => {
  await fill(world.server);
  await world.server.stop();
  const before = await contentOf({ databaseUrl: null, dataDir: world.folder });
  const moved = await world.holdall(['move', '--to', world.database.url]);
  assert.is(moved.code, 0, moved.err);
  assert.match(moved.out, /^pastes\t7\t[0-9a-f]{64}$/m);
  assert.match(moved.err, 'Set DATABASE_URL=postgres');
  const location = { databaseUrl: world.database.url, dataDir: world.folder };
  assert.is(await contentOf(location), before);

  const env = { DATABASE_URL: world.database.url };
  const server = await startServer({ dataDir: world.folder, env });
  assert.match((await call(server, 'GET', '/url/get/Link-a')).text, '"visits":3');
  assert.ok((await call(server, 'POST', '/paste/create', { content: 'made on PostgreSQL' })).status < 300);
  assert.match((await call(server, 'GET', '/user/get/@me/items?search=zebra')).text, '"title":"zebra"');
  await server.stop();

  const after = await contentOf(location);
  const file = join(world.folder, 'back', 'holdall.db');
  assert.match((await world.holdall(['move', '--to', file], '', env)).err, 'Remove DATABASE_URL');
  assert.is(await contentOf({ databaseUrl: null, dataDir: join(world.folder, 'back') }), after);
});

test('an id that was given is never given again, although its row is gone', async (world) => {
  const db = await openDb({ databaseUrl: null, dataDir: world.folder });
  const made = JSON.parse((await call(world.server, 'POST', '/paste/create', { content: 'x' })).text);
  const [{ id }] = await db.read('pastes').select('id').where('unique_id', made.uniqueId);
  await db.write((trx) => trx('pastes').where({ id }).delete());
  await db.close();
  await world.server.stop();
  await done(world.holdall(['move', '--to', world.database.url]));
  const target = await openDb({ databaseUrl: world.database.url, dataDir: world.folder });
  try {
    const [{ next }] = (
      await target.read.raw("SELECT nextval(pg_get_serial_sequence('pastes', 'id')) AS next")
    ).rows;
    assert.is(next, id + 1);
  } finally {
    await target.close();
  }
});

test('a server that runs is named, and nothing is copied', async (world) => {
  const { code, err } = await world.holdall(['move', '--to', world.database.url]);
  assert.is(code, 1);
  assert.match(err, 'is in use: stop the server');
  await world.server.stop();
  await done(world.holdall(['move', '--to', world.database.url]));
  const env = { DATABASE_URL: world.database.url };
  const server = await startServer({ dataDir: world.folder, env });
  try {
    const back = await world.holdall(['move', '--to', join(world.folder, 'other.db')], '', env);
    assert.match(back.err, 'is in use: stop the server');
    assert.not(existsSync(join(world.folder, 'other.db')));
  } finally {
    await server.stop();
  }
});

test('what was copied ahead from a running server is brought up to date, whatever has changed', async (world) => {
  await fill(world.server);
  const { err } = await world.holdall(['move', '--ahead', '--to', world.database.url]);
  assert.match(err, 'stop the server');
  const refused = await startServer({
    dataDir: world.folder,
    env: { DATABASE_URL: world.database.url },
  }).catch((error: Error) => error.message);
  assert.match(String(refused), 'a `holdall move` that is not complete');
  const db = await openDb({ databaseUrl: null, dataDir: world.folder });
  // Each has now the unique value that the copy has for the other.
  await db.write(async (trx) => {
    for (const [from, to] of [
      ['link-a', 'between'],
      ['link-b', 'link-a'],
      ['between', 'link-b'],
    ] as const)
      await trx('short_urls').where('lookup_id', from).update('lookup_id', to);
  });
  await db.close();
  assert.ok((await call(world.server, 'DELETE', '/url/get/Link-a')).status < 300);
  await fillMore(world.server);
  await world.server.stop();
  const before = await contentOf({ databaseUrl: null, dataDir: world.folder });
  await done(world.holdall(['move', '--to', world.database.url]));
  assert.is(await contentOf({ databaseUrl: world.database.url, dataDir: world.folder }), before);
});

const fillMore = async (server: ServerProcess): Promise<void> => {
  for (const content of ['one more', 'and another'])
    assert.ok((await call(server, 'POST', '/paste/create', { content })).status < 300);
};

test('killed at any point and repeated, it is complete; meanwhile no server starts with it', async (world) => {
  await fill(world.server);
  await world.server.stop();
  const before = await contentOf({ databaseUrl: null, dataDir: world.folder });
  for (const to of [world.database.url, join(world.folder, 'copy', 'holdall.db')])
    for (const deadline of [2, 9, 30]) {
      assert.is(await moveAndDie(world, to, deadline), 'SIGKILL');
      assert.not(existsSync(to));
    }
  for (const [to, location] of [
    [world.database.url, { databaseUrl: world.database.url, dataDir: world.folder }],
    [join(world.folder, 'copy', 'holdall.db'), { databaseUrl: null, dataDir: join(world.folder, 'copy') }],
  ] as const) {
    await done(world.holdall(['move', '--to', to]));
    assert.is(await contentOf(location), before);
    const again = await world.holdall(['move', '--to', to]);
    assert.is(again.code, 1);
    assert.match(again.err, /not empty|exists/);
  }
});

async function moveAndDie({ folder }: World, to: string, deadline: number): Promise<unknown> {
  const script = fileURLToPath(
    new URL(`../support/stores/move-and-die${extname(import.meta.url)}`, import.meta.url),
  );
  const child = spawn(process.execPath, [...process.execArgv, script, to, String(deadline)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '' },
  });
  return (await once(child, 'close'))[1];
}

test('a target with other data, or with the unfinished copy of another installation, is refused', async (world) => {
  await world.server.stop();
  const other = await openDb({ databaseUrl: world.database.url, dataDir: world.folder });
  await migrate(other);
  const refused = await world.holdall(['move', '--to', world.database.url]);
  assert.match(refused.err, 'not empty');
  for (const name of ['installation', 'pastes'])
    assert.is(Number((await other.read(name).count({ rows: '*' }).first())?.rows), 0);
  await other.admin.schema.createTable('unfinished_move', (table) => {
    table.text('name').primary();
    table.text('value');
  });
  await other.admin('unfinished_move').insert({ name: 'installation', value: 'another' });
  await other.close();
  assert.match((await world.holdall(['move', '--to', world.database.url])).err, 'of another installation');
  for (const to of ['mysql://somewhere/else', ''])
    assert.is((await world.holdall(['move', '--to', to])).code, 2);
});

if (address === null) skipping('PostgreSQL: TEST_DATABASE_URL is not set');
else test.run();
