import { setTimeout as delay } from 'node:timers/promises';
import {
  doomBlob,
  forgetBlob,
  lastRemovals,
  releaseBlob,
  retainBlobs,
} from '../../../db/content/file/blob.js';
import { deleteRenditions } from '../../../db/content/file/rendition.js';
import type { Db } from '../../../db/engine/connect.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { DomainError } from '../../base/errors.js';
import { mapLimit } from '../../base/map-limit.js';
import type { StagedBlob } from '../../base/ports/storage.js';
import type { Services } from '../context.js';
import { requireSpace } from '../entry/entry.js';
import type { Committed } from '../items/creations.js';
import { outageOf } from '../outage.js';

/** How long an upload waits for a removal of the same bytes, and the delays between retries, in milliseconds. */
const WAIT = { wholeMs: 2_000, firstMs: 10, longestMs: 50 } as const;

const COMMITS_AT_ONCE = 8;
/** Removals that share their commits: a sweep may have thousands. */
const REMOVALS_AT_ONCE = 16;

/** The same bytes are being removed right now. */
class BlobDoomed extends Error {}

/** The same bytes may have been removed after they were committed and before a row referenced them. */
class BlobRemoved extends Error {
  constructor(readonly removals: string) {
    super('removed meanwhile');
  }
}

interface KeepOptions {
  /** Whether the bytes are made of stored ones, and so are kept even while too little space is left. */
  readonly derived?: boolean;
}

/**
 * Stores staged blobs and inserts the rows that reference them, durably: first the bytes, then one
 * transaction with `insert` and the references. If it fails, nothing is kept, not even the bytes
 * (docs/adr/0006). Refused with 507 while too little space is left.
 */
export const keepBlobs = <T>(
  app: Services,
  blobs: readonly StagedBlob[],
  insert: (trx: Queryable) => Promise<T>,
  options?: KeepOptions,
): Promise<T> =>
  storeBlobs(
    app,
    blobs,
    (committed) =>
      app.db.write(async (trx) => {
        await retain(trx, [committed]);
        return insert(trx);
      }),
    options,
  );

/** As `keepBlobs`, with a `store` that runs the transaction, in which it begins with `retain`. */
export async function storeBlobs<T>(
  app: Services,
  blobs: readonly StagedBlob[],
  store: (committed: Committed) => Promise<T>,
  { derived = false }: KeepOptions = {},
): Promise<T> {
  if (blobs.length > 0 && !derived) await requireSpace(app);
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
      return await store({ blobs, removals });
    } catch (error) {
      const raced = error instanceof BlobDoomed || error instanceof BlobRemoved;
      if (attempt === 1) until = performance.now() + WAIT.wholeMs;
      const again = raced && performance.now() < until;
      if (error instanceof BlobRemoved) removals = error.removals;
      // For doomed blobs this finishes removals that were interrupted by a crash.
      if (!again || (error instanceof BlobDoomed && attempt === 1)) {
        const removed = removeUnreferenced(app, committed);
        // If the database is down, waiting for it again would only delay the caller.
        if (committed.length < blobs.length || outageOf(error) === null) await removed;
      }
      if (!again) throw raced ? new DomainError('UNAVAILABLE', { cause: error }) : error;
      await delay(Math.min(WAIT.firstMs * attempt, WAIT.longestMs));
    }
  }
}

/**
 * Adds a reference to each blob of these, which duplicates share. From here on no removal can begin, so the bytes exist unless a removal has
 * ended since they were committed.
 */
export async function retain(trx: Queryable, all: readonly Committed[]): Promise<void> {
  const blobs = all.flatMap((committed) => committed.blobs);
  if (blobs.length === 0) return;
  if (!(await retainBlobs(trx, blobs))) throw new BlobDoomed();
  const last = await lastRemovals(
    trx,
    blobs.map(({ sha256 }) => sha256),
  );
  for (const { blobs: own, removals } of all) {
    const now = own.flatMap(({ sha256 }) => last.get(sha256) ?? []).join();
    if (now !== removals) throw new BlobRemoved(now);
  }
}

/**
 * Removes a reference to each blob, in the transaction that deletes the row. Returns the blobs that are no
 * longer referenced, including their renditions, to pass to `removeUnreferenced` after the commit.
 */
export async function releaseBlobs(trx: Queryable, hashes: readonly string[]): Promise<string[]> {
  const unreferenced: string[] = [];
  for (const sha256 of [...hashes].sort()) {
    if (!(await releaseBlob(trx, sha256))) continue;
    unreferenced.push(sha256, ...(await releaseBlobs(trx, await deleteRenditions(trx, sha256))));
  }
  return unreferenced;
}

/** Any more are left to the sweep. */
const MAX_REMEMBERED = 10_000;

/**
 * Times of removals whose bytes are deleted but whose claim could not be ended (for example, on a full disk).
 * An upload of the same bytes ends the claim first instead of waiting until it is stale.
 */
const unended = new WeakMap<Db, Map<string, number>>();
function removedIn(db: Db): Map<string, number> {
  const known = unended.get(db) ?? new Map<string, number>();
  unended.set(db, known);
  return known;
}

/**
 * Removes the bytes of unreferenced blobs. Never fails: the next sweep removes what could not be removed now.
 */
export async function removeUnreferenced(
  app: Pick<Services, 'db' | 'storage' | 'log'>,
  hashes: readonly string[],
): Promise<void> {
  const gone = removedIn(app.db);
  await mapLimit(REMOVALS_AT_ONCE, [...new Set(hashes)], async (sha256) => {
    try {
      const before = gone.get(sha256);
      if (before !== undefined) {
        const ended = await app.db.write((trx) => forgetBlob(trx, sha256, before));
        gone.delete(sha256);
        // If another process has ended it, the bytes may have been stored again since.
        if (ended) return;
      }
      const at = Date.now();
      if (!(await app.db.write((trx) => doomBlob(trx, sha256, at)))) return;
      await app.storage.blobs.remove(sha256);
      if (gone.size < MAX_REMEMBERED) gone.set(sha256, at);
      await app.db.write((trx) => forgetBlob(trx, sha256, at));
      gone.delete(sha256);
    } catch (error) {
      app.log.warn({ err: error, sha256 }, 'a blob could not be removed; the sweep will try again');
    }
  });
}
