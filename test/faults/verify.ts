import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openDb } from '../../db/connect.js';
import { readConfig } from '../../server/config.js';
import { createLogger } from '../../server/logger.js';
import { openServices } from '../../server/services.js';
import { sweep } from '../../server/sweep.js';
import { type Client, sha256 } from './client.js';
import type { Ledger } from './ledger.js';

/** The database of a killed server must be sound at the first look, before any server has opened it. */
export async function checkIntegrity(dataDir: string): Promise<void> {
  const db = await openDb({ databaseUrl: null, dataDir });
  try {
    assert.equal(await db.admin.raw('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    assert.equal(await db.admin.raw('PRAGMA foreign_key_check'), []);
  } finally {
    await db.close();
  }
}

/** Asks a restarted server for everything in the ledger. */
export async function checkPromises(client: Client, ledger: Ledger): Promise<void> {
  await each(ledger.uploads, async ([id, hash]) => {
    const { status, body } = await client.send('GET', `/image/get/${id}`);
    assert.is(status, 200, `upload ${id} was acknowledged`);
    assert.is(sha256(body), hash, `bytes of upload ${id}`);
  });
  await each(ledger.pastes, async ([id, text]) => {
    const { status, body } = await client.send('GET', `/paste/get/${id}?raw=true`);
    assert.is(status, 200, `paste ${id} was acknowledged`);
    assert.is(body.toString(), text, `text of paste ${id}`);
  });
  await each(ledger.gone, async (path) => {
    assert.is((await client.send('GET', path)).status, 404, `deletion of ${path} was acknowledged`);
  });
  await each(ledger.links, async ([id, { sent, answered, maxUses }]) => {
    const { message } = JSON.parse((await client.send('GET', `/url/get/${id}`)).body.toString());
    assert.ok(message.visits >= answered, `link ${id}: ${message.visits} counted, ${answered} answered`);
    assert.ok(message.visits <= sent, `link ${id}: ${message.visits} counted, ${sent} sent`);
    assert.ok(maxUses === null || message.visits <= maxUses, `link ${id} was followed beyond its limit`);
  });
}

/**
 * With no server running: after a sweep without grace the disk holds exactly the blobs that rows name, each
 * under the hash of its bytes, and nothing is staged.
 */
export async function checkBlobs(dataDir: string): Promise<void> {
  const services = await openServices(readConfig({ DATA_DIR: dataDir }), createLogger('silent'));
  try {
    const { read, write } = services.db;
    // A removal that death cut off is taken over after some minutes: let them pass.
    await write((trx) => trx('blobs').whereNotNull('doomed_at').decrement('doomed_at', 3_600_000));
    await sweep(services, -1);
    const unnamed = await read.raw(
      'SELECT id FROM images WHERE sha256 NOT IN (SELECT sha256 FROM blobs WHERE refs > 0 AND doomed_at IS NULL)',
    );
    assert.equal(unnamed, [], 'every image has its blob');
    const fewer = await read.raw(
      'SELECT sha256 FROM blobs WHERE refs < (SELECT count(*) FROM images WHERE images.sha256 = blobs.sha256)',
    );
    assert.equal(fewer, [], 'a blob counts all images that name it');
    const named = await read.raw('SELECT sha256 FROM blobs ORDER BY sha256');
    const stored = (await filesBelow(join(dataDir, 'blobs'))).sort((a, b) => (a.name < b.name ? -1 : 1));
    assert.equal(
      stored.map(({ name }) => name),
      named.map(({ sha256 }: { sha256: string }) => sha256),
      'stored blobs are the named ones',
    );
    for (const { path, name } of stored) assert.is(sha256(await readFile(path)), name, `bytes of ${name}`);
    assert.equal(await filesBelow(join(dataDir, 'staging')), [], 'nothing is staged');
  } finally {
    await services.db.close();
  }
}

async function each<T>(items: Iterable<T>, check: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await check(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

async function filesBelow(folder: string): Promise<{ path: string; name: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => ({ path: join(entry.parentPath ?? entry.path, entry.name), name: entry.name }));
}
