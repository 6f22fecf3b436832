import { json, query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

/** What a preset adds to targets, as `utm_source` and so on. */
export type UtmFields = Readonly<
  Partial<Record<'source' | 'medium' | 'campaign' | 'term' | 'content', string>>
>;

/** Fields that an account adds to the targets of new links under a name. */
export interface UtmPreset {
  readonly name: string;
  readonly fields: UtmFields;
}

/** The presets of an account, or the one of a name, in the order of their names. */
export async function utmPresets(
  db: Queryable,
  userId: number,
  name: string | null = null,
): Promise<UtmPreset[]> {
  const found = await query<{ name: string; fields: string }>(
    db,
    `SELECT name, fields FROM utm_presets WHERE user_id = ?${name === null ? '' : ' AND name = ?'} ORDER BY name`,
    name === null ? [userId] : [userId, name],
  );
  return found.map((row) => ({ name: row.name, fields: json<UtmFields>(row.fields) }));
}

/** Stores a preset, in place of one of this name. */
export async function putUtmPreset(
  trx: Queryable,
  userId: number,
  { name, fields }: UtmPreset,
): Promise<void> {
  await query(
    trx,
    `INSERT INTO utm_presets (user_id, name, fields) VALUES (?, ?, ?)
     ON CONFLICT (user_id, name) DO UPDATE SET fields = excluded.fields`,
    [userId, name, JSON.stringify(fields)],
  );
}

/** Deletes a preset; whether there was one. */
export const deleteUtmPreset = async (trx: Queryable, userId: number, name: string): Promise<boolean> =>
  (await trx('utm_presets').where({ user_id: userId, name }).delete()) > 0;
