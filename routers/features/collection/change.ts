import {
  type Collection,
  type CollectionChange,
  collectionByKey,
  insertCollection,
  lockCollection,
  updateCollection,
} from '../../../db/content/collection/collection.js';
import {
  addItems,
  arrangeItems,
  itemIds,
  removeItems,
} from '../../../db/content/collection/collection-item.js';
import { lookupId } from '../../../db/content/content.js';
import { setTags } from '../../../db/content/content-edit.js';
import { anyUnsealed, ownImageIds } from '../../../db/content/file/image.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import type { AccountContext } from '../../core/context.js';
import { insertUnderId } from '../../core/items/ids.js';
import { changedSeal, refuseClear } from '../../core/items/seal.js';
import { requireAllowed } from '../../core/policies.js';
import { discardCollection } from './discard.js';
import { columnsOf, type FieldsInput, type ItemsInput } from './fields.js';
import { COLLECTION, type Form, inForm } from './forms.js';

/** Creates a collection of the caller, optionally with files. */
export async function createCollection(
  ctx: AccountContext,
  input: FieldsInput & Filling & { readonly uniqueId: string | null },
  form: Form = COLLECTION,
): Promise<Collection> {
  const { app, account } = ctx;
  await app.limits.rates.take('create', String(account.id));
  const columns = await columnsOf(app, account.id, input);
  return insertUnderId(app.db, input.uniqueId, (uniqueId) =>
    app.db.write((trx) => insertFilled(ctx, trx, uniqueId, columns, input, form)),
  );
}

/** What a new collection begins with, beside its columns. */
interface Filling {
  readonly items?: ItemsInput | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly cover?: string | null | undefined;
  readonly seal?: string | null;
}

/** Inserts a collection of the caller with its files; one without a title is called by its id. */
export async function insertFilled(
  ctx: AccountContext,
  trx: Queryable,
  uniqueId: string,
  { title, ...columns }: CollectionChange,
  { items, tags, cover, seal = null }: Filling,
  form: Form,
): Promise<Collection> {
  const made = await insertCollection(trx, {
    ...{ description: null, ...columns, title: title || uniqueId },
    ...{ uniqueId, ownerId: ctx.account.id, face: form.face, createdAt: Date.now(), seal },
  });
  await append(ctx, trx, made, items ?? [], form);
  await tagged(trx, made, tags);
  return setCover(ctx, trx, made, cover, form);
}

/** Changes the given fields of a collection of the caller. */
export async function changeCollection(
  ctx: AccountContext,
  {
    uniqueId,
    sealedName,
    ...input
  }: FieldsInput &
    Omit<Filling, 'items' | 'seal'> & {
      readonly uniqueId: string;
      readonly sealedName?: string | null | undefined;
    },
  form: Form = COLLECTION,
): Promise<Collection> {
  const columns = await columnsOf(ctx.app, ctx.account.id, input);
  return onOwn(ctx, uniqueId, form, async (trx, held) => {
    refuseClear(held.seal, { title: input.title, description: input.description, tags: input.tags });
    const seal = changedSeal(held.seal, sealedName);
    const changed = await changeColumns(trx, held, seal === undefined ? columns : { ...columns, seal });
    await tagged(trx, held, input.tags);
    return setCover(ctx, trx, changed, input.cover, form);
  });
}

/** Changes columns of a locked collection and notes the moment; without a title it is called by its id. */
export async function changeColumns(
  trx: Queryable,
  held: Collection,
  { title, ...columns }: CollectionChange,
): Promise<Collection> {
  const words = title === undefined ? {} : { title: title || held.uniqueId };
  const change = { ...columns, ...words, updatedAt: Date.now() };
  await updateCollection(trx, held.id, change);
  return { ...held, ...change };
}

/**
 * Makes these the files of a collection of the caller, in this order. A file keeps the place that it has unless the list
 * names another one. The files of a pack can be ordered and placed, but not exchanged; nor those of what is only ordered.
 */
export function putItems(
  ctx: AccountContext,
  uniqueId: string,
  items: ItemsInput,
  form: Form = COLLECTION,
): Promise<Collection> {
  return onOwn(ctx, uniqueId, form, async (trx, held) => {
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

/** Appends files to a collection of the caller, all or none. */
export function addToCollection(
  ctx: AccountContext,
  uniqueId: string,
  items: ItemsInput,
): Promise<Collection> {
  return onOwn(ctx, uniqueId, COLLECTION, async (trx, held) => {
    if (held.face === 'pack') fail('INVALID', 'A pack keeps the files with which it was made');
    await append(ctx, trx, held, items, COLLECTION);
    return touched(trx, held);
  });
}

/** Takes a file out of a collection of the caller; the file stays, but that of a pack is deleted with its address. */
export function takeFromCollection(
  ctx: AccountContext,
  uniqueId: string,
  fileId: string,
  form: Form = COLLECTION,
): Promise<Collection> {
  return onOwn(ctx, uniqueId, form, async (trx, held) => {
    if (held.face === 'pack') fail('INVALID', 'Delete the file itself: it belongs to its pack');
    const [id = null] = await ownImageIds(ctx.app.db, trx, held.ownerId, [lookupId(fileId)]);
    if (id === null || (await removeItems(ctx.app.db, trx, held.id, [id])) === 0) fail('NOT_FOUND');
    return touched(trx, held);
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

/** The caller's own collection; 404 if there is none in that form, 401 for that of another account. */
export async function ownCollection(
  ctx: AccountContext,
  uniqueId: string,
  form: Form = COLLECTION,
): Promise<Collection> {
  const collection = inForm(form, await collectionByKey(ctx.app.db.read, lookupId(uniqueId)));
  requireAllowed(ctx.account, 'manage', 'collection', collection);
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

/** The files by their row ids; refuses those that the caller does not own, and whatever is not sealed if the collection is. */
async function ownItems(
  ctx: AccountContext,
  trx: Queryable,
  held: Collection,
  items: ItemsInput,
  form: Form,
) {
  const keys = items.map(({ uniqueId }) => lookupId(uniqueId));
  const ids = await ownImageIds(ctx.app.db, trx, ctx.account.id, keys);
  const wanted = items.map(({ uniqueId, path }, index) => ({
    imageId: ids[index] ?? fail('INVALID', form.missing(uniqueId)),
    ...(path === undefined ? {} : { path }),
  }));
  if (held.seal === null) return wanted;
  for (const { path } of wanted) refuseClear(held.seal, { path });
  const named = wanted.map(({ imageId }) => imageId);
  if (await anyUnsealed(ctx.app.db, trx, named))
    fail('INVALID', 'A sealed collection takes sealed files only');
  return wanted;
}

async function setCover(
  ctx: AccountContext,
  trx: Queryable,
  held: Collection,
  cover: string | null | undefined,
  form: Form,
): Promise<Collection> {
  if (cover === undefined) return held;
  const [coverImageId = null] = cover
    ? await ownImageIds(ctx.app.db, trx, ctx.account.id, [lookupId(cover)])
    : [];
  if (cover && (coverImageId === null || !(await itemIds(trx, held.id)).includes(coverImageId)))
    fail('INVALID', form.cover);
  await updateCollection(trx, held.id, { coverImageId });
  return { ...held, coverImageId };
}

/** Changes a collection of the caller, which is locked meanwhile; refuses as `ownCollection`. */
async function onOwn(
  ctx: AccountContext,
  uniqueId: string,
  form: Form,
  work: (trx: Queryable, held: Collection) => Promise<Collection>,
): Promise<Collection> {
  return ctx.app.db.write(async (trx) => {
    const held = inForm(form, await lockCollection(ctx.app.db, trx, lookupId(uniqueId)));
    requireAllowed(ctx.account, 'change', 'collection', held);
    return work(trx, held);
  });
}
