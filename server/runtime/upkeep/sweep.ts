import { deleteEmptyPacks, emptyPacks } from '../../../db/content/collection/removal.js';
import { forgetRemovals, unreferencedBlobs, unusedBlobs } from '../../../db/content/file/blob.js';
import { deleteFailedRenditions } from '../../../db/content/file/rendition.js';
import { removeUnreferenced } from '../../../routers/core/blobs/blobs.js';
import type { Services } from '../../../routers/core/context.js';
import { sweepReservations } from '../../../routers/features/image/upload/register.js';
import { sweepUploads } from '../../../routers/features/upload/end.js';

/** Files written less than this ago may belong to an upload that is still running. */
export const GRACE_MS = 60 * 60 * 1000;
/** A failed rendition may be tried again after a day. */
const RETRY_MS = 24 * 60 * 60 * 1000;
const BATCH = 500;

/**
 * Removes everything that no row references: staged leftovers, uploads that were never registered, blobs whose last
 * row was deleted, and blobs that a process stored before it died without adding a row. Returns the number of
 * candidate blobs. Aborting `signal` ends it early, between two batches.
 */
export async function sweep(
  app: Services,
  graceMs = GRACE_MS,
  signal = new AbortController().signal,
): Promise<number> {
  let candidates = await app.storage.blobs.sweepStaging(graceMs);
  candidates += await sweepReservations(app, graceMs, signal);
  candidates += await sweepUploads(app, graceMs, signal);
  const at = Date.now();
  // Looked for beforehand: nothing else could be written meanwhile.
  const packs = await emptyPacks(app.db.read, at - GRACE_MS, BATCH);
  await app.db.write(async (trx) => {
    await deleteFailedRenditions(trx, at - RETRY_MS);
    if (packs.length > 0) await deleteEmptyPacks(app.db, trx, packs);
    await forgetRemovals(trx, at - GRACE_MS);
  });
  for (let unused = await unusedBlobs(app.db.read, '', BATCH); unused.length > 0 && !signal.aborted; ) {
    await removeUnreferenced(app, unused);
    candidates += unused.length;
    unused = await unusedBlobs(app.db.read, unused.at(-1) ?? '', BATCH);
  }
  let batch: string[] = [];
  const flush = async () => {
    const strays = await unreferencedBlobs(app.db, batch);
    await removeUnreferenced(app, strays);
    candidates += strays.length;
    batch = [];
  };
  const limit = Date.now() - graceMs;
  for await (const blob of app.storage.blobs.list()) {
    if (signal.aborted) return candidates;
    if (blob.modifiedAt > limit) continue;
    batch.push(blob.sha256);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return candidates;
}
