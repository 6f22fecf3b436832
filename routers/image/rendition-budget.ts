import { deleteOldestRenditions, renditionBytes } from '../../db/content/rendition.js';
import type { Services } from '../context.js';
import { releaseBlobs, removeUnnamed } from '../shared/blobs.js';

/** Renditions deleted in one transaction. */
const BATCH = 200;

/**
 * Deletes the oldest renditions until all of them together fit their budget; they are made again when someone asks.
 * Never fails: the next one tries again.
 */
export async function trimRenditions(app: Services): Promise<void> {
  const { maxRenditionBytes } = app.settings;
  if (maxRenditionBytes === null) return;
  try {
    await app.singleFlight('renditions:trim', async () => {
      while ((await renditionBytes(app.db.read)) > maxRenditionBytes) {
        const unnamed = await app.db.write(async (trx) => {
          // Another process may have made room.
          const excess = (await renditionBytes(trx)) - maxRenditionBytes;
          return excess <= 0 ? [] : releaseBlobs(trx, await deleteOldestRenditions(trx, excess, BATCH));
        });
        await removeUnnamed(app, unnamed);
      }
    });
  } catch (error) {
    app.log.warn({ err: error }, 'old renditions could not be deleted');
  }
}
