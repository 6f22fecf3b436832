/** The schema that can be read is the one that the migrations make, and every time in it is accounted for. */
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate } from '../../db/engine/migrate.js';
import { DEADLINES } from '../../db/system/clock.js';
import { databaseKinds } from '../support/stores/databases.js';
import { describeSchema, describeSubset, SUBSET_FILE, schemaFile } from '../support/stores/schema.js';

const test = suite('schema');

for (const { name, make } of databaseKinds())
  test(`the file shows the schema after all migrations: ${name}`, async () => {
    const database = await make();
    try {
      const db = await database.open();
      await migrate(db);
      const shown = await readFile(schemaFile(db.dialect.name), 'utf8');
      assert.is(shown, await describeSchema(db), 'write it again with `npm run db:schema`');
      if (db.dialect.name === 'postgres')
        assert.is(await readFile(SUBSET_FILE, 'utf8'), await describeSubset(db));
    } finally {
      await database.remove();
    }
  });

/** What happened then; a clock that goes back does not change it. */
const HAPPENED =
  /^(?:changed|created|connected|received|removed|sent|taken|used|last_used|proven|checked|seen|closed|visited|confirmed|attempted|disabled|failed|resolved|updated|named|written|trashed|notified)_at$/;

/** Dates that users chose, which stay. */
const CHOSEN = [
  ...['images', 'pastes', 'short_urls', 'invites', 'mailboxes'],
  ...['collections', 'share_links', 'upload_requests'],
].map((table) => `${table}.expires_at`);

test('every time is a deadline that follows the clock, a date that a user chose, or when something happened', async () => {
  const schema = await readFile(schemaFile('sqlite'), 'utf8');
  const times = [...schema.matchAll(/^CREATE TABLE (\w+) \(\n(.*?)^\)/gms)].flatMap(([, table, body = '']) =>
    Array.from(body.matchAll(/^ {2}(\w+_(?:at|until)) /gm), ([, column]) => `${table}.${column}`),
  );
  assert.ok(times.length > 50);
  const deadlines = DEADLINES.map(([table, column]) => `${table}.${column}`);
  const known = new Set([...deadlines, ...CHOSEN, 'upload_requests.ends_at']);
  assert.equal(
    times.filter((time) => !known.has(time) && !HAPPENED.test(time.split('.')[1] ?? '')),
    [],
    'add it to DEADLINES in db/system/clock.ts, or say here that it is none',
  );
  assert.equal(
    [...known].filter((time) => !times.includes(time)),
    [],
    'no such column',
  );
});

test.run();
