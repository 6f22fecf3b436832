/** `holdall import` of much: its memory does not depend on how much there is. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteFile } from '../../db/engine/connect.js';
import { type CommandWorld, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { tablesOf } from '../support/servers/importing.js';

const test = suite<CommandWorld>('moving in with much');
test.before((context) => startCommandWorld(context));
test.after(endCommandWorld);

/** A database of chibisafe with this many snippets, each with this many words. */
async function snippets(
  { folder }: CommandWorld,
  name: string,
  count: number,
  words: number,
): Promise<string> {
  const file = join(folder, `${name}.sqlite`);
  const knex = openSqliteFile(file);
  for (const statement of await tablesOf('chibisafe')) await knex.raw(statement);
  await knex.raw(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
     INSERT INTO snippets (id, uuid, identifier, name, content, language, createdAt)
     SELECT n, 'u-' || n, '${name}-' || n, 'n', n || replace(hex(zeroblob(${words})), '00', ' it'), 'text', 1700000000000 FROM numbers`,
  );
  await knex.destroy();
  return file;
}

test('memory stays bounded, and the progress is told', async (world) => {
  // Of 200 MB of text little more than a half would fit.
  const long = await snippets(world, 'long', 2_000, 33_000);
  const args = ['import', 'chibisafe', '--files', world.folder, '--database'];
  const heap = { NODE_OPTIONS: '--max-old-space-size=112' };
  const dry = await world.holdall([...args, long, '--dry-run'], '', heap);
  assert.is(dry.code, 0, dry.err);
  assert.match(dry.err, /1000 items\n2000 items\nwould import 0 files, 2000 pastes/);
  const many = await snippets(world, 'many', 1_500, 1);
  const { code, err } = await world.holdall([...args, many], '', heap);
  assert.is(code, 0, err);
  assert.match(err, /1000 items\nimported 0 files, 1500 pastes/);
});

test.run();
