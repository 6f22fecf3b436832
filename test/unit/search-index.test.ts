/** The index of searches: how it is filled, filled again and killed on the way, on both databases. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deleteContent } from '../../db/content/content-change.js';
import { KIND_STORAGE, KINDS } from '../../db/content/kinds.js';
import { insertLink } from '../../db/content/link/link.js';
import { insertPaste } from '../../db/content/paste.js';
import type { DatabaseLocation, Db } from '../../db/engine/connect.js';
import { migrate } from '../../db/engine/migrate.js';
import { query } from '../../db/engine/query.js';
import { migrationSource } from '../../db/migrations/index.js';
import { matching } from '../../db/search/ask.js';
import { MAX_FOUND } from '../../db/search/entry.js';
import { beginReindex, fillIndex, isFilled } from '../../db/search/fill.js';
import { textIndexOf } from '../../db/search/text-index.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';

/** Columns of later versions. */
const LATER = [
  ['images', 'seal'],
  ['pastes', 'seal'],
  ['pastes', 'file_names'],
] as const;

const LINKS = 2_700;
const isOfAccents = ({ name }: { readonly name: string }): boolean => name.endsWith('_accents_of_searches');

const common = (uniqueId: string) => ({
  ...{ uniqueId, ownerId: 1, isPublic: true, passwordHash: null },
  ...{ createdAt: 1_790_000_000_000, expiresAt: null },
});

async function populate(db: Db, links: number): Promise<void> {
  await db.write(async (trx) => {
    await trx('users').insert({
      ...{
        id: 1,
        username: 'ada',
        username_key: 'ada',
        email: 'ada@example.net',
        email_key: 'ada@example.net',
      },
      ...{ role: 'USER', status: 'ACTIVE', created_at: 1, password_hash: '' },
    });
    const rows = Array.from({ length: links }, (_, made) => ({
      ...{ unique_id: `link-${made}`, lookup_id: `link-${made}`, owner_id: 1, is_public: true },
      ...{ shadowed: false, created_at: made, visits: 0, original_url: `https://example.com/target${made}` },
    }));
    // As rows, of which the index learns later.
    for (let start = 0; start < links; start += 100)
      await trx('short_urls').insert(rows.slice(start, start + 100));
    const text = { title: 'Notes', content: 'nothing but words', size: 17, language: null, burn: false };
    await insertPaste(trx, { ...common('a-paste'), ...text });
    await insertPaste(trx, { ...common('a-burn-paste'), ...text, burn: true });
  });
  await beginReindex(db);
}

/** How many items of a kind the owner finds. */
async function count(
  db: Db,
  kind: 'url' | 'paste',
  text: string,
  tagId: number | null = null,
): Promise<number> {
  const matches = { text, left: new AbortController().signal };
  const condition = (await matching(db, matches, { ownerId: 1, own: true, tagId }))(kind);
  if (condition === null) throw new Error('a search makes a condition');
  const [sql, ...values] = condition;
  const table = kind === 'url' ? 'short_urls' : 'pastes';
  const [row] = await query<{ n: number }>(
    db.read,
    `SELECT count(*) AS n FROM ${table} WHERE ${sql}`,
    values,
  );
  return Number(row?.n);
}

/** How many links are found at all, by two searches of which neither finds more than a search looks at. */
const countLinks = async (db: Db): Promise<number> =>
  (await count(db, 'url', 'target1')) + (await count(db, 'url', 'example.com -target1'));

for (const { name, makeMigrated } of databaseKinds()) {
  const test = suite<{ database: OwnDatabase; db: Db }>(`the index of searches: ${name}`);
  test.before.each(async (context) => {
    context.database = await makeMigrated();
    context.db = await context.database.open();
  });
  test.after.each(({ database }) => database.remove());

  test('killed before any step, the next one goes on, and everything is found', async ({ database, db }) => {
    await populate(db, LINKS);
    assert.equal([await count(db, 'url', 'target'), await isFilled(db)], [0, false]);
    const kept: number[] = [];
    for (const deadline of [1, 2, 2, 2]) {
      assert.is(await fillAndDie(database.location, deadline), null, 'it was killed');
      kept.push(await countLinks(db));
    }
    // The first two had pastes to do.
    assert.equal(kept, [0, 0, 1_000, 2_000]);
    assert.is(await fillAndDie(database.location, 1_000), 0);
    assert.equal([await countLinks(db), await isFilled(db)], [LINKS, true]);
    assert.is(await count(db, 'url', 'target1699'), 1);
    assert.is(await count(db, 'paste', 'words'), 1, 'without the burn paste');
    await textIndexOf(db.admin).verify(db);
  });

  test('two processes fill it together; changes in between are kept', async ({ database, db }) => {
    await populate(db, LINKS);
    const [gone] = await query<{ id: number }>(db.read, 'SELECT max(id) AS id FROM short_urls');
    const other = await database.open();
    let changed = false;
    const steps: number[] = [];
    await Promise.all([
      fillIndex(db, (done, all) => steps.push(done / all)),
      fillIndex(other, () => {
        if (changed) return;
        changed = true;
        void db.write((trx) => deleteContent(trx, 'url', gone?.id ?? 0));
      }),
    ]);
    await db.write((trx) => deleteContent(trx, 'url', gone?.id ?? 0));
    assert.ok(steps.every((step) => step >= 0 && step <= 1));
    assert.equal(
      steps,
      steps.toSorted((a, b) => a - b),
      'what is said about it never goes back',
    );
    assert.equal([await countLinks(db), await isFilled(db)], [LINKS - 1, true]);
    assert.is(await count(db, 'url', '-target1'), LINKS - 1 - 1_111, 'each has one entry');
  });

  test('an upgrade has it filled again, and what is in it is found meanwhile', async ({ db }) => {
    await populate(db, LINKS);
    await db.write((trx) =>
      insertLink(trx, { ...common('accents'), originalUrl: 'https://köln.example', maxUses: null }),
    );
    await fillIndex(db, () => {});
    while ((await db.admin.migrate.list({ migrationSource }))[0].some(isOfAccents))
      await db.admin.migrate.down({ migrationSource });
    // The program reads columns of later versions.
    for (const [table, column] of LATER) await db.admin.raw(`ALTER TABLE ${table} ADD COLUMN ${column} text`);
    await fillIndex(db, () => {});
    for (const [table, column] of LATER) await db.admin.raw(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    await migrate(db);
    assert.equal([await isFilled(db), await countLinks(db)], [false, LINKS]);
    await fillIndex(db, () => {}, { beside: true });
    assert.equal([await isFilled(db), await countLinks(db)], [true, LINKS]);
    assert.is(await count(db, 'url', 'koln'), 1);
    await textIndexOf(db.admin).verify(db);
  });

  test('a common word finds the newest, and no more than a search looks at', async ({ db }) => {
    await populate(db, MAX_FOUND + 7);
    await fillIndex(db, () => {});
    assert.is(await count(db, 'url', 'example'), MAX_FOUND);
    assert.is(await count(db, 'url', `target${MAX_FOUND + 6}`), 1);
    assert.is(await count(db, 'url', 'target0'), 1);
  });

  test('of a common word those with a tag are found, however many newer ones there are', async ({ db }) => {
    await populate(db, MAX_FOUND + 7);
    await db.write(async (trx) => {
      await trx('tags').insert({ id: 7, owner_id: 1, name: 'old', tag_key: 'old', items: 1 });
      await trx('item_tags').insert({ tag_id: 7, kind: 'url', item_id: 1 });
      await trx('short_urls').where('id', 1).update({ tagged: true });
    });
    await fillIndex(db, () => {});
    assert.is(await count(db, 'url', 'example', 7), 1);
    assert.is(await count(db, 'url', 'example -target0', 7), 0);
  });

  if (name === 'SQLite')
    test('a kind is a range of whole numbers for FTS5, and what it finds is looked up by id', async ({
      db,
    }) => {
      const matches = { text: 'example', left: new AbortController().signal };
      const match = await matching(db, matches, { ownerId: 1, own: true });
      for (const kind of KINDS) {
        const [sql = '', ...values] = match(kind) ?? [];
        for (const value of values.filter((bound) => typeof bound === 'number'))
          assert.equal(await query(db.read, 'SELECT typeof(?) AS type', [value]), [{ type: 'integer' }]);
        const plan = await query<{ detail: string }>(
          db.read,
          `EXPLAIN QUERY PLAN SELECT id FROM ${KIND_STORAGE[kind].table} WHERE ${sql}`,
          values,
        );
        assert.match(
          plan.map(({ detail }) => detail).join('\n'),
          /search_index VIRTUAL TABLE INDEX \d+:M\d+><$/m,
        );
      }
    });

  if (name === 'PostgreSQL')
    test('entries are replaced by their key even while the statistics know nothing of their kind', async ({
      db,
    }) => {
      await populate(db, LINKS);
      await fillIndex(db, () => {});
      await db.admin.raw('ANALYZE search_texts');
      const read = await db.write(async (trx) => {
        const text = { title: null, content: 'words', size: 5, language: null, burn: false };
        for (let made = 0; made < 300; made += 1)
          await insertPaste(trx, { ...common(`new-${made}`), ...text });
        const ids = await query<{ id: number }>(trx, 'SELECT id FROM pastes ORDER BY id DESC LIMIT 5');
        const rowsRead = async () => {
          const [row] = await query<{ n: number }>(
            trx,
            "SELECT seq_tup_read + idx_tup_fetch AS n FROM pg_stat_xact_user_tables WHERE relname = 'search_texts'",
          );
          return Number(row?.n);
        };
        // As for a large table, which is not read as a whole.
        await query(trx, 'SET LOCAL enable_seqscan = off');
        const before = await rowsRead();
        await textIndexOf(trx).remove(
          trx,
          'paste',
          ids.map(({ id }) => id),
        );
        return (await rowsRead()) - before;
      });
      assert.is(read, 5);
    });

  test('a change that is undone leaves nothing in the index', async ({ db }) => {
    await populate(db, 1);
    const undone = db.write(async (trx) => {
      await insertLink(trx, { ...common('undone'), originalUrl: 'https://undone.example', maxUses: null });
      throw new Error('undo');
    });
    await undone.catch(() => undefined);
    await db.write((trx) =>
      insertLink(trx, { ...common('kept'), originalUrl: 'https://kept.example', maxUses: null }),
    );
    assert.equal([await count(db, 'url', 'undone'), await count(db, 'url', 'kept')], [0, 1]);
  });

  test.run();
}

/** The exit code of a process that is killed before a step; null if it was killed. */
async function fillAndDie(location: DatabaseLocation, deadline: number): Promise<number | null> {
  const script = fileURLToPath(
    new URL(`../support/stores/fill-and-die${extname(import.meta.url)}`, import.meta.url),
  );
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, JSON.stringify(location), String(deadline)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}
