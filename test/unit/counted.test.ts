/** Totals of lists, which come from the counts of days: exact for spans that begin and end within one, on both databases. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KINDS } from '../../db/content/kinds.js';
import { ownItems } from '../../db/content/own/own-items.js';
import { insertPaste, searchPastes } from '../../db/content/paste.js';
import { DAY_MS } from '../../db/engine/days.js';
import { databaseKinds } from '../support/stores/databases.js';

const DAY = 20_000 * DAY_MS;
/** On three days, at their ends and in between. */
const TIMES = [0, 1, DAY_MS - 1, DAY_MS, DAY_MS + 5, 2 * DAY_MS - 1, 2 * DAY_MS, 2 * DAY_MS + 7].map(
  (after) => DAY + after,
);
const ENDS = [null, ...TIMES.flatMap((time) => [time - 1, time, time + 1])];

for (const { name, makeMigrated } of databaseKinds()) {
  const test = suite(`counted by days: ${name}`);

  test('every span has as many items as are listed', async () => {
    const database = await makeMigrated();
    try {
      const db = await database.open();
      const [ada, gone] = ['ada', 'gone'].map((username, index) => ({
        ...{ id: index + 1, username, username_key: username, password_hash: '', created_at: 1 },
        ...{ email: `${username}@example.net`, email_key: `${username}@example.net`, status: 'ACTIVE' },
        role: username === 'gone' ? 'DELETED' : 'USER',
      }));
      await db.write(async (trx) => {
        await trx('users').insert([ada, gone]);
        for (const [index, createdAt] of TIMES.entries())
          for (const ownerId of [1, 2])
            await insertPaste(trx, {
              ...{ uniqueId: `paste-${ownerId}-${index}`, ownerId, isPublic: true, passwordHash: null },
              ...{ createdAt, expiresAt: null, title: null, content: 'text', size: 4 },
              ...{ language: null, burn: false },
            });
      });
      const window = { limit: 100, offset: 0 };
      for (const from of ENDS)
        for (const to of ENDS) {
          const span = { from, to, matches: null };
          const expected = TIMES.filter(
            (time) => (from === null || time >= from) && (to === null || time < to),
          ).length;
          const filter = { kinds: KINDS, tagId: null, visibility: null, sort: 'newest', ...span } as const;
          for (const page of [
            await ownItems(db, 1, filter, window),
            await searchPastes(db, { ownerId: null, ...span }, window),
            await searchPastes(db, { ownerId: 1, ...span }, window),
          ])
            assert.equal([page.items.length, page.total], [expected, expected], `${from} to ${to}`);
        }
    } finally {
      await database.remove();
    }
  });

  test.run();
}
