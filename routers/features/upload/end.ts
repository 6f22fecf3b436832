import { deleteUpload } from '../../../db/content/upload/upload.js';
import { deleteEnded, endedUploads } from '../../../db/content/upload/upload-end.js';
import { partsOf, unknownParts } from '../../../db/content/upload/upload-parts.js';
import { fail } from '../../base/errors.js';
import type { Services } from '../../core/context.js';
import { requireUnpausedOwner } from '../../core/quotas/spend.js';
import { findUpload } from './find.js';
import { freeParts } from './finish.js';
import { holding } from './hold.js';
import { purposeNamed } from './purposes.js';

const SWEEP_BATCH = 100;
/** An upload that could not be processed for this long is given up. */
const STUCK_MS = 7 * 24 * 60 * 60 * 1000;

/** Ends an upload and frees its bytes; an item that has been made of it stays. */
export async function endUpload(app: Services, secret: string): Promise<void> {
  const upload = await findUpload(app, secret);
  // Guests take back what they have sent, whatever the owner of the link may do.
  if (!purposeNamed(upload.purpose).isOfGuests) await requireUnpausedOwner(app.db.read, upload.ownerId);
  if (upload.state === 'processing') fail('UPLOAD_BUSY', 'All bytes have arrived, the file is being stored');
  const isUnstoppable = { end: () => undefined, idleMs: () => 0 };
  await holding(app, upload.id, isUnstoppable, () => deleteWithParts(app, upload.id), 'at once');
}

/** Deletes an upload, and frees its bytes. */
export async function deleteWithParts(app: Services, uploadId: number): Promise<void> {
  const keys = (await partsOf(app.db.read, uploadId)).map(({ key }) => key);
  await app.db.write((trx) => deleteUpload(trx, uploadId));
  await freeParts(app, keys);
}

/**
 * Deletes uploads whose address has expired, and parts written more than `graceMs` ago that no record refers to.
 * Returns how many uploads it deleted: if several processes do this at once, each upload counts for one of them. Many are
 * deleted in one write, for which others wait; aborting `signal` ends it early, between two of them.
 */
export async function sweepUploads(
  app: Services,
  graceMs: number,
  signal = new AbortController().signal,
): Promise<number> {
  let ended = 0;
  while (!signal.aborted) {
    const at = Date.now();
    const limits = { at, stuckSince: at - STUCK_MS };
    const batch = await endedUploads(app.db.read, limits, SWEEP_BATCH);
    if (batch.length === 0) break;
    const { total, keys } = await app.db.write((trx) => deleteEnded(app.db, trx, batch, limits));
    ended += total;
    await freeParts(app, keys);
    // What another process deletes now is not waited for.
    if (total === 0) break;
  }
  await sweepParts(app, Date.now() - graceMs, signal);
  return ended;
}

async function sweepParts(app: Services, before: number, signal: AbortSignal): Promise<void> {
  const { parts } = app.storage.blobs;
  let keys: string[] = [];
  const flush = async () => {
    await parts.remove(await unknownParts(app.db, keys));
    keys = [];
  };
  for await (const { key, modifiedAt } of parts.list()) {
    if (signal.aborted) break;
    if (modifiedAt > before) continue;
    if (keys.push(key) === SWEEP_BATCH) await flush();
  }
  await flush();
}
