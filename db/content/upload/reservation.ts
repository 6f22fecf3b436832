import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

/**
 * What an address was reserved for: an image; a file of a pack, for its account or, by the key of a portal, for whoever
 * registers it first.
 */
type Purpose = 'image' | 'file' | 'portalFile';

/** An address reserved for the upload of one file. */
export interface Reservation {
  readonly id: number;
  readonly uniqueId: string;
  /** The name of the object that a presigned upload creates. */
  readonly objectKey: string;
  /** Null once the account is deleted. */
  readonly ownerId: number | null;
  readonly contentType: string;
  readonly size: number;
  readonly filename: string | null;
  /** The bytes that arrived through Holdall; null until then, and on stores that receive uploads directly. */
  readonly sha256: string | null;
  /** The network that sent them, as a keyed hash; null like those. */
  readonly sentFrom: string | null;
  readonly createdAt: number;
  /** Epoch milliseconds from which the address accepts no upload. */
  readonly expiresAt: number;
  readonly purpose: Purpose;
  /** The sealed name of what is sealed, "" without one; null for other files. */
  readonly seal: string | null;
}

interface Row {
  id: number;
  unique_id: string;
  object_key: string;
  owner_id: number | null;
  content_type: string;
  size: number;
  filename: string | null;
  sha256: string | null;
  sent_from: string | null;
  created_at: number;
  expires_at: number;
  purpose: Purpose;
  seal: string | null;
}

const fromRow = (row: Row): Reservation => ({
  id: row.id,
  uniqueId: row.unique_id,
  objectKey: row.object_key,
  ownerId: row.owner_id,
  contentType: row.content_type,
  size: row.size,
  filename: row.filename,
  sha256: row.sha256,
  sentFrom: row.sent_from,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  purpose: row.purpose,
  seal: row.seal,
});

/** A reservation before any byte has arrived. */
export type NewReservation = Omit<Reservation, 'id' | 'sha256' | 'sentFrom' | 'seal'> &
  Partial<Pick<Reservation, 'seal'>>;

/** Inserts a reservation; violates a unique index if the id is taken. */
export async function insertReservation(trx: Queryable, reservation: NewReservation): Promise<void> {
  await trx('reservations').insert({
    unique_id: reservation.uniqueId,
    object_key: reservation.objectKey,
    owner_id: reservation.ownerId,
    content_type: reservation.contentType,
    size: reservation.size,
    filename: reservation.filename,
    created_at: reservation.createdAt,
    expires_at: reservation.expiresAt,
    purpose: reservation.purpose,
    seal: reservation.seal ?? null,
  });
}

/** The reservation with this id (as it was generated), or null. */
export async function reservationById(db: Queryable, uniqueId: string): Promise<Reservation | null> {
  const row: Row | undefined = await db('reservations').where('unique_id', uniqueId).first();
  return row === undefined ? null : fromRow(row);
}

/** The reservations with these ids (as they were generated), by id; unknown ones are missing. */
export async function reservationsById(
  db: Db,
  uniqueIds: readonly string[],
): Promise<ReadonlyMap<string, Reservation>> {
  const found = await query<Row>(
    db.read,
    `SELECT * FROM reservations WHERE ${db.dialect.inStrings('unique_id')}`,
    [JSON.stringify(uniqueIds)],
  );
  return new Map(found.map((row) => [row.unique_id, fromRow(row)]));
}

/** The reservation with this object key, or null. */
export async function reservationByKey(db: Queryable, objectKey: string): Promise<Reservation | null> {
  const row: Row | undefined = await db('reservations').where('object_key', objectKey).first();
  return row === undefined ? null : fromRow(row);
}

/** Moves the end of a reservation that has not expired at `at`, for a file that is still arriving. */
export async function extendReservation(
  trx: Queryable,
  id: number,
  at: number,
  expiresAt: number,
): Promise<void> {
  await trx('reservations')
    .where('id', id)
    .andWhere('expires_at', '>', at)
    .andWhere('expires_at', '<', expiresAt)
    .update({ expires_at: expiresAt });
}

/** Lets the reservations of an account end at `at` that would end later. */
export async function endReservations(
  trx: Queryable,
  ownerId: number,
  at: number,
  purposes: readonly Purpose[],
): Promise<void> {
  await trx('reservations')
    .where('owner_id', ownerId)
    .andWhere('expires_at', '>', at)
    .whereIn('purpose', purposes)
    .update({ expires_at: at });
}

/** How many reservations of an account expire after `at`, their sizes together, and when the first of them does. */
export async function openReservations(
  trx: Queryable,
  ownerId: number,
  at: number,
  purposes: readonly Purpose[] = ['image'],
): Promise<{ readonly total: number; readonly bytes: number; readonly firstEnd: number }> {
  const [row] = await query<{ total: number; bytes: number; first_end: number | null }>(
    trx,
    `SELECT count(*) AS total, coalesce(sum(size), 0) AS bytes, min(expires_at) AS first_end FROM reservations
     WHERE owner_id = ? AND expires_at > ? AND purpose IN (${purposes.map(() => '?').join()})`,
    [ownerId, at, ...purposes],
  );
  return { total: row?.total ?? 0, bytes: Number(row?.bytes ?? 0), firstEnd: row?.first_end ?? at };
}

/** What arrived for a reservation, and from where; its size and its new end where these were not known before. */
interface Filling {
  readonly sha256: string;
  readonly sentFrom?: string;
  readonly size?: number;
  readonly expiresAt?: number;
}

/** Records the bytes that arrived for a reservation; false if it already has bytes or has expired. */
export async function fillReservation(
  trx: Queryable,
  id: number,
  { sha256, sentFrom, size, expiresAt }: Filling,
  at: number,
): Promise<boolean> {
  const filled = await trx('reservations')
    .where('id', id)
    .whereNull('sha256')
    .andWhere('expires_at', '>', at)
    .update({ sha256, sent_from: sentFrom, size, expires_at: expiresAt });
  return filled > 0;
}

/** Deletes a reservation and returns it; null if it was already deleted. */
export async function takeReservation(trx: Queryable, id: number): Promise<Reservation | null> {
  const [row] = await query<Row>(trx, 'DELETE FROM reservations WHERE id = ? RETURNING *', [id]);
  return row === undefined ? null : fromRow(row);
}

/** Reservations that expired before `at`, at most `limit`. */
export async function endedReservations(db: Queryable, at: number, limit: number): Promise<Reservation[]> {
  const found: Row[] = await db('reservations')
    .where('expires_at', '<', at)
    .orderBy('expires_at')
    .limit(limit);
  return found.map(fromRow);
}

/** Deletes those of these reservations that still expired before `at`, and returns them. Several may do this at once. */
export async function takeEnded(
  db: Db,
  trx: Queryable,
  candidates: readonly Pick<Reservation, 'id'>[],
  at: number,
): Promise<Reservation[]> {
  const taken = await query<Row>(
    trx,
    `DELETE FROM reservations WHERE id IN (SELECT id FROM reservations
       WHERE ${db.dialect.inNumbers('id')} AND expires_at < ? ORDER BY id ${db.dialect.skipLocked}) RETURNING *`,
    [JSON.stringify(candidates.map(({ id }) => id)), at],
  );
  return taken.map(fromRow);
}

/** The objects among these that no reservation references. */
export async function unreservedKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const found = await query<{ object_key: string }>(
    db.read,
    `SELECT object_key FROM reservations WHERE ${db.dialect.inStrings('object_key')}`,
    [JSON.stringify(keys)],
  );
  const reserved = new Set(found.map((row) => row.object_key));
  return keys.filter((key) => !reserved.has(key));
}
