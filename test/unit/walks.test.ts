/** What is read in batches is walked along an index: no batch sorts all that there is. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNED_KINDS } from '../../db/content/kinds.js';
import { insertLinks, ownLinksAfter } from '../../db/content/link/link.js';
import { originsAfter } from '../../db/content/origins.js';
import { BEGINNING } from '../../db/content/walk.js';
import type { Db } from '../../db/engine/connect.js';
import { hitsAfter } from '../../db/statistics/hit-days.js';
import { visitsAfter } from '../../db/statistics/visit.js';
import { hubNotesAfter } from '../../db/system/hub-note.js';
import { ROOT } from '../support/root.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';
import { plansOf } from '../support/stores/plans.js';

/** Every function of `db/` whose name ends in `After`. */
const READERS: Readonly<Record<string, readonly ((db: Db) => Promise<unknown>)[]>> = {
  ownLinksAfter: [(db) => ownLinksAfter(db.read, 1, BEGINNING, 100)],
  originsAfter: OWNED_KINDS.map((kind) => (db) => originsAfter(db, kind, 1, BEGINNING, 100)),
  hitsAfter: [(db) => hitsAfter(db, 1, { day: 0, kind: 'image', itemId: 0 }, 100)],
  visitsAfter: [(db) => visitsAfter(db.read, 1, 0, 1_000, 100)],
  hubNotesAfter: [(db) => hubNotesAfter(db.read, 0, 100)],
};

for (const { name, makeMigrated } of databaseKinds()) {
  const test = suite<{ database: OwnDatabase; db: Db }>(`walks: ${name}`);
  test.before.each(async (context) => {
    context.database = await makeMigrated();
    context.db = await context.database.open();
  });
  test.after.each(({ database }) => database.remove());

  test('no batch sorts what is not in it', async ({ db }) => {
    for (const [reader, reads] of Object.entries(READERS))
      for (const read of reads) {
        const [plan = []] = await plansOf(db, () => read(db));
        assert.match(plan.join('\n'), /index|INTEGER PRIMARY KEY/i, reader);
        // Equals in the order of an index may be sorted among each other.
        const sorts = plan.filter(
          (line) => /TEMP B-TREE|\bSort {2}\(/.test(line) && !/LAST TERM|Incremental/.test(line),
        );
        assert.equal(sorts, [], `${reader}: ${plan.join('\n')}`);
      }
  });

  test('links of the same moment come once each, in batches of any size', async ({ db }) => {
    await db.write(async (trx) => {
      const account = {
        username: 'ada',
        username_key: 'ada',
        email: 'a@example.net',
        email_key: 'a@example.net',
      };
      await trx('users').insert({
        id: 1,
        ...account,
        role: 'USER',
        status: 'ACTIVE',
        created_at: 1,
        password_hash: '',
      });
      const times = [5, 5, 5, 1, 9, 5, -3];
      await insertLinks(
        trx,
        times.map((createdAt, index) => ({
          ...{ uniqueId: `l${index}`, ownerId: 1, isPublic: true, passwordHash: null, createdAt },
          ...{ expiresAt: null, originalUrl: 'https://example.com', maxUses: null },
        })),
      );
    });
    for (const size of [1, 2, 3, 100]) {
      const found: string[] = [];
      for (let after = BEGINNING; ; ) {
        const some = await ownLinksAfter(db.read, 1, after, size);
        found.push(...some.map(({ uniqueId }) => uniqueId));
        const last = some.at(-1);
        if (last === undefined || some.length < size) break;
        after = { by: last.createdAt, id: last.id };
      }
      assert.equal(found, ['l6', 'l3', 'l0', 'l1', 'l2', 'l5', 'l4'], `${size} at once`);
    }
  });

  test.run();
}

const named = suite('readers of batches');
named('are all looked at here', async () => {
  const found = new Set<string>();
  const folder = join(ROOT, 'db');
  for (const file of await readdir(folder, { recursive: true }))
    if (file.endsWith('.ts'))
      for (const [, name = ''] of (await readFile(join(folder, file), 'utf8')).matchAll(
        /^export (?:async )?(?:function|const) (\w+After)\b/gm,
      ))
        found.add(name);
  assert.equal([...found].sort(), Object.keys(READERS).sort());
});
named.run();
