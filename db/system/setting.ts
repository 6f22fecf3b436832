import type { Queryable } from '../engine/queryable.js';

/** A setting that administrators made; a secret is encrypted. */
export interface StoredSetting {
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
}

/** Every setting that is stored, by name. */
export async function storedSettings(db: Queryable): Promise<StoredSetting[]> {
  const rows = await db('settings').select('name', 'value', 'secret').orderBy('name');
  return rows.map((row) => ({ ...row, secret: Boolean(row.secret) }));
}

/** Stores these and removes those. */
export async function changeSettings(
  trx: Queryable,
  put: readonly StoredSetting[],
  remove: readonly string[],
): Promise<void> {
  if (remove.length > 0)
    await trx('settings')
      .whereIn('name', [...remove])
      .delete();
  if (put.length > 0)
    await trx('settings')
      .insert([...put])
      .onConflict('name')
      .merge();
}
