import type { z } from 'zod';
import {
  type Collection,
  type CollectionChange,
  insertCollection,
  lockCollection,
  updateCollection,
} from '../../../db/content/collection.js';
import {
  addItems,
  arrangeItems,
  itemIds,
  removeItem,
  removeItems,
} from '../../../db/content/collection-item.js';
import { lookupId } from '../../../db/content/content.js';
import { setTags } from '../../../db/content/content-edit.js';
import { ownImageIds } from '../../../db/content/image.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { requireOwner } from '../../core/access.js';
import type { AccountContext } from '../../core/context.js';
import { insertUnderId } from '../../core/items/ids.js';
import { discardCollection } from './discard.js';
import {
  type changeInput,
  columnsOf,
  type createInput,
  type ItemsInput,
  MAX_FILES,
  type removalInput,
} from './fields.js';
import { ownCollection } from './links.js';

/** Creates a collection of the caller, optionally with files. */
export async function createCollection(
  ctx: AccountContext,
  input: z.output<typeof createInput>,
): Promise<Collection> {
  const { app, account } = ctx;
  await app.limits.rates.take('create', String(account.id));
  const columns = await columnsOf(app, account.id, input);
  return insertUnderId(app.db, input.uniqueId, (uniqueId) =>
    app.db.write(async (trx) => {
      const made = await insertCollection(trx, {
        uniqueId,
        ownerId: account.id,
        face: 'collection',
        title: input.title,
        description: input.description || null,
        createdAt: Date.now(),
        ...forNew(columns),
      });
      await append(ctx, trx, made, input.items ?? []);
      await tagged(trx, made, input.tags);
      return setCover(ctx, trx, made, input.cover);
    }),
  );
}

/** The columns that a new row takes; its title and description are given apart. */
const forNew = ({ isPublic, passwordHash, expiresAt, maxViews }: CollectionChange) => ({
  ...(isPublic === undefined ? {} : { isPublic }),
  ...(passwordHash === undefined ? {} : { passwordHash }),
  ...(expiresAt === undefined ? {} : { expiresAt }),
  ...(maxViews === undefined ? {} : { maxViews }),
});

/** Changes the given fields of a collection of the caller. */
export async function changeCollection(
  ctx: AccountContext,
  { uniqueId, ...input }: z.output<typeof changeInput>,
): Promise<Collection> {
  const columns = await columnsOf(ctx.app, ctx.account.id, input);
  return onOwn(ctx, uniqueId, async (trx, held) => {
    const change = { ...columns, updatedAt: Date.now() };
    await updateCollection(trx, held.id, change);
    await tagged(trx, held, input.tags);
    return setCover(ctx, trx, { ...held, ...change }, input.cover);
  });
}

/**
 * Makes these the files of a collection of the caller, in this order. A file keeps the place that it has unless the list
 * names another one. The files of a pack can be ordered and placed, but not exchanged.
 */
export function putItems(ctx: AccountContext, uniqueId: string, items: ItemsInput): Promise<Collection> {
  return onOwn(ctx, uniqueId, async (trx, held) => {
    const wanted = await ownItems(ctx, trx, items);
    const before = await itemIds(trx, held.id);
    const kept = new Set(wanted.map(({ imageId }) => imageId));
    if (held.face === 'pack' && (before.length !== kept.size || before.some((id) => !kept.has(id))))
      fail('INVALID', 'The files of a pack can be ordered and deleted, but not exchanged');
    await removeItems(
      ctx.app.db,
      trx,
      held.id,
      before.filter((id) => !kept.has(id)),
    );
    const known = new Set(before);
    await addItems(
      ctx.app.db,
      trx,
      held.id,
      wanted.filter(({ imageId }) => !known.has(imageId)),
    );
    await arrangeItems(ctx.app.db, trx, held.id, wanted);
    return touched(trx, held);
  });
}

/** Appends files to a collection of the caller, all or none. */
export function addToCollection(
  ctx: AccountContext,
  uniqueId: string,
  items: ItemsInput,
): Promise<Collection> {
  return onOwn(ctx, uniqueId, async (trx, held) => {
    if (held.face === 'pack') fail('INVALID', 'A pack keeps the files with which it was made');
    await append(ctx, trx, held, items);
    return touched(trx, held);
  });
}

/** Takes a file out of a collection of the caller; the file stays, but that of a pack is deleted with its address. */
export function takeFromCollection(
  ctx: AccountContext,
  uniqueId: string,
  fileId: string,
): Promise<Collection> {
  return onOwn(ctx, uniqueId, async (trx, held) => {
    if (held.face === 'pack') fail('INVALID', 'Delete the file itself: it belongs to its pack');
    const [id = null] = await ownImageIds(ctx.app.db, trx, held.ownerId, [lookupId(fileId)]);
    if (id === null || !(await removeItem(trx, held.id, id))) fail('NOT_FOUND');
    return touched(trx, held);
  });
}

/** Deletes a collection of the caller; its files stay, except for those of a pack. */
export async function removeCollection(
  ctx: AccountContext,
  { uniqueId, permanent }: z.output<typeof removalInput>,
): Promise<Collection> {
  const collection = await ownCollection(ctx, uniqueId);
  await discardCollection(ctx.app, collection, { by: ctx.account, permanent });
  return collection;
}

/** Gives a collection exactly these tags; without any in the request it keeps those that it has. */
async function tagged(
  trx: Queryable,
  { id, ownerId }: Collection,
  tags: readonly string[] | undefined,
): Promise<void> {
  if (tags !== undefined) await setTags(trx, 'collection', { id, owner_id: ownerId }, tags);
}

/** Notes the change; a cover that is no longer in the collection is cleared, but one in the trash comes back as the cover. */
async function touched(trx: Queryable, held: Collection): Promise<Collection> {
  const { coverImageId } = held;
  const lost = coverImageId !== null && !(await itemIds(trx, held.id, true)).includes(coverImageId);
  const change = { updatedAt: Date.now(), ...(lost ? { coverImageId: null } : {}) };
  await updateCollection(trx, held.id, change);
  return { ...held, ...change };
}

async function append(
  ctx: AccountContext,
  trx: Queryable,
  held: Collection,
  items: ItemsInput,
): Promise<void> {
  if (items.length === 0) return;
  const wanted = await ownItems(ctx, trx, items);
  const known = new Set(await itemIds(trx, held.id));
  const twice = wanted.findIndex(({ imageId }) => known.has(imageId));
  if (twice >= 0)
    fail(
      'INVALID',
      localizable('The file {id} is already in the collection', { id: items[twice]?.uniqueId ?? '' }),
    );
  if (known.size + wanted.length > MAX_FILES)
    fail('INVALID', localizable('A collection can have at most {max} files', { max: MAX_FILES }));
  await addItems(ctx.app.db, trx, held.id, wanted);
}

/** The files by their row ids; refuses those that the caller does not own. */
async function ownItems(ctx: AccountContext, trx: Queryable, items: ItemsInput) {
  const keys = items.map(({ uniqueId }) => lookupId(uniqueId));
  const ids = await ownImageIds(ctx.app.db, trx, ctx.account.id, keys);
  return items.map(({ uniqueId, path }, index) => ({
    imageId: ids[index] ?? fail('INVALID', localizable('You have no file {id}', { id: uniqueId })),
    ...(path === undefined ? {} : { path }),
  }));
}

async function setCover(
  ctx: AccountContext,
  trx: Queryable,
  held: Collection,
  cover: string | null | undefined,
): Promise<Collection> {
  if (cover === undefined) return held;
  if (cover === null || cover === '') {
    await updateCollection(trx, held.id, { coverImageId: null });
    return { ...held, coverImageId: null };
  }
  const [id = null] = await ownImageIds(ctx.app.db, trx, ctx.account.id, [lookupId(cover)]);
  if (id === null || !(await itemIds(trx, held.id)).includes(id))
    fail('INVALID', 'The cover must be a file of the collection');
  await updateCollection(trx, held.id, { coverImageId: id });
  return { ...held, coverImageId: id };
}

/** Changes a collection of the caller, which is locked meanwhile; 404 if there is none, 401 if it is not the caller's. */
async function onOwn(
  ctx: AccountContext,
  uniqueId: string,
  work: (trx: Queryable, held: Collection) => Promise<Collection>,
): Promise<Collection> {
  return ctx.app.db.write(async (trx) => {
    const held = found(await lockCollection(ctx.app.db, trx, lookupId(uniqueId)));
    requireOwner(ctx, held);
    return work(trx, held);
  });
}
