import { setTimeout as delay } from 'node:timers/promises';
import { doomBlob, forgetBlob, releaseBlob, retainBlob } from '../db/blob.js';
import type { Queryable } from '../db/connect.js';
import { deleteRenditions } from '../db/rendition.js';
import { atOnce } from './at-once.js';
import type { Services } from './context.js';
import { fail } from './errors.js';
import { outageOf } from './outage.js';
import type { StagedBlob } from './ports.js';

/** How long an upload waits for the removal of the same bytes to end, and the pauses in between, in milliseconds. */
const WAIT = { wholeMs: 2_000, firstMs: 10, longestMs: 50 } as const;

const COMMITS_AT_ONCE = 8;

class BlobDoomed extends Error {}

/**
 * Stores staged blobs and inserts the rows that name them, durably: bytes first, then one transaction with
 * `insert` and the references. When it fails nothing stays, not even bytes (docs/adr/0006).
 */
export async function keepBlobs<T>(
  app: Services,
  blobs: readonly StagedBlob[],
  insert: (trx: Queryable) => Promise<T>,
): Promise<T> {
  // In one order, so that two who bring the same bytes do not wait for each other.
  const inOrder = [...blobs].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  let until = Number.POSITIVE_INFINITY;
  for (let attempt = 1; ; attempt += 1) {
    const committed: string[] = [];
    try {
      await atOnce(COMMITS_AT_ONCE, blobs, async (blob) => {
        await blob.commit();
        committed.push(blob.sha256);
      });
      const inserted = await app.db.write(async (trx) => {
        for (const blob of inOrder) {
          if (!(await retainBlob(trx, blob.sha256, blob.size))) throw new BlobDoomed();
        }
        return insert(trx);
      });
      await restoreRemoved(app, blobs);
      return inserted;
    } catch (error) {
      // For doomed blobs this finishes removals that a crash has cut off.
      if (!(error instanceof BlobDoomed) || attempt === 1) {
        const removed = removeUnnamed(app, committed);
        // A database that is away now would only keep the caller waiting once more.
        if (committed.length < blobs.length || outageOf(error) === null) await removed;
      }
      if (!(error instanceof BlobDoomed)) throw error;
      if (attempt === 1) until = performance.now() + WAIT.wholeMs;
      if (performance.now() > until) fail('UNAVAILABLE', { cause: error });
      await delay(Math.min(WAIT.firstMs * attempt, WAIT.longestMs));
    }
  }
}

/**
 * A removal of the same bytes may have begun before they were committed and ended before a row named them.
 * From now on none can begin, so bytes that are missing here are put back, and stay.
 */
async function restoreRemoved(app: Services, blobs: readonly StagedBlob[]): Promise<void> {
  for (const blob of blobs) {
    try {
      if ((await app.blobs.stat(blob.sha256)) === null) await blob.commit();
    } catch (error) {
      // The rows are committed, so this is no failure of the upload; and such a removal is rare.
      app.log.warn({ err: error, sha256: blob.sha256 }, 'a stored blob could not be looked at again');
    }
  }
}

/**
 * Counts one row less that names each blob; in the transaction that removes the row. Answers the blobs that
 * nothing names any more, renditions of them included, for `removeUnnamed` after the commit.
 */
export async function releaseBlobs(trx: Queryable, hashes: readonly string[]): Promise<string[]> {
  const unnamed: string[] = [];
  for (const sha256 of [...hashes].sort()) {
    if (!(await releaseBlob(trx, sha256))) continue;
    unnamed.push(sha256, ...(await releaseBlobs(trx, await deleteRenditions(trx, sha256))));
  }
  return unnamed;
}

/**
 * Removes the bytes of those blobs that no row names. Never fails: what could not be removed now is removed
 * by the next sweep.
 */
export async function removeUnnamed(
  app: Pick<Services, 'db' | 'blobs' | 'log'>,
  hashes: readonly string[],
): Promise<void> {
  for (const sha256 of new Set(hashes)) {
    try {
      const at = Date.now();
      if (!(await app.db.write((trx) => doomBlob(trx, sha256, at)))) continue;
      await app.blobs.remove(sha256);
      await app.db.write((trx) => forgetBlob(trx, sha256, at));
    } catch (error) {
      app.log.warn({ err: error, sha256 }, 'a blob could not be removed; the sweep will try again');
    }
  }
}
