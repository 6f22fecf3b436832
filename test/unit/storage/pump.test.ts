import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pump } from '../../../server/drivers/storage/pump.js';

const SIZE = 1_000_000;

const test = suite<{ folder: string; path: string }>('reading an open file in pieces');

test.before.each(async (given) => {
  given.folder = await mkdtemp(join(tmpdir(), 'holdall-pump-'));
  given.path = join(given.folder, 'file');
  await writeFile(given.path, randomBytes(SIZE));
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));

test('a read that fails while the previous piece is being sent fails the whole, and nothing else', async ({
  path,
}) => {
  const fd = openSync(path, 'r');
  let open = true;
  const failed = pump(fd, { start: 0, end: SIZE }, async () => {
    // The piece read ahead may have arrived by now: then the next one fails in the same way.
    if (open) closeSync(fd);
    open = false;
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  });
  assert.is(
    await failed.then(
      () => null,
      (error) => error.code,
    ),
    'EBADF',
  );
});

test('a file that is shorter than the range is sent as far as it goes', async ({ path }) => {
  const fd = openSync(path, 'r');
  let bytes = 0;
  await pump(fd, { start: 10, end: 2 * SIZE }, async (piece) => {
    bytes += piece.length;
  });
  closeSync(fd);
  assert.is(bytes, SIZE - 10);
});

test.run();
