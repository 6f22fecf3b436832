import { DELETED_USERS } from '../../account/account.js';
import type { Db } from '../../engine/connect.js';
import { type Page, queryPage, type Window } from '../../engine/paging.js';
import { json, query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { lookupId } from '../content.js';
import { UNEXPIRED } from '../life.js';
import { forgetTold, type Notify } from '../told/told.js';

/** What guests see of what came in: nothing, everything, or what the owner let through. */
export const WALLS = ['none', 'all', 'approved'] as const;
export type Wall = (typeof WALLS)[number];

/** A link by which others upload to an account. */
export interface UploadRequest {
  readonly id: number;
  readonly uniqueId: string;
  readonly ownerId: number;
  /** The collection that receives the files; null for none. */
  readonly collectionId: number | null;
  readonly title: string;
  readonly note: string | null;
  /** How many files may come in altogether, and how many bytes; null for any number. */
  readonly maxFiles: number | null;
  readonly maxBytes: number | null;
  /** What is taken: `image/*`, `image/png`, `.pdf`; empty for everything. */
  readonly types: readonly string[];
  readonly expiresAt: number | null;
  readonly passwordHash: string | null;
  readonly askName: boolean;
  /** Whether its owner is told what came in. */
  readonly notify: Notify;
  readonly blind: boolean;
  readonly closed: boolean;
  /** To whom all that comes in is encrypted (`age1…`); null for a request that takes any file. */
  readonly recipient: string | null;
  readonly wall: Wall;
  /** What stands above the wall; null for nothing. */
  readonly message: string | null;
  /** When nothing more is taken, and the wall ends; null for never. */
  readonly endsAt: number | null;
  /** What has come in so far. */
  readonly files: number;
  readonly bytes: number;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

/** What its owner sets. */
export type RequestFields = Pick<
  UploadRequest,
  | 'collectionId'
  | 'title'
  | 'note'
  | 'maxFiles'
  | 'maxBytes'
  | 'types'
  | 'expiresAt'
  | 'passwordHash'
  | 'askName'
  | 'notify'
  | 'blind'
  | 'closed'
  | 'recipient'
  | 'wall'
  | 'message'
  | 'endsAt'
>;

interface RequestRow {
  id: number;
  unique_id: string;
  owner_id: number;
  collection_id: number | null;
  title: string;
  note: string | null;
  max_files: number | null;
  max_bytes: number | null;
  types: string | null;
  expires_at: number | null;
  password_hash: string | null;
  ask_name: boolean | number;
  telling: Notify;
  blind: boolean | number;
  closed: boolean | number;
  recipient: string | null;
  wall: Wall;
  message: string | null;
  ends_at: number | null;
  files: number;
  bytes: number;
  created_at: number;
  updated_at: number | null;
}

/** A row as a request. */
const requestFromRow = (row: RequestRow): UploadRequest => ({
  id: row.id,
  uniqueId: row.unique_id,
  ownerId: row.owner_id,
  collectionId: row.collection_id,
  title: row.title,
  note: row.note,
  maxFiles: row.max_files,
  maxBytes: row.max_bytes,
  types: row.types === null ? [] : json<string[]>(row.types),
  expiresAt: row.expires_at,
  passwordHash: row.password_hash,
  askName: Boolean(row.ask_name),
  notify: row.telling,
  blind: Boolean(row.blind),
  closed: Boolean(row.closed),
  recipient: row.recipient,
  wall: row.wall,
  message: row.message,
  endsAt: row.ends_at,
  files: row.files,
  bytes: row.bytes,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The columns of the given fields; knex leaves out undefined values. */
const columnsOf = (fields: Partial<RequestFields>) => ({
  collection_id: fields.collectionId,
  title: fields.title,
  note: fields.note,
  max_files: fields.maxFiles,
  max_bytes: fields.maxBytes,
  types:
    fields.types === undefined ? undefined : fields.types.length === 0 ? null : JSON.stringify(fields.types),
  expires_at: fields.expiresAt,
  password_hash: fields.passwordHash,
  ask_name: fields.askName,
  telling: fields.notify,
  // What earlier versions read.
  notify: fields.notify === undefined ? undefined : fields.notify !== 'none',
  blind: fields.blind,
  closed: fields.closed,
  recipient: fields.recipient,
  wall: fields.wall,
  message: fields.message,
  ends_at: fields.endsAt,
});

/** Inserts a request and returns it as stored; violates a unique index if the id is taken. */
export async function insertRequest(
  trx: Queryable,
  made: RequestFields & Pick<UploadRequest, 'uniqueId' | 'ownerId' | 'createdAt'>,
): Promise<UploadRequest> {
  const [row] = await trx('upload_requests')
    .insert({
      ...columnsOf(made),
      unique_id: made.uniqueId,
      lookup_id: lookupId(made.uniqueId),
      owner_id: made.ownerId,
      files: 0,
      bytes: 0,
      created_at: made.createdAt,
    })
    .returning('*');
  return requestFromRow(row);
}

/** The request with this id (lower case), or null; those of deleted accounts are not found. */
export async function requestByKey(db: Queryable, key: string): Promise<UploadRequest | null> {
  const [row] = await query<RequestRow>(
    db,
    `SELECT * FROM upload_requests WHERE lookup_id = ? AND owner_id NOT IN ${DELETED_USERS}`,
    [key],
  );
  return row === undefined ? null : requestFromRow(row);
}

/** The requests of an account, newest first. */
export const requestsOf = (db: Db, ownerId: number, window: Window): Promise<Page<UploadRequest>> =>
  queryPage(db, { from: 'upload_requests', where: [['owner_id = ?', ownerId]] }, window, requestFromRow);

/** How many requests an account has. */
export async function countRequests(trx: Queryable, ownerId: number): Promise<number> {
  const [row] = await query<{ total: number }>(
    trx,
    'SELECT count(*) AS total FROM upload_requests WHERE owner_id = ?',
    [ownerId],
  );
  return row?.total ?? 0;
}

/** Changes the given fields of a request and returns it; null if it is gone. */
export async function updateRequest(
  trx: Queryable,
  id: number,
  change: Partial<RequestFields>,
  at: number,
): Promise<UploadRequest | null> {
  const [row] = await trx('upload_requests')
    .where('id', id)
    .update({ ...columnsOf(change), updated_at: at })
    .returning('*');
  if (change.notify !== undefined) await forgetTold(trx, 'request', id);
  return row === undefined ? null : requestFromRow(row);
}

/** Ends that files of requests come into a collection. */
export async function detachCollection(trx: Queryable, collectionId: number): Promise<void> {
  await query(trx, 'UPDATE upload_requests SET collection_id = NULL WHERE collection_id = ?', [collectionId]);
}

/** Deletes a request; what came in by it stays. False if it was already deleted. */
export async function deleteRequest(trx: Queryable, id: number): Promise<boolean> {
  await forgetTold(trx, 'request', id);
  return (await trx('upload_requests').where('id', id).delete()) > 0;
}

/** Deletes some requests of an account, at most `limit`; false if it has none. */
export async function deleteRequestsOf(trx: Queryable, ownerId: number, limit: number): Promise<boolean> {
  const some = trx('upload_requests').select('id').where('owner_id', ownerId).orderBy('id').limit(limit);
  return (await trx('upload_requests').whereIn('id', some).delete()) > 0;
}

/**
 * Takes the room of one file of this size, as the request is at this moment; returns the request with it, or null if it
 * is closed, expired or has too little room. In the transaction that stores the file, so that the limits are exact.
 */
export async function takeQuota(
  trx: Queryable,
  id: number,
  size: number,
  at: number,
): Promise<UploadRequest | null> {
  const [row] = await query<RequestRow>(
    trx,
    `UPDATE upload_requests SET files = files + 1, bytes = bytes + ?
     WHERE id = ? AND NOT closed AND ${UNEXPIRED} AND (ends_at IS NULL OR ends_at > ?)
       AND (max_files IS NULL OR files < max_files) AND (max_bytes IS NULL OR bytes + ? <= max_bytes)
     RETURNING *`,
    [size, id, at, at, size],
  );
  return row === undefined ? null : requestFromRow(row);
}

/** Gives back the room of a file that its sender took back. */
export async function giveBackQuota(trx: Queryable, id: number, size: number): Promise<void> {
  await query(trx, 'UPDATE upload_requests SET files = files - 1, bytes = bytes - ? WHERE id = ?', [
    size,
    id,
  ]);
}
