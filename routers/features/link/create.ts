import { insertLinks, type Link, type NewLink } from '../../../db/content/link.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { Services } from '../../core/context.js';
import type { Creation } from '../../core/items/creations.js';
import { spendTogether } from '../../core/quotas/spend.js';
import { emit } from '../../core/webhook/emit.js';
import { linkItem } from '../../core/webhook/events.js';

/** Stores new links in one transaction and counts them against the limits of their accounts. */
export async function storeLinks(
  app: Services,
  trx: Queryable,
  group: readonly Creation<NewLink>[],
): Promise<Link[]> {
  const inserted = await insertLinks(
    trx,
    group.map(({ item, tags }) => ({ ...item, tags })),
  );
  await spendTogether(
    trx,
    'URL',
    inserted.map(({ ownerId }) => ({ ownerId, bytes: 0 })),
  );
  for (const [index, link] of inserted.entries())
    if (group[index]?.watched) await emit(app, trx, link.ownerId, 'url.created', linkItem(app, link));
  return inserted;
}
