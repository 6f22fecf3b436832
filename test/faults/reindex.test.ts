/**
 * The index of searches is being made again (`holdall doctor --reindex`) while the server restarts. Callers see: the
 * server serves at once, searches find less until the index is complete, and both finish the work together, without an
 * end for either.
 */
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDb } from '../../db/engine/connect.js';
import { beginReindex, isFilled } from '../../db/search/fill.js';
import { takeLease } from '../../db/system/lease.js';
import { spawnCommand } from '../support/servers/command.js';
import { until } from '../support/until.js';
import { openPlace } from './servers/place.js';

const PASTES = 40;

const test = suite('a restart during a reindex');

test('serves at once, and the index is completed beside the requests', async () => {
  const place = await openPlace();
  const db = await openDb({ databaseUrl: null, dataDir: place.dataDir });
  try {
    const first = await place.start();
    const owner = place.clientOf(first);
    for (let made = 0; made < PASTES; made += 1)
      await owner.json('POST', '/paste/create', { text: `needle ${made}` });
    await first.stop();

    await beginReindex(db);
    const far = Date.now() + 60 * 60_000;
    await db.write((trx) => takeLease(trx, { name: 'search-fill', holder: 'another' }, Date.now(), far));
    const waiting = await place.start();
    assert.not.ok(await isFilled(db), 'another process fills it, and this one serves');
    await place.clientOf(waiting).json('POST', '/paste/create', { text: 'one more' });
    assert.is(await waiting.stop(), 0);

    await db.write((trx) => trx('leases').where('name', 'search-fill').delete());
    const third = await place.start();
    const again = spawnCommand({ folder: place.dataDir, server: third }, ['doctor', '--reindex']);
    const printing = text(again.stdout);
    const beside = await place.start();
    const said = await printing;
    assert.match(said, /search +the index was made again/);
    await until(() => isFilled(db));
    for (const server of [third, beside]) {
      const { message } = await place.clientOf(server).ask('GET', '/user/get/@me/items?search=needle');
      assert.is(message.content.length, 25, 'a whole page is found');
      assert.is(await server.stop(), 0);
    }
  } finally {
    await db.close();
    await place.remove();
  }
});

test.run();
