import { randomUUID } from 'node:crypto';
import type { Db } from '../../engine/connect.js';
import { dialectOf } from '../../engine/dialect.js';
import { query, recordsJson } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

/** Bytes in the store. */
export interface SizedBlob {
  readonly sha256: string;
  readonly size: number;
}

/**
 * Adds a reference to each of these blobs, as often as it is among them; runs in the transaction that inserts the
 * referencing rows. False if one is being removed right now: the caller waits and commits the bytes again
 * (docs/adr/0006).
 */
export async function retainBlobs(trx: Queryable, blobs: readonly SizedBlob[]): Promise<boolean> {
  if (blobs.length === 0) return true;
  const rows = new Map<string, SizedBlob & { readonly refs: number }>();
  for (const { sha256, size } of blobs)
    rows.set(sha256, { sha256, size, refs: (rows.get(sha256)?.refs ?? 0) + 1 });
  // In a fixed order, so that two uploads of the same bytes do not deadlock.
  const inOrder = [...rows.values()].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  const kept = await query<{ refs: number }>(
    trx,
    `INSERT INTO blobs (sha256, size, refs)
     SELECT sha256, size, refs FROM ${dialectOf(trx).recordsOf('given', 'blobs', ['sha256', 'size', 'refs'])} WHERE true
     ON CONFLICT (sha256) DO UPDATE SET refs = blobs.refs + excluded.refs WHERE blobs.doomed_at IS NULL
     RETURNING refs`,
    [recordsJson(inOrder.map((row) => ({ ...row })))],
  );
  return kept.length === inOrder.length;
}

/**
 * Removes a reference to this blob; runs in the transaction that deletes the referencing row. True if it was
 * the last one.
 */
export async function releaseBlob(trx: Queryable, sha256: string): Promise<boolean> {
  const left = await query<{ refs: number }>(
    trx,
    'UPDATE blobs SET refs = refs - 1 WHERE sha256 = ? AND refs > 0 RETURNING refs',
    [sha256],
  );
  return left[0]?.refs === 0;
}

/** A removal older than this was interrupted by a crash and may be taken over. */
const REMOVAL_MS = 5 * 60_000;

/**
 * Claims the removal of an unreferenced blob, for one caller at a time. If true, nobody can retain the blob
 * until `forgetBlob` with the same `at`, so its bytes may be deleted, even bytes without a blob row.
 */
export async function doomBlob(trx: Queryable, sha256: string, at: number): Promise<boolean> {
  const doomed = await query(
    trx,
    `INSERT INTO blobs (sha256, size, refs, doomed_at) VALUES (?, 0, 0, ?)
     ON CONFLICT (sha256) DO UPDATE SET doomed_at = excluded.doomed_at
     WHERE blobs.refs = 0 AND (blobs.doomed_at IS NULL OR blobs.doomed_at < ?)
     RETURNING sha256`,
    [sha256, at, at - REMOVAL_MS],
  );
  return doomed.length > 0;
}

/**
 * Ends the removal claimed at `at`: the bytes are gone and the hash may be stored again. Gives the removal a
 * new token for `lastRemovals`. False if another process has ended it or taken it over.
 */
export async function forgetBlob(trx: Queryable, sha256: string, at: number): Promise<boolean> {
  const ended = await trx('blobs').where({ sha256, doomed_at: at }).delete();
  await trx('blob_removals')
    .insert({ sha256, token: randomUUID(), removed_at: at })
    .onConflict('sha256')
    .merge();
  return ended > 0;
}

/**
 * By hash, a text that changes with every further removal of these blobs; none for those that were never removed. Read in
 * the transaction that has retained them all, it covers every removal that ended before (docs/adr/0006).
 */
export async function lastRemovals(
  trx: Queryable,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const last = await query<{ sha256: string; token: string }>(
    trx,
    `SELECT sha256, token FROM blob_removals WHERE ${dialectOf(trx).inStrings('sha256')}`,
    [JSON.stringify(hashes)],
  );
  return new Map(last.map(({ sha256, token }) => [sha256, token]));
}

/** Deletes records of removals before this moment, which must be too old to affect any upload in progress. */
export async function forgetRemovals(trx: Queryable, before: number): Promise<void> {
  await trx('blob_removals').where('removed_at', '<', before).delete();
}

/** How many blobs are referenced. */
export async function countNamedBlobs(db: Db): Promise<number> {
  const [all] = await query<{ files: number }>(db.read, 'SELECT count(*) AS files FROM blobs WHERE refs > 0');
  return Number(all?.files ?? 0);
}

/** The hashes that no row references. */
export async function unreferencedBlobs(db: Db, hashes: readonly string[]): Promise<string[]> {
  const named = await query<{ sha256: string }>(
    db.read,
    `SELECT sha256 FROM blobs WHERE refs > 0 AND ${db.dialect.inStrings('sha256')}`,
    [JSON.stringify(hashes)],
  );
  const known = new Set(named.map((row) => row.sha256));
  return hashes.filter((hash) => !known.has(hash));
}

/** Blobs that are no longer referenced, ordered by hash, after this hash and at most `limit`. */
export async function unusedBlobs(db: Queryable, after: string, limit: number): Promise<string[]> {
  const found: { sha256: string }[] = await db('blobs')
    .select('sha256')
    .where('refs', 0)
    .where('sha256', '>', after)
    .orderBy('sha256')
    .limit(limit);
  return found.map((row) => row.sha256);
}

/** A blob that is referenced by rows. */
export interface NamedBlob {
  readonly sha256: string;
  readonly size: number;
}

/** Referenced blobs, ordered by hash, after this hash and at most `limit`. */
export async function namedBlobs(db: Queryable, after: string, limit: number): Promise<NamedBlob[]> {
  return db('blobs')
    .select('sha256', 'size')
    .where('refs', '>', 0)
    .where('sha256', '>', after)
    .orderBy('sha256')
    .limit(limit);
}

/** The size in bytes of a referenced blob; null if no row references it. */
export async function blobSize(db: Queryable, sha256: string): Promise<number | null> {
  const row = await db('blobs').select('size').where('sha256', sha256).andWhere('refs', '>', 0).first();
  return row?.size ?? null;
}
