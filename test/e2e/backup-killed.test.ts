/** A backup that is killed at each change that it makes to its folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { namedBlobs } from '../../db/content/file/blob.js';
import { openDb } from '../../db/engine/connect.js';
import { keepBlobs, releaseBlobs, removeUnreferenced } from '../../routers/core/blobs/blobs.js';
import { backUp } from '../../server/operations/backup/backup.js';
import { restore } from '../../server/operations/backup/restore.js';
import { readConfig } from '../../server/runtime/config/config.js';
import { createLogs } from '../../server/runtime/logger.js';
import { type OpenServices, openServices } from '../../server/runtime/services.js';

const silent = () => {};
const test = suite<{ folder: string }>('a killed backup');

test.before.each(async (given) => {
  given.folder = await mkdtemp(join(tmpdir(), 'holdall-killed-'));
});
test.after.each(({ folder }) => rm(folder, { recursive: true, force: true }));

test('leaves either the previous backup or its own complete, and the next one continues from there', async ({
  folder,
}) => {
  const config = readConfig({ DATA_DIR: join(folder, 'data') });
  const app = await openServices(config, createLogs('silent').log);
  try {
    const [gone] = await Promise.all(['goes', 'stays'].map((text) => keep(app, text)));
    const backup = join(folder, 'backup');
    await backUp(config, backup, silent);
    const before = await named(config.dataDir);
    await removeUnreferenced(app, await app.db.write((trx) => releaseBlobs(trx, [gone ?? ''])));
    await Promise.all(['new', 'newer'].map((text) => keep(app, text)));
    const after = await named(config.dataDir);

    const restored = new Set<string>();
    for (let deadline = 1, over = false; !over; deadline += 1) {
      const copy = join(folder, `backup-${deadline}`);
      await cp(backup, copy, { recursive: true });
      over = (await backUpAndDie(config.dataDir, copy, deadline)) === 0;
      const now = await restoredFrom(copy, join(folder, `data-${deadline}`));
      assert.ok([before, after].includes(now), `killed before change ${deadline}`);
      restored.add(now);

      assert.is((await backUp(config, copy, silent)).files, 3);
      assert.equal((await readdir(copy)).sort(), [
        'SHA256SUMS',
        'backup.json',
        'blobs',
        'holdall.db',
        'secret.key',
      ]);
      assert.is(await named(copy), after);
    }
    assert.is(restored.size, 2, 'killed before the moment at which it counts, and after it');
  } finally {
    await app.db.close();
  }
});

test.run();

/** Stores some bytes that a row refers to; returns their hash. */
async function keep(app: OpenServices, text: string): Promise<string> {
  const staged = await app.storage.blobs.stage(Readable.from([Buffer.from(text)]), { maxBytes: 100 });
  await keepBlobs(app, [staged], async () => undefined);
  await staged.discard();
  return staged.sha256;
}

/** The hashes that the rows of a database refer to. */
async function named(dataDir: string): Promise<string> {
  const db = await openDb({ databaseUrl: null, dataDir });
  try {
    return (await namedBlobs(db.read, '', 100)).map(({ sha256 }) => sha256).join();
  } finally {
    await db.close();
  }
}

/** Restores, which checks every file, and returns the hashes that the rows refer to. */
async function restoredFrom(backup: string, dataDir: string): Promise<string> {
  await restore(readConfig({ DATA_DIR: dataDir }), backup, silent);
  return named(dataDir);
}

/** The exit code of a backup that is killed before a change of its folder; null if it was killed. */
async function backUpAndDie(dataDir: string, folder: string, deadline: number): Promise<number | null> {
  const script = fileURLToPath(
    new URL(`../support/stores/backup-and-die${extname(import.meta.url)}`, import.meta.url),
  );
  const child = spawn(process.execPath, [...process.execArgv, script, dataDir, folder, String(deadline)], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}
