/** What the order of a large collection costs grows with its files, not with their square. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { arrangeItems } from '../../db/content/collection/place-items.js';
import type { Db } from '../../db/engine/connect.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';
import { waysTo } from '../support/stores/plans.js';

const test = suite<{ database: OwnDatabase; db: Db }>('the order of a collection');

test.before.each(async (context) => {
  const sqlite = databaseKinds().find(({ name }) => name === 'SQLite');
  assert.ok(sqlite);
  context.database = await sqlite.makeMigrated();
  context.db = await context.database.open();
});

test.after.each(({ database }) => database.remove());

test('each listed file is looked up by its key', async ({ db }) => {
  const ways = await waysTo(db, 'collection_items', () => arrangeItems(db, db.read, 1, [{ imageId: 1 }]));
  assert.is(ways.length, 1);
  for (const way of ways) assert.match(way, '(collection_id=? AND image_id=?)');
});

test.run();
