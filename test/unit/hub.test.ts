/** Events in one process reach those who wait in another. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insertHubNote } from '../../db/system/hub-note.js';
import { createLogs } from '../../server/runtime/logger.js';
import { createHub } from '../../server/runtime/ws/hub.js';
import { createRelay } from '../../server/runtime/ws/relay.js';
import { databaseKinds } from '../support/stores/databases.js';
import { until } from '../support/until.js';

for (const kind of databaseKinds()) {
  const relay = suite(`a hub of several processes on ${kind.name}`);

  relay('receives what others publish, once, and not its own events twice', async () => {
    const database = await kind.makeMigrated();
    const [one, two] = [await database.open(), await database.open()];
    const log = createLogs('silent').log;
    const hubs = [one, two].map((db) => createHub(log, createRelay(db, log)));
    const heard: string[] = [];
    const stops: (() => void)[] = [];
    const all = new Promise<void>((resolve) => {
      for (const [index, hub] of hubs.entries()) {
        const stop = hub.subscribe('topic', ({ n }) => {
          heard.push(`${index}:${n}`);
          if (heard.length === 4) resolve();
        });
        stops.push(stop);
      }
    });
    hubs[0]?.publish('topic', { n: 1 });
    hubs[1]?.publish('topic', { n: 2 });
    hubs[1]?.publish('another topic', { n: 3 });
    await all;
    assert.equal(heard.sort(), ['0:1', '0:2', '1:1', '1:2']);
    for (const stop of stops) stop();
    await database.remove();
  });

  relay('receives events from a machine whose clock is behind, and no old ones', async () => {
    const database = await kind.makeMigrated();
    const [here, there] = [await database.open(), await database.open()];
    const log = createLogs('silent').log;
    const [hub, other] = [here, there].map((db) => createHub(log, createRelay(db, log)));
    const publishBehind = (n: number) => {
      const note = { sender: 'behind', topic: 'topic', message: JSON.stringify({ n }) };
      return there.write((trx) => insertHubNote(trx, note, Date.now() - 20_000, 60_000));
    };
    await publishBehind(1);
    const heard: unknown[] = [];
    const stop = hub?.subscribe('topic', ({ n }) => heard.push(n));
    other?.publish('topic', { n: 2 });
    await until(() => heard.length > 0);
    await publishBehind(3);
    await until(() => heard.length > 1);
    assert.equal(heard, [2, 3]);
    stop?.();
    await database.remove();
  });

  relay.run();
}
