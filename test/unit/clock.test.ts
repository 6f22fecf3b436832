/** The clock goes back: pending work keeps its remaining time, and what has expired stays expired. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../db/engine/connect.js';
import { collectedUntil, setCollectedUntil, takeCollectedBack } from '../../db/mail/mail-token.js';
import { lastTurn, noteExpected, noteTime, shiftDeadlines, takeTimeBack } from '../../db/system/clock.js';
import { takeLease } from '../../db/system/lease.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The time before, and after the clock has gone back by a day. */
const BEFORE = Date.UTC(2030, 0, 2);
const AFTER = BEFORE - DAY;

for (const { name, makeMigrated } of databaseKinds()) {
  const test = suite<{ database: OwnDatabase; db: Db }>(`clock set back: ${name}`);
  test.before.each(async (given) => {
    given.database = await makeMigrated();
    given.db = await given.database.open();
  });
  test.after.each(({ database }) => database.remove());

  test('of all processes that notice it one corrects the times, using the last known time', async ({
    database,
    db,
  }) => {
    const other = await database.open();
    await db.write((trx) => noteTime(trx, BEFORE));
    await db.write((trx) => noteTime(trx, AFTER));
    const answers = await Promise.all(
      [db, other, db, other].map(({ write }) => write((trx) => takeTimeBack(trx, AFTER, MINUTE))),
    );
    assert.equal(
      answers.filter((answer) => answer !== null),
      [BEFORE],
    );
  });

  test('a small correction is ignored', async ({ db }) => {
    await db.write((trx) => noteTime(trx, BEFORE));
    assert.is(await db.write((trx) => takeTimeBack(trx, BEFORE - MINUTE, MINUTE)), null);
  });

  for (const step of [2, 3, 6])
    for (const age of [0, 1, 4, 5])
      test(`${step} minutes back, noticed by two, are corrected once, ${age} minutes after the last note`, async ({
        database,
        db,
      }) => {
        const other = await database.open();
        const at = BEFORE - step * MINUTE;
        await db.write(async (trx) => {
          await noteTime(trx, BEFORE - age * MINUTE);
          await trx('rate_limits').insert({ key: 'ahead', points: 1, resets_at: BEFORE + MINUTE });
        });
        const turn = await lastTurn(db.read);
        const settle = ({ write }: Db) =>
          write(async (trx) => {
            await noteExpected(trx, BEFORE, turn);
            const noted = await takeTimeBack(trx, at, MINUTE);
            if (noted !== null) await shiftDeadlines(trx, noted, at);
            return noted;
          });
        const answers = await Promise.all([db, other, db, other].map(settle));
        assert.equal(
          answers.filter((answer) => answer !== null),
          [BEFORE],
        );
        assert.is((await db.read('rate_limits').first('resets_at')).resets_at, at + MINUTE);
        assert.is.not(await lastTurn(db.read), turn);
      });

  test('intervals between dates are kept', async ({ db }) => {
    const dates = { over: BEFORE - MINUTE, ahead: BEFORE + MINUTE, longOver: AFTER - MINUTE };
    await db.write(async (trx) => {
      for (const [key, resetsAt] of Object.entries(dates))
        await trx('rate_limits').insert({ key, points: 1, resets_at: resetsAt });
      await shiftDeadlines(trx, BEFORE, AFTER);
    });
    const found = await db.read('rate_limits').select('key', 'resets_at');
    assert.equal(Object.fromEntries(found.map((row) => [row.key, row.resets_at])), {
      over: AFTER,
      ahead: AFTER + MINUTE,
      longOver: AFTER - MINUTE,
    });
  });

  test('no mail collection is recorded in the future', async ({ db }) => {
    for (const [until, after] of [
      [BEFORE, AFTER],
      [AFTER - MINUTE, AFTER - MINUTE],
    ] as const) {
      await db.admin('installation').where('name', 'mail_collected_until').delete();
      await db.write((trx) => setCollectedUntil(trx, until));
      await db.write((trx) => takeCollectedBack(trx, AFTER));
      assert.is(await collectedUntil(db.read), after);
    }
  });

  test('a lease taken before the step expires after its normal duration', async ({ db }) => {
    const lease = (holder: string, at: number) =>
      db.write((trx) => takeLease(trx, { name: 'sweep', holder }, at, at + MINUTE));
    assert.ok(await lease('one', BEFORE));
    await db.write((trx) => shiftDeadlines(trx, BEFORE, AFTER));
    assert.not.ok(await lease('other', AFTER));
    assert.ok(await lease('other', AFTER + MINUTE));
  });

  test.run();
}
