// on both databases
/** The roll-ups always match a count of the rows, whatever has happened to them. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deleteContent, setPublic } from '../../db/content/content-change.js';
import { lockContent, writeRevision } from '../../db/content/content-edit.js';
import { insertImage } from '../../db/content/file/image.js';
import { insertLink } from '../../db/content/link/link.js';
import { insertPaste } from '../../db/content/paste.js';
import { trashItems } from '../../db/content/trash.js';
import type { Db } from '../../db/engine/connect.js';
import { query } from '../../db/engine/query.js';
import { itemsPerDay, kindExtremes, kindTotals } from '../../db/statistics/stats.js';
import { createVisits } from '../../routers/features/link/visits/visit-batch.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';

const DAY = 86_400_000;
const YEAR_AGO = Math.floor(Date.now() / DAY) * DAY - 365 * DAY;

interface Given {
  database: OwnDatabase;
  db: Db;
}

/** A reproducible sequence of numbers in [0, below). */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Creates, opens, closes and deletes items of every kind, some of it in transactions that fail. */
async function live(db: Db, pick: (below: number) => number): Promise<void> {
  for (let step = 0; step < 400; step += 1) {
    const kind = (['image', 'paste', 'url'] as const)[pick(3)] ?? 'url';
    const item = {
      uniqueId: `I${step}`,
      ownerId: 1 + pick(3),
      isPublic: pick(3) > 0,
      passwordHash: pick(5) === 0 ? 'hash' : null,
      createdAt: YEAR_AGO + pick(9 * DAY),
      expiresAt: null,
    };
    const fails = pick(10) === 0;
    const act = db.write(async (trx) => {
      const change = pick(8);
      const keys = Array.from({ length: 5 }, () => `i${pick(step + 1)}`);
      if (change < 2) await deleteContent(trx, kind, 1 + pick(100));
      else if (change === 2) await setPublic(db, trx, kind, item.ownerId, keys, item.isPublic);
      else if (change === 3) {
        const row = await lockContent(db, trx, kind, 1 + pick(100));
        if (row !== null)
          await writeRevision(trx, kind, row, { password_hash: item.passwordHash }, Date.now());
      } else if (kind === 'image') {
        await insertImage(trx, {
          ...item,
          sha256: `${step}`,
          sentSha256: null,
          size: pick(5000),
          mimeType: 'image/png',
          type: pick(2) === 0 ? 'png' : 'gif',
          mediaKind: 'image',
          originalName: null,
          description: null,
          source: 'API',
          location: 'LOCAL',
          width: 1,
          height: 1,
          durationMs: null,
          animated: false,
          metadata: null,
          thumbhash: null,
          posterSha256: null,
          maxViews: null,
        });
      } else if (kind === 'paste') {
        const text = { title: null, content: 'x', size: pick(900), language: null, burn: false };
        await insertPaste(trx, { ...item, ...text });
      } else await insertLink(trx, { ...item, originalUrl: 'https://example.org', maxUses: null });
      if (fails) throw new Error('undo');
    });
    await act.catch((error: Error) => assert.is(error.message, 'undo'));
  }
}

for (const kind of databaseKinds()) {
  const test = suite<Given>(`roll-ups in ${kind.name}`);

  test.before.each(async (given) => {
    given.database = await kind.makeMigrated();
    given.db = await given.database.open();
    await given.db.write(async (trx) => {
      for (const name of ['ada', 'bob', 'eve']) {
        await trx('users').insert({
          username: name,
          username_key: name,
          email: name,
          email_key: name,
          password_hash: '',
          role: 'USER',
          status: 'ACTIVE',
          created_at: YEAR_AGO,
        });
      }
    });
  });

  test.after.each(({ database }) => database.remove());

  test('match a count of the rows, after creations, deletions and failed transactions', async ({ db }) => {
    await live(db, sequence(7));
    const kept = await query(
      db.read,
      `SELECT kind, day, owner_id, format, items, bytes, open_items, open_bytes FROM content_days
       WHERE items > 0 ORDER BY 1, 2, 3, 4`,
    );
    const sums = (bytes: string) =>
      ['1', bytes]
        .flatMap((what) => [what, `CASE WHEN is_public AND password_hash IS NULL THEN ${what} ELSE 0 END`])
        .map(
          (what, index) =>
            `CAST(sum(${what}) AS bigint) AS ${['items', 'open_items', 'bytes', 'open_bytes'][index]}`,
        )
        .join(', ');
    const counted = await query<{ items: number; open_items: number }>(
      db.read,
      `SELECT kind, day, owner_id, format, items, bytes, open_items, open_bytes FROM (
         SELECT 'image' AS kind, created_at / 86400000 AS day, owner_id, type AS format, ${sums('size')} FROM images GROUP BY 2, 3, 4
         UNION ALL SELECT 'paste', created_at / 86400000, owner_id, '', ${sums('size')} FROM pastes GROUP BY 2, 3
         UNION ALL SELECT 'url', created_at / 86400000, owner_id, '', ${sums('0')} FROM short_urls GROUP BY 2, 3
       ) AS counted ORDER BY 1, 2, 3, 4`,
    );
    assert.ok(counted.length > 40);
    assert.ok(counted.some((row) => row.open_items > 0 && row.open_items < row.items));
    assert.equal(kept, counted);
  });

  test('answer any range exactly, whether or not it begins and ends with a day', async ({ db }) => {
    await live(db, sequence(11));
    const pick = sequence(3);
    for (let round = 0; round < 60; round += 1) {
      const from = YEAR_AGO + pick(9 * DAY) - DAY;
      const span = { from, to: from + 1 + pick(6 * DAY), askedAt: Date.now() };
      const rowsIn = (await db.read('images')).filter(
        (row) => row.created_at >= span.from && row.created_at < span.to,
      );
      const open = rowsIn.filter((row) => row.is_public && row.password_hash === null);
      const sizes = open.map((row) => row.size);
      const totals = await kindTotals(db, 'image', span);
      assert.is(totals.items, rowsIn.length);
      const sum = (rows: readonly { size: number }[]) => rows.reduce((total, { size }) => total + size, 0);
      assert.equal([totals.bytes, totals.open.bytes], [sum(rowsIn), sum(open)]);
      assert.is(totals.open.items, open.length);
      assert.is(totals.open.formats.png ?? 0, open.filter((row) => row.type === 'png').length);
      const extremes = await kindExtremes(db, 'image', span);
      assert.is(extremes.largest, Math.max(0, ...sizes));
      assert.is(extremes.smallest, sizes.length === 0 ? 0 : Math.min(...sizes));
      const mine = await itemsPerDay(db, 'image', 2, span);
      const ofMine = rowsIn.filter((row) => row.owner_id === 2);
      assert.is(
        mine.reduce((sum, { items }) => sum + items, 0),
        ofMine.length,
      );
      for (const { day, items } of mine) {
        assert.is(items, ofMine.filter((row) => Math.floor(row.created_at / DAY) === day).length);
      }
    }
  });

  test('count the bytes in the trash, also of a format and a day of which nothing else is left', async ({
    db,
  }) => {
    await live(db, sequence(11));
    const images: { id: number; type: string; size: number }[] = await db.read('images');
    const left = images.filter(({ type }) => type === 'png');
    const trashed = images.filter(({ type }) => type !== 'png').map(({ id }) => id);
    await db.write((trx) => trashItems(db, trx, 'image', trashed, Date.now()));
    const askedAt = Date.now();
    for (const from of [YEAR_AGO, YEAR_AGO - 1, YEAR_AGO + 1]) {
      const { items, bytes, open } = await kindTotals(db, 'image', { from, to: askedAt, askedAt });
      assert.equal(
        [items, bytes, Object.keys(open.formats)],
        [left.length, images.reduce((sum, { size }) => sum + size, 0), ['png']],
      );
    }
    await db.write((trx) =>
      trashItems(
        db,
        trx,
        'image',
        left.map(({ id }) => id),
        askedAt,
      ),
    );
    assert.equal(await itemsPerDay(db, 'image', 1, { from: YEAR_AGO, to: askedAt, askedAt }), []);
  });

  test('answer what was asked for until now from whole days, however long that waited', async ({ db }) => {
    const asked = Date.now();
    const span = { from: asked - DAY, to: asked + 1, askedAt: asked };
    await db.write((trx) =>
      insertPaste(trx, {
        ...{ uniqueId: 'TODAY', ownerId: 1, isPublic: true, passwordHash: null, createdAt: asked },
        ...{ expiresAt: null, title: null, content: 'text', size: 4, language: null, burn: false },
      }),
    );
    // Only whole days are counted so.
    await db.write((trx) => trx('content_days').update({ items: 7 }));
    while (Date.now() <= span.to) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.equal(
      (await itemsPerDay(db, 'paste', 1, span)).map(({ items }) => items),
      [7],
    );
  });

  test('name the account with the most public items', async ({ db }) => {
    await live(db, sequence(5));
    const { best } = await kindTotals(db, 'url', { from: 0, to: Date.now(), askedAt: Date.now() });
    const [most] = await query<{ owner_id: number; n: number }>(
      db.read,
      `SELECT owner_id, count(*) AS n FROM short_urls WHERE is_public AND password_hash IS NULL
       GROUP BY owner_id ORDER BY 2 DESC, 1 LIMIT 1`,
    );
    assert.equal(best, { ownerId: most?.owner_id, items: most?.n });
  });

  test('of visits match the log and the counters under concurrency', async ({ db }) => {
    await db.write(async (trx) => {
      for (const name of ['A', 'B', 'C']) {
        await insertLink(trx, {
          uniqueId: name,
          ownerId: 1,
          isPublic: true,
          passwordHash: null,
          createdAt: Date.now(),
          expiresAt: null,
          originalUrl: 'https://example.org',
          maxUses: name === 'C' ? 5 : null,
        });
      }
    });
    const visits = createVisits(db, 'full', { usedUp: async () => {}, committed: () => {} });
    const agents = [null, 'curl/8', 'Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/20100101 Firefox/140.0'];
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        visits.take(
          ['a', 'B', 'c'][index % 3] ?? '',
          {
            userAgent: agents[index % 5] ?? null,
            ipAddress: '192.0.2.1',
            referrerHost: index % 2 === 0 ? null : 'example.net',
            prefetch: false,
          },
          null,
        ),
      ),
    );
    const count = (table: string, sum: string) =>
      query(
        db.read,
        `SELECT url_id, CAST(${sum} AS bigint) AS n FROM ${table} GROUP BY url_id ORDER BY url_id`,
      );
    const expected = [
      { url_id: 1, n: 100 },
      { url_id: 2, n: 100 },
      { url_id: 3, n: 5 },
    ];
    assert.equal(await count('url_visits', 'sum(visits)'), expected);
    // Five agents and two referrers: visits with the same values share a row.
    for (const { n } of (await count('url_visits', 'count(*)')) as { n: number }[])
      assert.ok(n <= 10, `${n} rows`);
    assert.equal(await count('visit_days', 'sum(visits)'), expected);
    assert.equal(
      await query(db.read, 'SELECT id AS url_id, visits AS n FROM short_urls ORDER BY id'),
      expected,
    );
  });

  test.run();
}
