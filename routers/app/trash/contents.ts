import { z } from 'zod';
import { itemsOfTrashedPack } from '../../../db/content/collection/collection-trash.js';
import { lookupId } from '../../../db/content/content.js';
import { trashedId } from '../../../db/content/trash.js';
import { found } from '../../base/errors.js';
import { OWNED_KINDS } from '../../base/kinds.js';
import type { AccountContext } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { requireReadingOfKind } from '../../core/scopes.js';
import { ITEM_ACTIONS } from '../items.js';

/** Something in the trash, by its kind and id. */
export const trashItemInput = z.object({ kind: z.enum(OWNED_KINDS), uniqueId: uniqueIdInput });

/** The contents of something in the trash: files by their hash, and the text of a paste. */
export const trashedContents = z.object({
  files: z.array(z.object({ name: z.string(), sha256: z.string() })),
  text: z.string().nullable(),
});

/** What is in something in the trash of the caller, for the export of the account. */
export async function contentsOfTrashed(
  ctx: AccountContext,
  { kind, uniqueId }: z.output<typeof trashItemInput>,
): Promise<z.output<typeof trashedContents>> {
  const { db } = ctx.app;
  requireReadingOfKind(ctx.account, kind);
  const id = found(await trashedId(db.read, ctx.account.id, kind, lookupId(uniqueId)));
  if (kind === 'collection') return { files: await itemsOfTrashedPack(db.read, id), text: null };
  return ITEM_ACTIONS[kind].contents(ctx, id);
}
