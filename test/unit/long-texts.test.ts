/** What is asked for often does not lie behind a long text, all of which SQLite would read on the way. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../db/engine/connect.js';
import { originalOf } from '../../db/mail/mail-attachment.js';
import { itemsPerDay } from '../../db/statistics/stats.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';
import { waysTo } from '../support/stores/plans.js';

const test = suite<{ database: OwnDatabase; db: Db }>('long texts');

test.before.each(async (context) => {
  const sqlite = databaseKinds().find(({ name }) => name === 'SQLite');
  assert.ok(sqlite);
  context.database = await sqlite.makeMigrated();
  context.db = await context.database.open();
});

test.after.each(({ database }) => database.remove());

test('are not read by the statistics of an account', async ({ db }) => {
  const span = { from: 1, to: 2, askedAt: Date.now() };
  const ways = await waysTo(db, 'pastes', () => itemsPerDay(db, 'paste', 1, span));
  assert.is(ways.length, 2);
  for (const way of ways) assert.match(way, 'COVERING INDEX');
});

test('are not read to find the original of a mail', async ({ db }) => {
  const ways = await waysTo(db, 'c', () => originalOf(db.read, 1));
  assert.is(ways.length, 1);
  for (const way of ways) assert.match(way, 'COVERING INDEX');
});

test.run();
