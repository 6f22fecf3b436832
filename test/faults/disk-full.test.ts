/**
 * The disk of DATA_DIR fills up under load: files, staging and SQLite on one small disk. Callers see success,
 * or 507 in the envelope with a sentence; reads continue. Acknowledged data is there, nothing is
 * half-written, the database is intact, and once there is room again everything works in the same process.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNER, startServer } from '../support/servers/server-process.js';
import { canMount, mountDisk, type SmallDisk } from '../support/servers/small-disk.js';
import { Client } from './clients/client.js';
import { checkPromises } from './clients/guarantees.js';
import { newActor, startTroubledLoad } from './servers/troubled.js';
import { checkBlobs, checkIntegrity } from './servers/verify.js';

const ROUNDS = Number(process.env.HOLDALL_FAULT_ROUNDS ?? 2);
const DISK_BYTES = 48 * 1024 * 1024;

const test = suite('a full disk');

if (canMount())
  test('callers get 507, nothing is lost or left behind, and freeing room is enough to recover', async () => {
    const disk = mountDisk(DISK_BYTES);
    try {
      await fillUnderLoad(disk);
      await checkIntegrity(disk.folder);
      await checkBlobs(disk.folder);
    } finally {
      disk.remove();
    }
  });

async function fillUnderLoad(disk: SmallDisk): Promise<void> {
  const server = await startServer({ dataDir: disk.folder, env: { LOG_LEVEL: 'warn' } });
  const client = new Client(server.origin, OWNER.OWNER_API_KEY);
  try {
    const actor = await newActor(client);
    const { uniqueId: held } = await client.upload(Buffer.from('held'));
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = startTroubledLoad(actor, [507]);
      await load.acknowledged(100);
      // Either no room at all, or so little that the load uses it up.
      await disk.fill(round % 2 === 0 ? 0 : 200_000);
      await load.refused(200);
      assert.is((await client.send('GET', `/image/get/${held}`)).status, 200, 'reads go on under load');
      // A small change may still find room, so the ledger is compared only after the load has ended.
      await load.stop();
      await checkPromises(client, actor.ledger);
      await disk.free();
      const relief = startTroubledLoad(actor, [507]);
      await relief.acknowledged(100);
      await relief.stop();
      await checkPromises(client, actor.ledger);
    }
    assert.is((await client.send('GET', '/status')).status, 200);
    assert.is(await server.stop(), 0, 'the same process went on');
  } finally {
    client.close();
    await server.kill();
  }
}

test.run();
