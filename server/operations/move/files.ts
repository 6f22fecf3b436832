import { setTimeout as delay } from 'node:timers/promises';
import { countNamedBlobs, unreferencedBlobs } from '../../../db/content/file/blob.js';
import type { Db } from '../../../db/engine/connect.js';
import { mapLimit } from '../../../routers/base/map-limit.js';
import type { BlobStore } from '../../../routers/base/ports/storage.js';
import { moveBlob } from '../../../routers/core/blobs/move-blob.js';
import { openBlobStores } from '../../drivers/storage/index.js';
import type { Place } from '../../drivers/storage/options.js';
import type { Config } from '../../runtime/config/config.js';
import { createCommandLogger } from '../../runtime/logger.js';
import { openDatabase } from '../../runtime/open-database.js';
import type { Progress } from '../backup/backup.js';
import { describeLost } from '../describe-lost.js';

const BATCH = 500;
const AT_ONCE = 4;
/** Before files are tried again that another process was moving, in milliseconds. */
const PAUSE_MS = 1_000;

/** What `moveFiles` did: how many files it moved, and which could not be, as a text for people. */
interface MovedFiles {
  readonly moved: number;
  readonly left: string | null;
}

/**
 * Moves every file that rows reference to one of the two configured stores, one at a time, also while servers run
 * (ADR 21). Repeats what was interrupted; ends when none is left in the other store.
 */
export async function moveFiles(config: Config, to: Place, progress: Progress): Promise<MovedFiles> {
  const db = await openDatabase(config, createCommandLogger());
  try {
    const [target, source] = await openBlobStores(config);
    if (target === undefined || source === undefined || config.places[0] !== to)
      throw new TypeError('two stores are needed, the target first');
    const damaged = new Set<string>();
    let moved = 0;
    for (let pass = 0; ; pass += 1) {
      if (pass > 0) await delay(PAUSE_MS);
      const total = await countNamedBlobs(db);
      let left = 0;
      for await (const batch of batchesIn(source, db)) {
        const outcomes = await mapLimit(AT_ONCE, batch, async (sha256) => {
          if (damaged.has(sha256)) return null;
          const outcome = await moveBlob({ db }, sha256, source, target);
          if (outcome === 'moved') progress(++moved, Math.max(total, moved));
          if (outcome === 'damaged') damaged.add(sha256);
          return outcome;
        });
        left += outcomes.filter((outcome) => outcome === 'busy' || outcome === 'moved').length;
      }
      // A pass that finds nothing any more is the last: others may have added files during the one before.
      if (left === 0) break;
    }
    return { moved, left: damaged.size === 0 ? null : await describeLost(db, config, [...damaged]) };
  } finally {
    await db.close();
  }
}

/** The hashes of the referenced files in a store. */
async function* batchesIn(store: BlobStore, db: Db): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  const referenced = async () => {
    const strays = new Set(await unreferencedBlobs(db, batch));
    const named = batch.filter((sha256) => !strays.has(sha256));
    batch = [];
    return named;
  };
  for await (const { sha256 } of store.list()) {
    batch.push(sha256);
    if (batch.length === BATCH) yield await referenced();
  }
  yield await referenced();
}
