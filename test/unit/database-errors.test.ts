/** What a failing statement reveals to the log, and on stderr when a process dies of it: never its values. */
import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate } from '../../db/engine/migrate.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';
import { failing } from '../support/stores/failing-statements.js';

const run = promisify(execFile);
const script = fileURLToPath(
  new URL(`../support/stores/fail-and-log${extname(import.meta.url)}`, import.meta.url),
);

for (const kind of databaseKinds()) {
  const test = suite<{ database: OwnDatabase }>(`errors of ${kind.name}`);
  test.before(async (world) => {
    world.database = await kind.make();
  });
  test.after(({ database }) => database.remove());

  test('a statement that fails because of its values reports its text, but none of the values', async ({
    database,
  }) => {
    const db = await database.open();
    await migrate(db);
    const args = [...process.execArgv, script, JSON.stringify(database.location)];
    const { stdout, stderr } = await run(process.execPath, args);
    const lines = stdout.trim().split('\n');
    assert.is(lines.length, failing(db).length, 'each of them fails');
    for (const line of [...lines, stderr]) {
      assert.not.match(line, /canary|of\\?n?a paste/);
      assert.match(line, /INSERT INTO|insert into|SELECT|select/);
    }
    assert.ok(
      lines.some(
        (line) =>
          JSON.parse(line).err.failure === (db.dialect.name === 'sqlite' ? 'SQLITE_CONSTRAINT' : '23505'),
      ),
    );
  });

  test.run();
}
