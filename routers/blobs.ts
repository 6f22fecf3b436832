import { setTimeout as delay } from 'node:timers/promises';
import { doomBlob, forgetBlob, lastRemovals, releaseBlob, retainBlob } from '../db/blob.js';
import type { Db, Queryable } from '../db/connect.js';
import { deleteRenditions } from '../db/rendition.js';
import type { Services } from './context.js';
import { DomainError } from './errors.js';
import { mapLimit } from './map-limit.js';
import { outageOf } from './outage.js';
import type { StagedBlob } from './ports/storage.js';

/** How long an upload waits for the removal of the same bytes to end, and the pauses in between, in milliseconds. */
const WAIT = { wholeMs: 2_000, firstMs: 10, longestMs: 50 } as const;

const COMMITS_AT_ONCE = 8;

/** The same bytes are being removed at this moment. */
class BlobDoomed extends Error {}

/** The same bytes may have been removed after they were committed and before a row named them. */
class BlobRemoved extends Error {
  constructor(readonly removals: string) {
    super('removed meanwhile');
  }
}

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
  /** Removals seen before this attempt committed the bytes; the first attempt assumes none. */
  let removals = '';
  for (let attempt = 1; ; attempt += 1) {
    const committed: string[] = [];
    try {
      await mapLimit(COMMITS_AT_ONCE, blobs, async (blob) => {
        await blob.commit();
        committed.push(blob.sha256);
      });
      return await app.db.write(async (trx) => {
        await retain(app, trx, inOrder, removals);
        return insert(trx);
      });
    } catch (error) {
      const raced = error instanceof BlobDoomed || error instanceof BlobRemoved;
      if (attempt === 1) until = performance.now() + WAIT.wholeMs;
      const again = raced && performance.now() < until;
      if (error instanceof BlobRemoved) removals = error.removals;
      // For doomed blobs this finishes removals that a crash has cut off.
      if (!again || (error instanceof BlobDoomed && attempt === 1)) {
        const removed = removeUnnamed(app, committed);
        // A database that is away now would only keep the caller waiting once more.
        if (committed.length < blobs.length || outageOf(error) === null) await removed;
      }
      if (!again) throw raced ? new DomainError('UNAVAILABLE', { cause: error }) : error;
      await delay(Math.min(WAIT.firstMs * attempt, WAIT.longestMs));
    }
  }
}

/**
 * Counts one more row that names each blob. From here on no removal of them can begin, so their bytes are there
 * unless one has ended since they were committed.
 */
async function retain(
  app: Services,
  trx: Queryable,
  blobs: readonly StagedBlob[],
  removals: string,
): Promise<void> {
  if (blobs.length === 0) return;
  for (const { sha256, size } of blobs) {
    if (!(await retainBlob(trx, sha256, size))) throw new BlobDoomed();
  }
  const last = await lastRemovals(
    app.db,
    trx,
    blobs.map(({ sha256 }) => sha256),
  );
  if (last !== removals) throw new BlobRemoved(last);
}

/**
 * Counts one row less that names each blob; in the transaction that removes the row. Returns the blobs that
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

/** More are left to the sweep. */
const MOST_GONE = 10_000;

/**
 * When removals were claimed whose bytes are deleted but whose claim could not be ended (a full disk refuses that). An
 * upload of the same bytes ends the claim first, and need not wait until it is old.
 */
const unended = new WeakMap<Db, Map<string, number>>();
function goneIn(db: Db): Map<string, number> {
  const known = unended.get(db) ?? new Map<string, number>();
  unended.set(db, known);
  return known;
}

/**
 * Removes the bytes of those blobs that no row names. Never fails: what could not be removed now is removed
 * by the next sweep.
 */
export async function removeUnnamed(
  app: Pick<Services, 'db' | 'blobs' | 'log'>,
  hashes: readonly string[],
): Promise<void> {
  const gone = goneIn(app.db);
  for (const sha256 of new Set(hashes)) {
    try {
      const before = gone.get(sha256);
      if (before !== undefined) {
        const ended = await app.db.write((trx) => forgetBlob(trx, sha256, before));
        gone.delete(sha256);
        // Where another process has ended it the bytes may have come back since.
        if (ended) continue;
      }
      const at = Date.now();
      if (!(await app.db.write((trx) => doomBlob(trx, sha256, at)))) continue;
      await app.blobs.remove(sha256);
      if (gone.size < MOST_GONE) gone.set(sha256, at);
      await app.db.write((trx) => forgetBlob(trx, sha256, at));
      gone.delete(sha256);
    } catch (error) {
      app.log.warn({ err: error, sha256 }, 'a blob could not be removed; the sweep will try again');
    }
  }
}
