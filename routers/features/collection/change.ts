import type { Collection, CollectionChange } from '../../../db/content/collection/collection.js';
import type { AccountContext } from '../../core/context.js';
import { changedSeal, refuseClear, refuseSaid } from '../../core/items/seal.js';
import { changeColumns, setCover, tagged } from './columns.js';
import type { Filling } from './create.js';
import { discardCollection } from './discard.js';
import { columnsOf, type FieldsInput } from './fields.js';
import { COLLECTION, type Form } from './forms.js';
import { type Changed, onHeld, ownCollection } from './held.js';
import type { Joined } from './joined.js';

/** What editors change; how it is opened, and the mark, are its owner's. */
const EDITED: ReadonlySet<string> = new Set(['title', 'description'] satisfies (keyof CollectionChange)[]);

/** Changes the given fields of a collection. */
export async function changeCollection(
  ctx: AccountContext,
  {
    uniqueId,
    ifMatch,
    sealedName,
    ...input
  }: FieldsInput &
    Omit<Filling, 'items' | 'seal'> &
    Changed & { readonly sealedName?: string | null | undefined },
  form: Form = COLLECTION,
): Promise<Joined> {
  const columns = await columnsOf(ctx.app, ctx.account.id, input);
  const action = Object.keys(columns).every((name) => EDITED.has(name)) ? 'edit' : 'change';
  return onHeld(ctx, { uniqueId, ifMatch }, form, action, async (trx, held) => {
    refuseSaid(held.seal, input);
    refuseClear(held.seal, { description: input.description });
    const seal = changedSeal(held.seal, sealedName);
    const changed = await changeColumns(trx, held, seal === undefined ? columns : { ...columns, seal });
    await tagged(trx, held, input.tags);
    return setCover(ctx, trx, changed, input.cover, form);
  });
}

/** Deletes a collection of the caller; its files stay, except for those of a pack. */
export async function removeCollection(
  ctx: AccountContext,
  uniqueId: string,
  permanent: boolean | null | undefined,
  form: Form = COLLECTION,
): Promise<Collection> {
  const collection = await ownCollection(ctx, uniqueId, form);
  await discardCollection(ctx.app, collection, { by: ctx.account, permanent });
  return collection;
}
