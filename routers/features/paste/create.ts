import { insertPastes, type NewPaste, type Paste } from '../../../db/content/paste.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { Services } from '../../core/context.js';
import { hashOfText, requireUnblockedHashes } from '../../core/entry/entry.js';
import type { Creation } from '../../core/items/creations.js';
import { spendTogether } from '../../core/quotas/spend.js';
import { emit } from '../../core/webhook/emit.js';
import { pasteItem } from '../../core/webhook/events.js';

/** Stores new pastes in one transaction and counts them against the limits of their accounts. */
export async function storePastes(
  app: Services,
  trx: Queryable,
  group: readonly Creation<NewPaste>[],
): Promise<Paste[]> {
  const inserted = await insertPastes(
    trx,
    group.map(({ item, tags }) => ({ ...item, tags })),
  );
  await requireUnblockedHashes(
    trx,
    inserted.map(({ content }) => hashOfText(content)),
  );
  await spendTogether(
    trx,
    'PASTE',
    inserted.map(({ ownerId, size }) => ({ ownerId, bytes: size })),
  );
  for (const [index, paste] of inserted.entries())
    if (group[index]?.watched) await emit(app, trx, paste.ownerId, 'paste.created', pasteItem(app, paste));
  return inserted;
}
