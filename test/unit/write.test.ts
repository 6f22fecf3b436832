import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../db/engine/connect.js';
import { databaseKinds } from '../support/stores/databases.js';

const LOOPS = 4;

for (const kind of databaseKinds()) {
  const test = suite<{ db: Db; open(): Promise<Db>; remove(): Promise<void> }>(`writes on ${kind.name}`);

  test.before.each(async (given) => {
    const database = await kind.make();
    given.open = () => database.open({ isShared: true });
    given.db = await given.open();
    given.remove = database.remove;
    await given.db.admin.raw('CREATE TABLE t (n INTEGER PRIMARY KEY)');
  });
  test.after.each(({ remove }) => remove());

  const stored = async (db: Db): Promise<number[]> =>
    (await db.read('t').select('n').orderBy('n')).map(({ n }) => Number(n));

  test('of concurrent units the failing ones change nothing, and all others are stored', async ({ db }) => {
    const units = Array.from({ length: 30 }, (_, n) =>
      db.write(async (trx) => {
        await trx('t').insert({ n });
        if (n % 7 === 3) throw new Error(`no ${n}`);
        return n;
      }),
    );
    const outcomes = await Promise.allSettled(units);
    outcomes.forEach((outcome, n) => {
      if (n % 7 !== 3) assert.equal(outcome, { status: 'fulfilled', value: n });
      else assert.is(outcome.status === 'rejected' && outcome.reason.message, `no ${n}`);
    });
    assert.equal(
      await stored(db),
      Array.from({ length: 30 }, (_, n) => n).filter((n) => n % 7 !== 3),
    );
  });

  test('of concurrent units that want the same value, one gets it', async ({ db }) => {
    const units = Array.from({ length: 10 }, () => db.write((trx) => trx('t').insert({ n: 1 })));
    const outcomes = await Promise.allSettled(units);
    assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes)
      assert.ok(outcome.status === 'fulfilled' || db.dialect.isUniqueViolation(outcome.reason));
    assert.equal(await stored(db), [1]);
  });

  test('a unit sees what earlier ones have done, and continues alone after one that failed', async ({
    db,
  }) => {
    const first = db.write((trx) => trx('t').insert({ n: 1 }));
    const failing = db.write(async (trx) => {
      await trx('t').insert({ n: 2 });
      throw new Error('undone');
    });
    assert.is(await failing.catch((error) => error.message), 'undone');
    await first;
    assert.equal(await db.write((trx) => trx('t').pluck('n')), [1]);
  });

  test('of a process get their turn, however much others write', async ({ open, db }) => {
    const busy = await open();
    let over = false;
    let others = 0;
    const writeOn = async () => {
      while (!over) {
        await busy.write((trx) =>
          trx('t')
            .insert({ n: others + 1_000 })
            .onConflict()
            .ignore(),
        );
        others += 1;
      }
    };
    const writing = Promise.all(Array.from({ length: LOOPS }, writeOn));
    const before: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      // They have the lock again.
      for (const begun = others; others < begun + 50; ) await nextTurn();
      const begun = others;
      await db.write((trx) => trx('t').insert({ n }));
      before.push(others - begun);
    }
    over = true;
    await writing;
    assert.is((await stored(db)).filter((n) => n < 1_000).length, 20);
    assert.ok(Math.max(...before) < 4_000, before.join());
  });

  test.run();
}
