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
  idsAmong,
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
import { requireRevision } from '../../core/items/revision.js';
import { changedSeal, refuseClear } from '../../core/items/seal.js';
import { type Action, requireAllowed } from '../../core/policies.js';
import { discardCollection } from './discard.js';
import { columnsOf, type FieldsInput, type ItemsInput } from './fields.js';
import { COLLECTION, type Form, inForm } from './forms.js';
import { type Joined, joined } from './joined.js';

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

/** Which collection is changed, and the revision that the change is for; any without one. */
interface Changed {
  readonly uniqueId: string;
  readonly ifMatch?: string | null | undefined;
}

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
    refuseClear(held.seal, { title: input.title, description: input.description, tags: input.tags });
    const seal = changedSeal(held.seal, sealedName);
    const changed = await changeColumns(trx, held, seal === undefined ? columns : { ...columns, seal });
    await tagged(trx, held, input.tags);
    return setCover(ctx, trx, changed, input.cover, form);
  });
}

/** Changes columns of a locked collection and notes the moment; without a title it is called by its id. */
export async function changeColumns<C extends Collection>(
  trx: Queryable,
  held: C,
  { title, ...columns }: CollectionChange,
): Promise<C> {
  const words = title === undefined ? {} : { title: title || held.uniqueId };
  const change = { ...columns, ...words, updatedAt: Date.now() };
  return { ...held, ...(await updateCollection(trx, held.id, change)) };
}

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
): Promise<Joined> {
  return heldCollection(ctx, uniqueId, 'manage', form);
}

/** A collection with which the caller may do this; refused as `requireAllowed` does, 404 if there is none. */
export async function heldCollection(
  ctx: AccountContext,
  uniqueId: string,
  action: Action,
  form: Form = COLLECTION,
): Promise<Joined> {
  const { read } = ctx.app.db;
  const collection = await joined(ctx, inForm(form, await collectionByKey(read, lookupId(uniqueId))), read);
  requireAllowed(ctx.account, action, 'collection', collection);
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

async function setCover<C extends Collection>(
  { app: { db } }: AccountContext,
  trx: Queryable,
  held: C,
  cover: string | null | undefined,
  form: Form,
): Promise<C> {
  if (cover === undefined) return held;
  const key = lookupId(cover ?? '');
  const coverImageId = cover ? ((await idsAmong(db, trx, held.id, [key])).get(key) ?? null) : null;
  if (cover && coverImageId === null) fail('INVALID', form.cover);
  return { ...held, ...(await updateCollection(trx, held.id, { coverImageId })) };
}

/**
 * Changes a collection, which is locked meanwhile; refuses as `heldCollection`, and with 412 if it is another revision
 * than the change was made for.
 */
export async function onHeld<T>(
  ctx: AccountContext,
  { uniqueId, ifMatch }: Changed,
  form: Form,
  action: Action,
  work: (trx: Queryable, held: Joined) => Promise<T>,
): Promise<T> {
  return ctx.app.db.write(async (trx) => {
    const found = inForm(form, await lockCollection(ctx.app.db, trx, lookupId(uniqueId)));
    const held = await joined(ctx, found, trx);
    requireAllowed(ctx.account, action, 'collection', held);
    requireRevision('collection', held, ifMatch);
    return work(trx, held);
  });
}
