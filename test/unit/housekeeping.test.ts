/** The clean-up in the background, with the services of a real server. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openHousekeeping } from '../../server/housekeeping.js';
import { startServer, type TestServer } from '../harness.js';
import { until } from '../support/until.js';

interface World {
  server: TestServer;
}
const test = suite<World>('housekeeping');
test.before(async (world) => {
  world.server = await startServer();
});
test.after(({ server }) => server.close());

const EVERY_MS = 5;

test('a turn that takes longer than the time between two is never joined by the next, and the end waits for it', async ({
  server,
}) => {
  const { services } = server.app;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let turns = 0;
  let over = 0;
  const blobs = {
    ...services.blobs,
    sweepStaging: async (graceMs: number) => {
      turns += 1;
      await held;
      const removed = await services.blobs.sweepStaging(graceMs);
      over += 1;
      return removed;
    },
  };
  const tempDir = join(server.dataDir, 'tmp');
  const options = { tempDir, shared: false, everyMs: EVERY_MS };
  const housekeeping = openHousekeeping({ ...services, blobs }, options);
  await until(() => turns > 0);
  // Timers of one length are called in the order of their making, so some of its turns have come by then.
  for (let turn = 0; turn < 5; turn += 1) await delay(EVERY_MS);
  assert.is(turns, 1);
  const stopped = housekeeping.stop().then(() => over);
  letGo();
  assert.is(await stopped, 1);
  assert.is(turns, 1);
});

test('after a turn that took long the next ones come again', async ({ server }) => {
  const { services } = server.app;
  let turns = 0;
  const blobs = {
    ...services.blobs,
    sweepStaging: async (graceMs: number) => {
      turns += 1;
      return services.blobs.sweepStaging(graceMs);
    },
  };
  const tempDir = join(server.dataDir, 'tmp');
  const options = { tempDir, shared: false, everyMs: EVERY_MS };
  const housekeeping = openHousekeeping({ ...services, blobs }, options);
  await until(() => turns > 2);
  await housekeeping.stop();
});

test.run();
