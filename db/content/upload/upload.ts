import { json, query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { forgetParts } from './upload-parts.js';

type UploadState = 'receiving' | 'processing' | 'done' | 'failed';

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
  /** The network of a guest, as a keyed hash; null for an upload of its owner. */
  readonly sentFrom: string | null;
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
  sent_from: string | null;
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
  sentFrom: row.sent_from,
  expiresAt: row.expires_at,
});

type NewUpload = Pick<
  Upload,
  | 'ownerId'
  | 'purpose'
  | 'fields'
  | 'metadata'
  | 'filename'
  | 'filetype'
  | 'length'
  | 'sentFrom'
  | 'expiresAt'
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
      sent_from: upload.sentFrom,
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
  outcome: { imageId: number } | Failure,
  expiresAt: number,
): Promise<boolean> {
  const changed = await trx('uploads')
    .where({ id, state: 'processing' })
    .update({
      ...('imageId' in outcome ? { state: 'done', image_id: outcome.imageId } : failed(outcome)),
      expires_at: expiresAt,
    });
  return changed > 0;
}

/** Why an upload failed, in words for people, and what is kept of that in place of its fields. */
interface Failure {
  readonly reason: string;
  readonly fields: unknown;
}

const failed = ({ reason, fields }: Failure) => ({
  state: 'failed',
  reason,
  fields: JSON.stringify(fields),
});

/** Ends an upload of which bytes are missing, as failed; false if it is complete, ended before or gone. */
export async function failUpload(
  trx: Queryable,
  id: number,
  failure: Failure,
  expiresAt: number,
): Promise<boolean> {
  const changed = await trx('uploads')
    .where({ id, state: 'receiving' })
    .update({ ...failed(failure), expires_at: expiresAt });
  return changed > 0;
}

/** Deletes an upload with the record of its parts; false if it was already deleted. */
export async function deleteUpload(trx: Queryable, id: number): Promise<boolean> {
  await forgetParts(trx, id);
  return (await trx('uploads').where('id', id).delete()) > 0;
}
