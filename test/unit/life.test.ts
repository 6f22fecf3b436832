/** The rules of an item's life say the same as a function and as a condition of SQL, on both databases. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isExpired,
  isQuarantined,
  isUnavailable,
  isUsedUp,
  KEPT,
  UNEXPIRED,
  UNQUARANTINED,
  usesLeft,
} from '../../db/content/life.js';
import type { Db } from '../../db/engine/connect.js';
import { query } from '../../db/engine/query.js';
import { databaseKinds } from '../support/stores/databases.js';

const AT = 1_000;
const ROWS = [null, AT - 1, AT, AT + 1].flatMap((expiresAt) =>
  [null, 'reported'].flatMap((quarantine) =>
    [0, 1, 2].flatMap((used) =>
      [null, 0, 1, 2].flatMap((limit) =>
        [null, AT].map((trashedAt) => ({ expiresAt, quarantine, used, limit, trashedAt })),
      ),
    ),
  ),
);

/** A row of these values, as a source for conditions. */
const SOURCE = `(SELECT CAST(? AS bigint) AS expires_at, CAST(? AS text) AS quarantine, CAST(? AS bigint) AS used,
  CAST(? AS bigint) AS most, CAST(? AS bigint) AS trashed_at) row_of_values`;

for (const { name, make } of databaseKinds()) {
  const test = suite<{ db: Db; remove: () => Promise<void> }>(`life of an item: ${name}`);
  test.before(async (world) => {
    const database = await make();
    world.remove = () => database.remove();
    world.db = await database.open();
  });
  test.after((world) => world.remove());

  test('functions and conditions agree in all combinations', async ({ db }) => {
    for (const row of ROWS) {
      const { expiresAt, quarantine, used, limit, trashedAt } = row;
      const [found = {}] = await query<Record<string, unknown>>(
        db.read,
        `SELECT (${UNEXPIRED}) AS unexpired, (${UNQUARANTINED}) AS unquarantined,
           (${usesLeft('used', 'most')}) AS uses_left, (${KEPT}) AS kept FROM ${SOURCE}`,
        [AT, expiresAt, quarantine, used, limit, trashedAt],
      );
      const functions = {
        unexpired: !isExpired(row, AT),
        unquarantined: !isQuarantined(row),
        uses_left: !isUsedUp(used, limit),
        kept: trashedAt === null,
      };
      const conditions = Object.fromEntries(
        Object.entries(found).map(([key, value]) => [key, Boolean(value)]),
      );
      assert.equal(conditions, functions, JSON.stringify(row));
      assert.is(isUnavailable(row, AT), !(functions.unexpired && functions.unquarantined));
    }
  });
  test.run();
}
