import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DatabaseLocation, Db } from '../../db/engine/connect.js';
import { migrate } from '../../db/engine/migrate.js';
import { query } from '../../db/engine/query.js';
import { messageSummaries } from '../../db/mail/mail-list.js';
import { insertMessage, messageById, messageIn } from '../../db/mail/mail-message.js';
import { removeMessages } from '../../db/mail/mail-removal.js';
import { migrationSource } from '../../db/migrations/index.js';
import { countVisits } from '../../db/statistics/visit-days.js';
import { fileForm, startServer } from '../harness.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';

const config = { migrationSource };

/** The later names of tables and columns that a migration renamed. */
const RENAMED: Readonly<Record<string, string>> = {
  playlists: 'collections',
  playlist_items: 'collection_items',
  playlist_id: 'collection_id',
  collection_links: 'share_links',
};
const names = (await migrationSource.getMigrations([])).map((migration) =>
  migrationSource.getMigrationName(migration),
);

for (const { name, make } of databaseKinds()) {
  const test = suite<{ database: OwnDatabase }>(`migrations: ${name}`);
  test.before.each(async (context) => {
    context.database = await make();
  });
  test.after.each(({ database }) => database.remove());

  test('each one goes down and up again on a populated database, without losing other data', async ({
    database,
  }) => {
    await populate(database.location);
    const db = await database.open();
    for (let step = names.length - 1; step > 0; step -= 1) {
      const before = await contents(db);
      await db.admin.migrate.down(config);
      const without = await contents(db);
      for (const [table, kept] of without) {
        // What is left to do for the index of searches, not data.
        if (table === 'search_fill') continue;
        const columns = Object.keys(kept[0] ?? {});
        const later = before.get(table) ?? before.get(RENAMED[table] ?? '');
        const expected = later?.map((row) =>
          Object.fromEntries(
            columns.map((column) => [column, column in row ? row[column] : row[RENAMED[column] ?? '']]),
          ),
        );
        assert.equal(kept, expected, `${table} after ${names[step]} went down`);
      }
      await db.admin.migrate.up(config);
      assert.equal(
        [...(await contents(db)).keys()],
        [...before.keys()],
        `tables after ${names[step]} came up`,
      );
      const again = await contents(db);
      for (const table of ['content_days', 'images', 'pastes', 'short_urls', 'users'])
        assert.equal(
          again.get(table)?.map((row) => row.id ?? row.items),
          before.get(table)?.map((row) => row.id ?? row.items),
          `${table} after ${names[step]} came up again`,
        );
      await db.admin.migrate.down(config);
    }
    await db.admin.migrate.down(config);
    assert.equal([...(await contents(db)).keys()], [], 'nothing is left');
    assert.equal(await migrate(db), names);
  });

  test('rolling back to the log without grouped visits gives each visit a row of its own', async ({
    database,
  }) => {
    await populate(database.location);
    const db = await database.open();
    const logged = async () =>
      query<Row>(
        db.read,
        'SELECT url_id, visited_at, user_agent, ip_address, referrer_host FROM url_visits ORDER BY id',
      );
    const [visit] = await logged();
    await query(db.admin, 'UPDATE url_visits SET visits = 3');
    await query(
      db.admin,
      "INSERT INTO url_visits (url_id, visited_at, user_agent) SELECT url_id, visited_at, 'later' FROM url_visits",
    );
    const [, later] = await logged();
    await backTo(db, '0060_visits_alike');
    assert.equal(await logged(), [visit, visit, visit, later]);
  });

  test('impossible dimensions and durations are set to unknown', async ({ database }) => {
    await populate(database.location);
    const db = await database.open();
    await backTo(db, '0080_plausible_facts');
    const [known] = await query<Row>(db.read, 'SELECT duration_ms, width, height FROM images');
    await query(db.admin, 'UPDATE images SET width = 64, height = 48, duration_ms = 9223372036854775807');
    if (db.dialect.name === 'sqlite') await query(db.admin, 'UPDATE images SET width = 1e300');
    const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
    for (const table of ['images', 'pastes', 'short_urls', 'invites'])
      await db.admin(table).update('expires_at', lastMs + 1);
    await migrate(db);
    for (const table of ['images', 'pastes', 'short_urls', 'invites'])
      for (const row of await db.read(table)) assert.is(Number(row.expires_at), lastMs, table);
    const [now] = await query<Row>(db.read, 'SELECT duration_ms, width, height FROM images');
    const sides = db.dialect.name === 'sqlite' ? { width: null, height: null } : { width: 64, height: 48 };
    assert.equal(now, { ...known, ...sides, duration_ms: null });
  });

  test('every reference to a row of another table has an index that its deletion uses', async ({
    database,
  }) => {
    const db = await database.open();
    await migrate(db);
    if (db.dialect.name === 'postgres') return;
    for (const { name: table } of await query<{ name: string }>(
      db.read,
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    )) {
      const found = await query<{ name: string | null }>(
        db.read,
        `SELECT i.name FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i WHERE i.seqno = 0
         UNION SELECT name FROM pragma_table_info(?) WHERE pk = 1`,
        [table, table],
      );
      const naming = await query<{ from: string }>(db.read, 'SELECT * FROM pragma_foreign_key_list(?)', [
        table,
      ]);
      for (const { from } of naming)
        assert.ok(
          found.some((index) => index.name === from),
          `${table}.${from}`,
        );
    }
  });

  test('visits of bots and people are counted together where there are no separate numbers', async ({
    database,
  }) => {
    await populate(database.location);
    const db = await database.open();
    await query(db.admin, 'DELETE FROM visit_days');
    const day = { urlId: 1, day: 20_000, browser: '', system: '', referrerHost: '' };
    await db.write((trx) =>
      countVisits(db, trx, [
        { ...day, bot: true, visits: 2 },
        { ...day, bot: false, visits: 3 },
        { ...day, browser: 'curl', bot: true, visits: 4 },
      ]),
    );
    const counted = async () =>
      (await query<Row>(db.read, 'SELECT browser, bot, visits FROM visit_days ORDER BY 1, 3')).map(
        ({ browser, bot, visits }) => [browser, Boolean(bot), Number(visits)],
      );
    await backTo(db, '0081_visits_by_bots');
    const together = [
      ['', false, 5],
      ['curl', true, 4],
    ];
    assert.equal(await counted(), together);
    await migrate(db);
    assert.equal(await counted(), together);
  });

  test('how often a file or paste was opened is the sum of its days, and 0 without any', async ({
    database,
  }) => {
    await populate(database.location);
    const db = await database.open();
    const [image] = await query<Row>(db.read, 'SELECT * FROM images');
    await db.admin('images').insert({ ...image, id: 2, unique_id: 'never', lookup_id: 'never' });
    const days = [
      ['image', 1, 20_000, 3, 1],
      ['image', 1, 20_001, 0, 2],
      ['image', 1, 20_400, 5_000_000_000, 0],
      ['paste', 1, 20_000, 7, 0],
      // Of a link with the same number, and of a file that is no more.
      ['url', 2, 20_000, 11, 0],
      ['image', 99, 20_000, 13, 0],
    ];
    await backTo(db, '0330_openings_of_items');
    await db.admin('hit_days').delete();
    for (const [kind, item_id, day, people, bots] of days)
      await db.admin('hit_days').insert({ kind, item_id, day, owner_id: 1, people, bots });
    await migrate(db);
    const openedIn = async (table: string) =>
      (await query<Row>(db.read, `SELECT opened FROM ${table} ORDER BY id`)).map(({ opened }) =>
        Number(opened),
      );
    assert.equal(await openedIn('images'), [5_000_000_006, 0]);
    assert.equal(await openedIn('pastes'), [7]);
  });

  test('mails keep their content and what lists show of them; removed ones have nothing', async ({
    database,
  }) => {
    const db = await database.open();
    await migrate(db);
    const content = {
      sender: 'ada@example.net',
      from: 'Ada <ada@example.net>',
      to: ['box@example.org'],
      cc: [],
      subject: 'Grüße',
      date: 1_790_000_000_000,
      text: 'what it says',
      html: null,
      blocked: 0,
      headers: {},
      deliveredTo: null,
      replyTo: ['ada@example.net'],
      authentication: null,
      truncated: false,
    };
    const message = {
      mailboxId: 1,
      receivedAt: 1,
      size: 9,
      codes: [],
      tags: [],
      unread: true,
      content,
      original: null,
    };
    await db.write(async (trx) => {
      await trx('mailboxes').insert({
        address: 'box@example.org',
        status: 'OPEN',
        created_at: 1,
        token_hash: '',
      });
      await insertMessage(trx, { ...message, beginning: '', messageId: 'removed' });
      await insertMessage(trx, { ...message, beginning: '', messageId: 'kept' });
      await insertMessage(trx, {
        ...message,
        beginning: '',
        messageId: 'undated',
        content: { ...content, date: null },
      });
      await removeMessages(db, trx, 1, 'removed', 1);
      // What was here before the column counts as read.
      await trx('mail_messages').update({ unread: false });
    });
    const seen = async () => [
      (await messageSummaries(db, 1, { matches: null, from: null, unread: null }, { limit: 10, offset: 0 }))
        .items,
      await messageById(db.read, 2),
      await messageIn(db.read, 1, 'removed'),
    ];
    const before = await seen();
    const { from, subject } = content;
    const shown = { unread: false, receivedAt: 1, from, subject, beginning: '', codes: [], tags: [] };
    assert.equal(before[0], [
      { ...shown, messageId: 'undated', date: null },
      { ...shown, messageId: 'kept', date: content.date },
    ]);
    assert.equal(before[1], { ...message, unread: false, id: 2, messageId: 'kept' });
    assert.is(before[2], null);
    await backTo(db, '0082_mail_texts_apart');
    assert.equal(
      (await query<Row>(db.read, 'SELECT content FROM mail_messages ORDER BY id')).map((row) => row.content),
      ['', JSON.stringify(content), JSON.stringify({ ...content, date: null })],
    );
    await migrate(db);
    assert.equal(await seen(), before);
  });

  test('after a kill at any statement the old schema is intact, and the next start migrates', async ({
    database,
  }) => {
    const db = await database.open();
    await db.admin.migrate.up(config);
    const said: [string, number, number][] = [];
    for (const deadline of [3, 12, 25, 40, 60]) {
      assert.is(await migrateAndDie(database.location, deadline), null, `killed at statement ${deadline}`);
      assert.equal(await done(db), names.slice(0, 1));
    }
    assert.equal(await migrate(db, (...now) => said.push(now)), names.slice(1));
    assert.equal(await migrate(db, (...now) => said.push(now)), []);
    assert.equal(
      said,
      names.slice(1).map((each, index, all) => [each, index + 1, all.length]),
    );
  });

  test('of two concurrent migrations one runs, the other waits and finds nothing to do', async ({
    database,
  }) => {
    const both = await Promise.all([database.open(), database.open()]);
    const ran = await Promise.all(both.map((each) => migrate(each)));
    assert.equal(ran.flat(), names);
    assert.ok(ran.some((own) => own.length === 0));
  });

  test.run();
}

/** One item of everything that a server creates, created by a server. */
async function populate({ databaseUrl, dataDir }: DatabaseLocation): Promise<void> {
  const server = await startServer({
    DATA_DIR: dataDir,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  });
  try {
    const { key } = server.owner;
    const post = async (path: string, options: object) => {
      const { status, body } = await server.request('POST', path, { key, ...options });
      assert.is(status, 200, `${path}: ${body?.message}`);
      return body.uniqueId as string;
    };
    await server.account('MODERATOR');
    await post('/image/upload', { form: fileForm('some bytes', 'notes.bin') });
    await post('/paste/create', { json: { text: 'some text', password: 'secret' } });
    const url = await post('/url/create', { json: { url: 'https://example.org', maxUses: 3 } });
    assert.is((await server.request('GET', `/url/r/${url}`)).status, 301);
    await server.app.services.jobs.settle();
  } finally {
    await server.close();
  }
}

type Row = Record<string, unknown>;

/** Every row of every table of ours. */
async function contents(db: Db): Promise<Map<string, Row[]>> {
  const tables = await query<{ name: string }>(
    db.read,
    db.dialect.name === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'knex_%' ORDER BY name"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name NOT LIKE 'knex_%' ORDER BY name",
  );
  const found = new Map<string, Row[]>();
  for (const { name } of tables) {
    const all = await query<Row>(db.read, `SELECT * FROM ${name}`);
    const sorted = all.map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).sort()))).sort();
    found.set(
      name,
      sorted.map((row) => JSON.parse(row)),
    );
  }
  return found;
}

/** Rolls back a migration and those after it. */
async function backTo(db: Db, name: string): Promise<void> {
  while (names.indexOf(name) < (await done(db)).length) await db.admin.migrate.down(config);
}

/** The migrations recorded as done. */
async function done(db: Db): Promise<string[]> {
  const found = await query<{ name: string }>(db.read, 'SELECT name FROM knex_migrations ORDER BY id');
  return found.map((row) => row.name);
}

/** The exit code of a process that is killed before a statement; null if it was killed. */
async function migrateAndDie(location: DatabaseLocation, deadline: number): Promise<number | null> {
  const script = fileURLToPath(
    new URL(`../support/stores/migrate-and-die${extname(import.meta.url)}`, import.meta.url),
  );
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, JSON.stringify(location), String(deadline)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [[code], output] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
  ]);
  assert.is(output, '');
  return code;
}
