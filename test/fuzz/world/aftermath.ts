import * as assert from 'uvu/assert';
import { sweepReservations } from '../../../routers/features/image/upload/register.js';
import { collectGarbage } from '../../../server/runtime/http/node-internals.js';
import { sweep } from '../../../server/runtime/upkeep/sweep.js';
import { BLOB_RULES, checkBlobs, checkIntegrity } from '../../faults/servers/verify.js';
import type { TestServer } from '../../harness.js';
import { nothingStaged } from '../../hostile/guarantees.js';

/** Memory that caches and the runtime may keep, in bytes. */
const SLACK_BYTES = 64 * 1024 * 1024;

/** Bytes in use after a garbage collection, without those of the cache that has its own limit. */
export function bytesInUse({ app }: TestServer): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external - app.services.hot.bytes;
}

/** After all requests: the server is healthy, keeps nothing it should not, and its data is consistent. */
export async function checkAftermath(server: TestServer, bytesBefore: number): Promise<void> {
  const { services } = server.app;
  await services.jobs.settle();
  const { status, body } = await server.request('GET', '/status');
  assert.equal([status, body?.status], [200, 'ok']);
  await nothingStaged(server.dataDir);
  // Reserved addresses without an upload do not count as stray files.
  await sweepReservations(services, -1);
  assert.is(await sweep(services, -1), 0, 'the sweep finds nothing');
  if (services.db.dialect.name === 'sqlite') {
    await checkIntegrity(server.dataDir);
    await checkBlobs(server.dataDir, {}, BLOB_RULES);
  }
  const grown = bytesInUse(server) - bytesBefore;
  assert.ok(grown < SLACK_BYTES, `memory grew by ${Math.round(grown / 1024 / 1024)} MiB`);
}
