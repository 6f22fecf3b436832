import { type Image, insertImages } from '../../../db/content/image.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { retain } from '../../core/blobs/blobs.js';
import type { Services } from '../../core/context.js';
import { requireUnblockedHashes } from '../../core/entry/entry.js';
import type { FileCreation } from '../../core/items/creations.js';
import { spendTogether } from '../../core/quotas/spend.js';
import { emit } from '../../core/webhook/emit.js';
import { imageItem } from '../../core/webhook/events.js';
import { followUp } from './prepare.js';

/** Stores new files in one transaction and counts them against the limits of their accounts. */
export async function storeImages(
  app: Services,
  trx: Queryable,
  group: readonly FileCreation[],
): Promise<Image[]> {
  await retain(
    trx,
    group.map(({ committed }) => committed),
  );
  await requireUnblockedHashes(
    trx,
    group.flatMap(({ hashes }) => hashes),
  );
  const inserted = await insertImages(
    trx,
    group.map(({ item, tags }) => ({ ...item, tags })),
  );
  for (const [index, image] of inserted.entries()) {
    const { watched = false, posterLate = false } = group[index] ?? {};
    await followUp(app, trx, image, posterLate);
    if (watched) await emit(app, trx, image.ownerId, 'image.created', imageItem(app, image));
  }
  await spendTogether(
    trx,
    'IMAGE',
    group.map(({ item, committed: { blobs } }) => ({
      ownerId: item.ownerId,
      bytes: blobs[0]?.size ?? 0,
    })),
  );
  return inserted;
}
