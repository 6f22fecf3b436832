import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDb } from '../../db/engine/connect.js';

const test = suite('SQLite release');

test('has the fix of the WAL-reset bug (3.51.3) and was not withdrawn (3.52.0)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-sqlite-'));
  const db = await openDb({ databaseUrl: null, dataDir });
  try {
    const [{ version }] = await db.read.raw('SELECT sqlite_version() AS version');
    const [major, minor, patch] = version.split('.').map(Number);
    assert.ok(major * 1e6 + minor * 1e3 + patch >= 3_051_003, version);
    assert.is.not(version, '3.52.0');
  } finally {
    await db.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test.run();
