import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

/** A stretch of the bytes of an upload, as its store keeps it. */
interface StoredPart {
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

/** Forgets the parts of an upload; their bytes have to be removed afterwards. */
export async function forgetParts(trx: Queryable, uploadId: number): Promise<void> {
  await trx('upload_parts').where('upload_id', uploadId).delete();
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
