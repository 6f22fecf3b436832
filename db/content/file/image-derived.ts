import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import type { Image } from './image.js';

/** The placeholder of another image with the same bytes, or null. */
export async function knownThumbhash(db: Queryable, sha256: string): Promise<string | null> {
  const [row] = await query<{ thumbhash: string }>(
    db,
    'SELECT thumbhash FROM images WHERE sha256 = ? AND thumbhash IS NOT NULL LIMIT 1',
    [sha256],
  );
  return row?.thumbhash ?? null;
}

/** Sets the placeholder of an image, unless its bytes have been replaced. */
export async function setThumbhash(
  trx: Queryable,
  { id, sha256 }: Pick<Image, 'id' | 'sha256'>,
  thumbhash: string,
): Promise<void> {
  await query(trx, 'UPDATE images SET thumbhash = ? WHERE id = ? AND sha256 = ?', [thumbhash, id, sha256]);
}

/** Sets the poster of a video that has none; false if it has one by now, has other bytes or is gone. */
export async function setPoster(
  trx: Queryable,
  { id, sha256 }: Pick<Image, 'id' | 'sha256'>,
  posterSha256: string,
): Promise<boolean> {
  const set = await trx('images')
    .where({ id, sha256 })
    .whereNull('poster_sha256')
    .update({ poster_sha256: posterSha256 });
  return set > 0;
}

/** Records in which store the bytes of these images are. */
export async function setLocation(
  trx: Queryable,
  sha256: string,
  location: Image['location'],
): Promise<void> {
  await trx('images').where({ sha256 }).whereNot({ location }).update({ location });
}
