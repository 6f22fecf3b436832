import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Db, openDb } from '../../../db/engine/connect.js';
import { sweepTemp } from '../../../server/drivers/media/temp.js';
import { readConfig } from '../../../server/runtime/config/config.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { openServices, tempDirOf } from '../../../server/runtime/services.js';
import { sweep } from '../../../server/runtime/upkeep/sweep.js';
import { sha256 } from '../clients/client.js';
import { ARCHIVED } from '../clients/samples.js';

/** The database of a killed server must be intact at the first check, before any server has opened it. */
export async function checkIntegrity(dataDir: string): Promise<void> {
  const db = await openDb({ databaseUrl: null, dataDir });
  try {
    assert.equal(await db.admin.raw('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    assert.equal(await db.admin.raw('PRAGMA foreign_key_check'), []);
  } finally {
    await db.close();
  }
}

/**
 * With no server running: after a sweep without grace period the disk holds exactly the blobs that rows refer
 * to, each under the hash of its bytes, and nothing is staged.
 */
export async function checkBlobs(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  rules: readonly Rule[] = [...BLOB_RULES, ...LOAD_RULES],
): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDir, ...env });
  const services = await openServices(config, createLogs('silent').log);
  try {
    const { read, write } = services.db;
    // An interrupted removal is taken over after some minutes: advance the time.
    await write((trx) => trx('blobs').whereNotNull('doomed_at').decrement('doomed_at', 3_600_000));
    await sweep(services, -1);
    await sweepTemp(tempDirOf(config), -1);
    await checkRows(services.db, rules);
    const named = await read.raw('SELECT sha256 FROM blobs ORDER BY sha256');
    const stored = (await filesBelow(join(dataDir, 'blobs'))).sort((a, b) => (a.name < b.name ? -1 : 1));
    assert.equal(
      stored.map(({ name }) => name),
      named.map(({ sha256 }: { sha256: string }) => sha256),
      'stored blobs are the named ones',
    );
    for (const { path, name } of stored) assert.is(sha256(await readFile(path)), name, `bytes of ${name}`);
    const parts: { part_key: string }[] = await read('upload_parts').select('part_key');
    assert.equal(
      (await filesBelow(join(dataDir, 'uploads'))).map(({ name }) => name).sort(),
      parts.map(({ part_key: key }) => key).sort(),
      'stored parts are the recorded ones',
    );
    for (const folder of ['staging', 'tmp'])
      assert.equal(await filesBelow(join(dataDir, folder)), [], `nothing is left in ${folder}`);
  } finally {
    await services.db.close();
  }
}

/** Inconsistencies that must never exist, with a query for each. */
type Rule = readonly [what: string, query: string];

/** Regardless of how the rows were created. */
export const BLOB_RULES: readonly Rule[] = [
  [
    'an image without its blob',
    'SELECT id FROM images WHERE sha256 NOT IN (SELECT sha256 FROM blobs WHERE refs > 0 AND doomed_at IS NULL)',
  ],
  [
    'a blob that counts fewer images than name it',
    'SELECT sha256 FROM blobs WHERE refs < (SELECT count(*) FROM images WHERE images.sha256 = blobs.sha256)',
  ],
];

/** Only valid after the load of the rounds. */
const LOAD_RULES: readonly Rule[] = [
  [
    'a playlist with a part of its archive',
    `SELECT collection_id FROM collection_items GROUP BY collection_id HAVING count(*) <> ${ARCHIVED}`,
  ],
  [
    'a playlist without images',
    'SELECT id FROM collections WHERE id NOT IN (SELECT collection_id FROM collection_items)',
  ],
  [
    'a link whose count and log differ',
    'SELECT id FROM short_urls WHERE visits <> (SELECT coalesce(sum(visits), 0) FROM url_visits WHERE url_id = short_urls.id)',
  ],
  [
    'a link with parts whose count and variants differ',
    `SELECT id FROM short_urls WHERE way IS NOT NULL
       AND visits <> (SELECT coalesce(sum(visits), 0) FROM visit_variants WHERE url_id = short_urls.id)`,
  ],
  [
    'visits of a link that is gone, and nobody to remove them',
    `SELECT id FROM url_visits WHERE url_id NOT IN (SELECT id FROM short_urls)
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'visitRemoval')`,
  ],
  [
    'views of a file that is gone, and nobody to remove them',
    `SELECT item_id FROM hit_days WHERE kind = 'image' AND item_id NOT IN (SELECT id FROM images)
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'viewRemoval')`,
  ],
  [
    'views of a file that are in one table only',
    `SELECT item_id FROM hit_days WHERE kind = 'image' AND people + bots <> (SELECT coalesce(sum(views), 0)
       FROM view_days v WHERE v.kind = 'image' AND v.item_id = hit_days.item_id AND v.day = hit_days.day)`,
  ],
  [
    'an invite that was used up by nobody',
    'SELECT id FROM invites WHERE uses <> (SELECT count(*) FROM users WHERE users.id = invites.used_by)',
  ],
];

/** Requests in progress when a server died took effect completely or not at all. */
async function checkRows({ read }: Pick<Db, 'read'>, rules: readonly Rule[]): Promise<void> {
  for (const [what, query] of rules) {
    const found: unknown[] = await read.raw(query);
    assert.equal(found, [], `there is ${what}`);
  }
}

async function filesBelow(folder: string): Promise<{ path: string; name: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => ({ path: join(entry.parentPath ?? entry.path, entry.name), name: entry.name }));
}
