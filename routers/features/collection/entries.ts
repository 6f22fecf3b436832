import { type Collection, updateCollection } from '../../../db/content/collection/collection.js';
import { idsAmong, itemIds } from '../../../db/content/collection/collection-item.js';
import { addItems, arrangeItems, removeItems } from '../../../db/content/collection/place-items.js';
import { lookupId } from '../../../db/content/content.js';
import { anyUnsealed, ownImageIds } from '../../../db/content/file/image.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import type { AccountContext } from '../../core/context.js';
import { refuseClear } from '../../core/items/seal.js';
import { requireAllowed } from '../../core/policies.js';
import type { ItemsInput } from './fields.js';
import { COLLECTION, type Form } from './forms.js';
import { type Changed, onHeld } from './held.js';
import type { Joined } from './joined.js';

/**
 * Makes these the files of a collection, in this order. A file keeps the place that it has unless the list
 * names another one. The files of a pack can be ordered and placed, but not exchanged; nor those of what is only ordered.
 */
export function putItems(
  ctx: AccountContext,
  named: Changed,
  items: ItemsInput,
  form: Form = COLLECTION,
): Promise<Joined> {
  return onHeld(ctx, named, form, 'edit', async (trx, held) => {
    const { db } = ctx.app;
    const wanted = await ownItems(ctx, trx, held, items, form);
    const before = await itemIds(trx, held.id);
    const kept = new Set(wanted.map(({ imageId }) => imageId));
    const isSame = before.length === kept.size && before.every((id) => kept.has(id));
    if (form.exchange !== null && !isSame) fail('INVALID', form.exchange);
    if (held.face === 'pack' && !isSame)
      fail('INVALID', 'The files of a pack can be ordered and deleted, but not exchanged');
    const dropped = before.filter((id) => !kept.has(id));
    await removeItems(db, trx, held.id, dropped);
    const known = new Set(before);
    const added = wanted.filter(({ imageId }) => !known.has(imageId));
    await addItems(db, trx, held.id, added);
    await arrangeItems(db, trx, held.id, wanted);
    return touched(trx, held);
  });
}

/** Appends files of the caller to a collection, all or none. */
export function addToCollection(ctx: AccountContext, named: Changed, items: ItemsInput): Promise<Joined> {
  return onHeld(ctx, named, COLLECTION, 'add', async (trx, held) => {
    if (held.face === 'pack') fail('INVALID', 'A pack keeps the files with which it was made');
    await append(ctx, trx, held, items, COLLECTION);
    return touched(trx, held);
  });
}

/**
 * Takes a file out of a collection, which those may who edit it, and whoever added it; the file stays, but that of a pack
 * is deleted with its address.
 */
export function takeFromCollection(
  ctx: AccountContext,
  named: Changed,
  fileId: string,
  form: Form = COLLECTION,
): Promise<Joined> {
  return onHeld(ctx, named, form, 'add', async (trx, held) => {
    if (held.face === 'pack') fail('INVALID', 'Delete the file itself: it belongs to its pack');
    const { db } = ctx.app;
    const key = lookupId(fileId);
    const [own = null] = await ownImageIds(db, trx, ctx.account.id, [key]);
    if (own === null) requireAllowed(ctx.account, 'edit', 'collection', held);
    const id = own ?? (await idsAmong(db, trx, held.id, [key])).get(key) ?? null;
    if (id === null || (await removeItems(db, trx, held.id, [id])) === 0) fail('NOT_FOUND');
    return touched(trx, held);
  });
}

/** Notes the change; a cover that is no longer in the collection is cleared, but one in the trash comes back as the cover. */
async function touched(trx: Queryable, held: Joined): Promise<Joined> {
  const { coverImageId } = held;
  const lost = coverImageId !== null && !(await itemIds(trx, held.id, true)).includes(coverImageId);
  const change = { updatedAt: Date.now(), ...(lost ? { coverImageId: null } : {}) };
  return { ...held, ...(await updateCollection(trx, held.id, change)) };
}

/** Appends files to a locked collection; refuses those that it has, and more than it can have. */
export async function append(
  ctx: AccountContext,
  trx: Queryable,
  held: Collection,
  items: ItemsInput,
  form: Form,
): Promise<void> {
  if (items.length === 0) return;
  const wanted = await ownItems(ctx, trx, held, items, form);
  const known = new Set(await itemIds(trx, held.id));
  const twice = wanted.findIndex(({ imageId }) => known.has(imageId));
  if (twice >= 0) fail('INVALID', form.twice(items[twice]?.uniqueId ?? ''));
  if (known.size + wanted.length > form.maxFiles) fail('INVALID', form.full(form.maxFiles));
  await addItems(ctx.app.db, trx, held.id, wanted);
}

/**
 * The files by their row ids; refuses those that neither the caller owns nor are in the collection, and whatever is not
 * sealed if the collection is.
 */
async function ownItems(
  ctx: AccountContext,
  trx: Queryable,
  held: Collection,
  items: ItemsInput,
  form: Form,
) {
  const keys = items.map(({ uniqueId }) => lookupId(uniqueId));
  const ids = await ownImageIds(ctx.app.db, trx, ctx.account.id, keys);
  const present = ids.includes(null) ? await idsAmong(ctx.app.db, trx, held.id, keys) : null;
  const wanted = items.map(({ uniqueId, path }, index) => ({
    imageId: ids[index] ?? present?.get(lookupId(uniqueId)) ?? fail('INVALID', form.missing(uniqueId)),
    ...(path === undefined ? {} : { path }),
  }));
  if (held.seal === null) return wanted;
  for (const { path } of wanted) refuseClear(held.seal, { path });
  const named = wanted.map(({ imageId }) => imageId);
  if (await anyUnsealed(ctx.app.db, trx, named))
    fail('INVALID', 'A sealed collection takes sealed files only');
  return wanted;
}
