import { deleteOldestRenditions, renditionBytes } from '../../../db/content/file/rendition.js';
import { releaseBlobs, removeUnreferenced } from '../../core/blobs/blobs.js';
import type { Services } from '../../core/context.js';

/** Renditions deleted in one transaction. */
const BATCH = 200;
/** The newest are never deleted: they may not be sent yet, here or by another process, however large they are. */
const NEWEST = 8;

/**
 * Deletes the least recently used renditions until all of them together fit their budget, or only the newest are left; they are made
 * again when someone asks. Never fails: the next one tries again.
 */
export async function trimRenditions(app: Services): Promise<void> {
  const { maxRenditionBytes } = app.settings;
  if (maxRenditionBytes === null) return;
  try {
    await app.singleFlight('renditions:trim', async () => {
      let deleted = Number.POSITIVE_INFINITY;
      while (deleted > 0 && (await renditionBytes(app.db.read)) > maxRenditionBytes) {
        const unreferenced = await app.db.write(async (trx) => {
          // Another process may have made room.
          const excess = (await renditionBytes(trx)) - maxRenditionBytes;
          const oldest =
            excess <= 0 ? [] : await deleteOldestRenditions(trx, excess, { limit: BATCH, newest: NEWEST });
          deleted = oldest.length;
          return releaseBlobs(trx, oldest);
        });
        await removeUnreferenced(app, unreferenced);
      }
    });
  } catch (error) {
    app.log.warn({ err: error }, 'old renditions could not be deleted');
  }
}
