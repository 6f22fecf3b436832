import type { Db } from '../engine/connect.js';
import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** What became of an upload that arrives in several requests. */
export type UploadState = 'receiving' | 'processing' | 'done' | 'failed';

/** An upload that arrives in several requests. */
export interface Upload {
  readonly id: number;
  readonly ownerId: number;
  /** What happens with it when it is complete. */
  readonly purpose: string;
  /** What its purpose needs to know. */
  readonly fields: unknown;
  /** The client's own description of it, encrypted; null without one. */
  readonly metadata: string | null;
  readonly filename: string | null;
  readonly filetype: string | null;
  /** Null as long as the client has not said it. */
  readonly length: number | null;
  /** How many bytes are durable. */
  readonly received: number;
  readonly state: UploadState;
  /** Why it failed, in words for people. */
  readonly reason: string | null;
  readonly imageId: number | null;
  /** Epoch milliseconds from which the address does not work any more. */
  readonly expiresAt: number;
}

interface Row {
  id: number;
  owner_id: number;
  purpose: string;
  fields: string;
  metadata: string | null;
  filename: string | null;
  filetype: string | null;
  length: number | null;
  received: number;
  state: UploadState;
  reason: string | null;
  image_id: number | null;
  lock_token: string | null;
  lock_until: number | null;
  expires_at: number;
}

const fromRow = (row: Row): Upload => ({
  id: row.id,
  ownerId: row.owner_id,
  purpose: row.purpose,
  fields: json(row.fields),
  metadata: row.metadata,
  filename: row.filename,
  filetype: row.filetype,
  length: row.length,
  received: row.received,
  state: row.state,
  reason: row.reason,
  imageId: row.image_id,
  expiresAt: row.expires_at,
});

/** What a new upload needs. */
export type NewUpload = Pick<
  Upload,
  'ownerId' | 'purpose' | 'fields' | 'metadata' | 'filename' | 'filetype' | 'length' | 'expiresAt'
> & { readonly secretHash: string; readonly createdAt: number };

/** Begins an upload of which nothing has arrived; returns its row id. */
export async function insertUpload(trx: Queryable, upload: NewUpload): Promise<number> {
  const [row] = await trx('uploads')
    .insert({
      secret_hash: upload.secretHash,
      owner_id: upload.ownerId,
      purpose: upload.purpose,
      fields: JSON.stringify(upload.fields),
      metadata: upload.metadata,
      filename: upload.filename,
      filetype: upload.filetype,
      length: upload.length,
      received: 0,
      state: 'receiving',
      lock_wanted: false,
      created_at: upload.createdAt,
      expires_at: upload.expiresAt,
    })
    .returning<{ id: number }[]>('id');
  if (row === undefined) throw new Error('uploads: no row was inserted');
  return row.id;
}

/** The upload whose address has this hash and works at `at`; null if there is none. */
export async function uploadBySecret(db: Queryable, secretHash: string, at: number): Promise<Upload | null> {
  const row: Row | undefined = await db('uploads')
    .where('secret_hash', secretHash)
    .andWhere('expires_at', '>', at)
    .first();
  return row === undefined ? null : fromRow(row);
}

/** The upload with this row id, or null. */
export async function uploadById(db: Queryable, id: number): Promise<Upload | null> {
  const row: Row | undefined = await db('uploads').where('id', id).first();
  return row === undefined ? null : fromRow(row);
}

/**
 * How many uploads of an account for one purpose are unfinished at `at`, the bytes announced for them, and when the
 * first of them ends. One whose length is not known counts as `unsaid` bytes.
 */
export async function unfinishedUploads(
  trx: Queryable,
  ownerId: number,
  at: number,
  { unsaid, purpose }: { readonly unsaid: number; readonly purpose: string },
): Promise<{ readonly total: number; readonly bytes: number; readonly firstEnd: number }> {
  const [row] = await query<{ total: number; bytes: number; first_end: number | null }>(
    trx,
    `SELECT count(*) AS total, coalesce(sum(coalesce(length, CAST(? AS bigint))), 0) AS bytes,
       min(expires_at) AS first_end
     FROM uploads WHERE owner_id = ? AND state IN ('receiving', 'processing') AND expires_at > ?
       AND purpose = ?`,
    [unsaid, ownerId, at, purpose],
  );
  return { total: Number(row?.total ?? 0), bytes: Number(row?.bytes ?? 0), firstEnd: row?.first_end ?? at };
}

/** The unfinished uploads of an account for one purpose. */
export interface UnfinishedOfPurpose {
  readonly purpose: string;
  readonly total: number;
  /** Their bytes: announced, or as many as have arrived where no length is known. */
  readonly bytes: number;
  /** Bytes that have arrived. */
  readonly received: number;
  /** How many have arrived whole, and become items. */
  readonly complete: number;
}

/** The unfinished uploads of an account at `at`, by their purpose. */
export async function unfinishedByPurpose(
  db: Queryable,
  ownerId: number,
  at: number,
): Promise<readonly UnfinishedOfPurpose[]> {
  const rows = await query<{ [F in keyof UnfinishedOfPurpose]: UnfinishedOfPurpose[F] | string }>(
    db,
    `SELECT purpose, count(*) AS total, sum(coalesce(length, received)) AS bytes, sum(received) AS received,
       sum(CASE WHEN state = 'processing' THEN 1 ELSE 0 END) AS complete
     FROM uploads WHERE owner_id = ? AND state IN ('receiving', 'processing') AND expires_at > ? GROUP BY purpose`,
    [ownerId, at],
  );
  return rows.map(({ purpose, total, bytes, received, complete }) => ({
    purpose: String(purpose),
    total: Number(total),
    bytes: Number(bytes),
    received: Number(received),
    complete: Number(complete),
  }));
}

/** Who held the lock of an upload before: nobody, somebody who has ended, or somebody who may still be writing. */
export type LockTaken = 'free' | 'overdue';

/**
 * Takes the lock of an upload for `token`. Held by another and not overdue, it is taken only with `force`; then, and
 * if it was overdue, the answer says so: whoever held it may still be writing to the last part. Null if it is held.
 */
export async function takeUploadLock(
  db: Db,
  trx: Queryable,
  lock: { id: number; token: string; at: number; until: number; force: boolean },
): Promise<LockTaken | null> {
  const [row] = await query<Pick<Row, 'lock_token' | 'lock_until'>>(
    trx,
    `SELECT lock_token, lock_until FROM uploads WHERE id = ? ${db.dialect.forUpdate}`,
    [lock.id],
  );
  if (row === undefined) return null;
  const isFree = row.lock_token === null;
  if (!isFree && (row.lock_until ?? 0) > lock.at && !lock.force) {
    await trx('uploads').where('id', lock.id).update({ lock_wanted: true });
    return null;
  }
  await trx('uploads')
    .where('id', lock.id)
    .update({ lock_token: lock.token, lock_until: lock.until, lock_wanted: false });
  return isFree ? 'free' : 'overdue';
}

/** Keeps the lock until `until`. `lost` if another has it, `wanted` if another waits for it. */
export async function keepUploadLock(
  trx: Queryable,
  id: number,
  token: string,
  until: number,
): Promise<'held' | 'wanted' | 'lost'> {
  const [row] = await trx('uploads')
    .where({ id, lock_token: token })
    .update({ lock_until: until })
    .returning<{ lock_wanted: boolean | number }[]>('lock_wanted');
  if (row === undefined) return 'lost';
  return row.lock_wanted ? 'wanted' : 'held';
}

/** Gives the lock back, if this token still has it. */
export async function releaseUploadLock(trx: Queryable, id: number, token: string): Promise<void> {
  await trx('uploads')
    .where({ id, lock_token: token })
    .update({ lock_token: null, lock_until: null, lock_wanted: false });
}

/** A stretch of the bytes of an upload, as its store keeps it. */
export interface StoredPart {
  /** Where it begins. */
  readonly start: number;
  readonly size: number;
  /** Its name in the store. */
  readonly key: string;
}

/** The parts of an upload in order. */
export async function partsOf(db: Queryable, uploadId: number): Promise<StoredPart[]> {
  const rows: { start: number; size: number; part_key: string }[] = await db('upload_parts')
    .select('start', 'size', 'part_key')
    .where('upload_id', uploadId)
    .orderBy('start');
  return rows.map(({ start, size, part_key: key }) => ({ start, size, key }));
}

/**
 * Records what has become durable: these parts, which replace those that begin where they do, and the new number of
 * bytes. False, and nothing is recorded, if the token has lost the lock.
 */
export async function recordReceived(
  trx: Queryable,
  { id, token, ...change }: { id: number; token: string; received: number; expiresAt: number },
  parts: readonly StoredPart[],
): Promise<boolean> {
  const changed = await trx('uploads')
    .where({ id, lock_token: token, state: 'receiving' })
    .update({ received: change.received, expires_at: change.expiresAt });
  if (changed === 0) return false;
  for (const { start, size, key } of parts)
    await trx('upload_parts')
      .insert({ upload_id: id, start, size, part_key: key })
      .onConflict(['upload_id', 'start'])
      .merge(['size', 'part_key']);
  return true;
}

/** Says how long an upload is, once; false if that is known already. */
export async function setUploadLength(trx: Queryable, id: number, length: number): Promise<boolean> {
  return (await trx('uploads').where('id', id).whereNull('length').update({ length })) > 0;
}

/** Ends the receiving of a complete upload; false if it is not complete or was ended before. */
export async function completeUpload(trx: Queryable, id: number): Promise<boolean> {
  const changed = await trx('uploads')
    .where({ id, state: 'receiving' })
    .whereRaw('received = length')
    .update({ state: 'processing' });
  return changed > 0;
}

/** What became of a complete upload; false if that is decided already, or the upload is gone. */
export async function settleUpload(
  trx: Queryable,
  id: number,
  outcome: { imageId: number } | { reason: string },
  expiresAt: number,
): Promise<boolean> {
  const changed = await trx('uploads')
    .where({ id, state: 'processing' })
    .update({
      ...('imageId' in outcome
        ? { state: 'done', image_id: outcome.imageId }
        : { state: 'failed', reason: outcome.reason }),
      expires_at: expiresAt,
    });
  return changed > 0;
}

/** Forgets the parts of an upload; their bytes have to be removed afterwards. */
export async function forgetParts(trx: Queryable, uploadId: number): Promise<void> {
  await trx('upload_parts').where('upload_id', uploadId).delete();
}

/** Deletes an upload with the record of its parts; false if it was already deleted. */
export async function deleteUpload(trx: Queryable, id: number): Promise<boolean> {
  await forgetParts(trx, id);
  return (await trx('uploads').where('id', id).delete()) > 0;
}

/**
 * Uploads whose address has expired at `at`, at most `limit`. One that is being processed has until `stuckSince`: its
 * bytes are complete.
 */
export async function endedUploads(
  db: Queryable,
  at: number,
  stuckSince: number,
  limit: number,
): Promise<number[]> {
  const rows: { id: number }[] = await db('uploads')
    .select('id')
    .where('expires_at', '<=', at)
    .andWhere((either) => either.whereNot('state', 'processing').orWhere('expires_at', '<=', stuckSince))
    .orderBy('expires_at')
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** The names among these that belong to no part of an upload. */
export async function unknownParts(db: Db, keys: readonly string[]): Promise<string[]> {
  const found = await query<{ part_key: string }>(
    db.read,
    `SELECT part_key FROM upload_parts WHERE ${db.dialect.inStrings('part_key')}`,
    [JSON.stringify(keys)],
  );
  const known = new Set(found.map((row) => row.part_key));
  return keys.filter((key) => !known.has(key));
}
