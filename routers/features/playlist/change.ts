import type { z } from 'zod';
import {
  type Collection,
  collectionByKey,
  insertCollection,
  lockCollection,
  type NewCollection,
  updateCollection,
} from '../../../db/content/collection.js';
import { addItems, arrangeItems, itemIds, removeItem } from '../../../db/content/collection-item.js';
import { lookupId } from '../../../db/content/content.js';
import { ownImageIds } from '../../../db/content/image.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { localizableOfIssue } from '../../base/text/zod-messages.js';
import { requireOwner } from '../../core/access.js';
import type { AccountContext, Services } from '../../core/context.js';
import { collectionIdInput, insertUnderId } from '../../core/items/ids.js';
import { discardCollection } from '../collection/public.js';
import { asPlaylist } from './find.js';
import {
  type changeInput,
  type createInput,
  type itemInput,
  MAX_ITEMS,
  type orderInput,
  type putImagesInput,
  type removalInput,
  type wordsInput,
} from './inputs.js';

type Words = { readonly [K in keyof typeof wordsInput]?: string | null | undefined };

/** Creates a playlist for the caller, optionally with images. */
export async function createPlaylist(
  ctx: AccountContext,
  input: z.output<typeof createInput>,
): Promise<Collection> {
  await ctx.app.limits.rates.take('create', String(ctx.account.id));
  return insertUnderId(ctx.app.db, input.uniqueId, (uniqueId) =>
    ctx.app.db.write(async (trx) => {
      const playlist = await insert(ctx, trx, uniqueId, input);
      await append(ctx, trx, playlist, input.imagesUids ?? []);
      return playlist;
    }),
  );
}

/**
 * Appends images to a playlist of the caller, all or none; creates the playlist if there is none with this
 * identifier. Refuses unknown images, images of others, and those already in it.
 */
export async function putImages(
  ctx: AccountContext,
  input: z.output<typeof putImagesInput>,
): Promise<Collection> {
  await ctx.app.limits.rates.take('create', String(ctx.account.id));
  const put = () =>
    ctx.app.db.write(async (trx) => {
      const held = await lockCollection(ctx.app.db, trx, lookupId(input.identifier));
      if (held !== null) requireOwner(ctx, held);
      if (held?.face === 'pack') fail('ID_TAKEN');
      const playlist =
        held === null
          ? await insert(ctx, trx, requireIdentifier(input.identifier), input)
          : await changeWords(trx, held, input);
      await append(ctx, trx, playlist, input.imagesUids);
      return playlist;
    });
  const { isUniqueViolation } = ctx.app.db.dialect;
  try {
    return await put();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  try {
    // The same playlist was created at the same time, so it exists now.
    return await put();
  } catch (error) {
    // Its owner is being deleted, so it cannot be used.
    if (isUniqueViolation(error)) fail('ID_TAKEN', { cause: error });
    throw error;
  }
}

/** Removes an image from a playlist of the caller; 404 if it is not in it. */
export function takeImage(ctx: AccountContext, input: z.output<typeof itemInput>): Promise<Collection> {
  return onOwn(ctx, input.identifier, async (trx, playlist) => {
    const [id = null] = await ownImageIds(ctx.app.db, trx, playlist.ownerId, [lookupId(input.imageUid)]);
    if (id === null || !(await removeItem(trx, playlist.id, id))) fail('NOT_FOUND');
    if (playlist.coverImageId !== id) return playlist;
    await updateCollection(trx, playlist.id, { coverImageId: null });
    return { ...playlist, coverImageId: null };
  });
}

/** Reorders a playlist of the caller; the list must contain every image of it exactly once. */
export function orderImages(ctx: AccountContext, input: z.output<typeof orderInput>): Promise<Collection> {
  return onOwn(ctx, input.identifier, async (trx, playlist) => {
    const ids = await ownIds(ctx, trx, input.imagesUids);
    const held = new Set(await itemIds(trx, playlist.id));
    if (ids.length !== held.size || ids.some((id) => !held.has(id)))
      fail('INVALID', 'List every image of the playlist exactly once');
    await arrangeItems(ctx.app.db, trx, playlist.id, asItems(ids));
    return playlist;
  });
}

/** Changes title, description and cover of a playlist of the caller; the cover must be one of its images. */
export function changePlaylist(
  ctx: AccountContext,
  input: z.output<typeof changeInput>,
): Promise<Collection> {
  return onOwn(ctx, input.identifier, async (trx, playlist) => {
    const changed = await changeWords(trx, playlist, input);
    if (input.cover === undefined) return changed;
    const coverImageId = input.cover ? await coverOf(ctx, trx, playlist, input.cover) : null;
    await updateCollection(trx, playlist.id, { coverImageId });
    return { ...changed, coverImageId };
  });
}

/** Deletes a playlist of the caller; its images stay. */
export async function removePlaylist(
  ctx: AccountContext,
  { identifier, permanent }: z.output<typeof removalInput>,
): Promise<Collection> {
  const playlist = asPlaylist(await collectionByKey(ctx.app.db.read, lookupId(identifier)));
  requireOwner(ctx, playlist);
  await discardCollection(ctx.app, playlist, { by: ctx.account, permanent });
  return playlist;
}

async function onOwn(
  ctx: AccountContext,
  identifier: string,
  work: (trx: Queryable, playlist: Collection) => Promise<Collection>,
): Promise<Collection> {
  return ctx.app.db.write(async (trx) => {
    const playlist = asPlaylist(await lockCollection(ctx.app.db, trx, lookupId(identifier)));
    requireOwner(ctx, playlist);
    return work(trx, playlist);
  });
}

/** Refuses an identifier that a new playlist must not have. */
function requireIdentifier(identifier: string): string {
  const parsed = collectionIdInput.safeParse(identifier);
  if (parsed.success && parsed.data !== null) return parsed.data;
  const why = parsed.error?.issues[0];
  return fail(
    'INVALID',
    why === undefined
      ? 'identifier: use 1 to 128 letters, digits, hyphens and underscores'
      : localizableOfIssue({ ...why, path: ['identifier'] }),
  );
}

const insert = (ctx: AccountContext, trx: Queryable, uniqueId: string, words: Words): Promise<Collection> =>
  insertCollection(trx, {
    uniqueId,
    ownerId: ctx.account.id,
    face: 'playlist',
    title: words.title || uniqueId,
    description: words.description || null,
    createdAt: Date.now(),
  });

async function changeWords(trx: Queryable, playlist: Collection, words: Words): Promise<Collection> {
  const change = {
    ...(words.title === undefined ? {} : { title: words.title || playlist.uniqueId }),
    ...(words.description === undefined ? {} : { description: words.description || null }),
  };
  await updateCollection(trx, playlist.id, change);
  return { ...playlist, ...change };
}

async function append(
  ctx: AccountContext,
  trx: Queryable,
  playlist: Collection,
  imagesUids: readonly string[],
): Promise<void> {
  if (imagesUids.length === 0) return;
  const ids = await ownIds(ctx, trx, imagesUids);
  const held = new Set(await itemIds(trx, playlist.id));
  const twice = ids.findIndex((id) => held.has(id));
  if (twice >= 0)
    fail(
      'INVALID',
      localizable('The image {id} is already in the playlist', { id: imagesUids[twice] ?? '' }),
    );
  if (held.size + ids.length > MAX_ITEMS)
    fail('INVALID', localizable('A playlist can have at most {max} images', { max: MAX_ITEMS }));
  await addItems(ctx.app.db, trx, playlist.id, asItems(ids));
}

/** The row ids of the caller's own images; refuses every other id. */
async function ownIds(ctx: AccountContext, trx: Queryable, uids: readonly string[]): Promise<number[]> {
  const ids = await ownImageIds(ctx.app.db, trx, ctx.account.id, uids.map(lookupId));
  return ids.map(
    (id, index) => id ?? fail('INVALID', localizable('You have no image {id}', { id: uids[index] ?? '' })),
  );
}

async function coverOf(
  ctx: AccountContext,
  trx: Queryable,
  playlist: Collection,
  uid: string,
): Promise<number> {
  const [id = null] = await ownIds(ctx, trx, [uid]);
  if (id === null || !(await itemIds(trx, playlist.id)).includes(id))
    fail('INVALID', 'The cover must be an image of the playlist');
  return id;
}

const asItems = (ids: readonly number[]) => ids.map((imageId) => ({ imageId }));

/** Creates a playlist with images that were stored in the same transaction. */
export async function insertFilledPlaylist(
  app: Services,
  trx: Queryable,
  playlist: Omit<NewCollection, 'face'>,
  imageIds: readonly number[],
): Promise<Collection> {
  const inserted = await insertCollection(trx, { ...playlist, face: 'playlist' });
  await addItems(app.db, trx, inserted.id, asItems(imageIds));
  return inserted;
}
