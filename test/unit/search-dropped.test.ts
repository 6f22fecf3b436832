/** Words that the index of searches has forgotten are nowhere in the database any more, once what is left is dropped. */
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../db/engine/connect.js';
import { overwriting } from '../../db/engine/secure-delete.js';
import type { Entry } from '../../db/search/entry.js';
import { textIndexOf } from '../../db/search/text-index.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';

const WORD = 'qqzebrafishqq';
const test = suite<{ database: OwnDatabase; db: Db; file: string }>('forgotten words');

test.before.each(async (context) => {
  const sqlite = databaseKinds().find(({ name }) => name === 'SQLite');
  assert.ok(sqlite);
  context.database = await sqlite.makeMigrated();
  context.db = await context.database.open();
  const [main] = await context.db.admin.raw('PRAGMA database_list');
  context.file = main.file;
});
test.after.each(({ database }) => database.remove());

test('are in the file until then, and not after it', async ({ db, file }) => {
  const entry = (id: number, own: string): Entry => ({
    ...{ kind: 'image', id, ownerId: 1, shown: `picture ${id}`, own, tagIds: [] },
  });
  const isInFile = async () => {
    await db.admin.raw('PRAGMA wal_checkpoint(TRUNCATE)');
    return (await readFile(file)).includes(WORD.slice(2));
  };
  for (let from = 1; from < 3_000; from += 100)
    await db.write((trx) => {
      const some = Array.from({ length: 100 }, (_, made) => entry(from + made, `word${from + made}`));
      return textIndexOf(trx).put(trx, some, false);
    });
  await db.write((trx) => textIndexOf(trx).put(trx, [entry(5_000, `some ${WORD} text`)], false));
  await db.write((trx) => textIndexOf(trx).remove(trx, 'image', [5_000]));
  assert.ok(await isInFile());
  let steps = 0;
  while (!(await db.write((trx) => overwriting(trx, () => textIndexOf(trx).drop(trx))))) steps += 1;
  assert.ok(steps > 0 && steps < 100, `${steps} steps`);
  assert.not.ok(await isInFile());
});

test.run();
