import { z } from 'zod';
import { listCollections } from '../../../db/content/collection/listed-collection.js';
import { pageFields, windowOf } from '../../base/paging.js';
import { iso } from '../../base/text/dates.js';
import type { Context } from '../../core/context.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { creator, open, router, signedIn } from '../../core/trpc.js';
import {
  changeCollection,
  countOpening,
  createCollection,
  isOnlyAsked,
  putItems,
  removeCollection,
  takeFromCollection,
  type ZipListing,
  zipListing,
  zipOfCollection,
} from '../collection/public.js';
import { countUpload, imageRecord, toImageRecord } from '../image/public.js';
import { asItems, PLAYLIST, putImages } from './change.js';
import { enterPlaylist, type LockedPlaylist } from './find.js';
import {
  changeInput,
  createInput,
  identifierInput,
  itemInput,
  orderInput,
  putImagesInput,
  removalInput,
} from './inputs.js';
import { listedPlaylist, playlistRecord, readPlaylist, toPlaylistRecord } from './record.js';
import { archiveInput, skippedFile, uploadArchive } from './upload.js';

/**
 * The zip of a playlist that the caller may open. Whoever has it needs no page, so that it uses up a view where views
 * are limited; `head` does not, and is told no entries of such a one.
 */
async function listArchive(
  ctx: Context,
  { head, ...asked }: LockedPlaylist & { readonly head: boolean },
): Promise<ZipListing> {
  const entered = await enterPlaylist(ctx, asked);
  if (!head && entered.collection.maxViews !== null) await countOpening(ctx, entered);
  const listing = await zipOfCollection(ctx, entered);
  return isOnlyAsked(entered, head) ? { ...listing, entries: [] } : listing;
}

const lockedInput = identifierInput.extend({ password: shownPasswordInput });
const openedInput = lockedInput.extend({ head: z.boolean().default(false) });

/** Playlists: ordered collections of images (contract §4). */
export const playlistRouter = router({
  get: open('images:read')
    .input(openedInput)
    .output(playlistRecord)
    .query(({ ctx, input }) => readPlaylist(ctx, input)),

  /** What the zip of a playlist is made of. */
  archive: open('images:read')
    .input(openedInput)
    .output(zipListing)
    .query(({ ctx, input }) => listArchive(ctx, input)),

  /** The caller's playlists, newest first. */
  mine: signedIn('images:read')
    .input(z.object(pageFields(50, 100)))
    .output(z.object({ playlists: z.array(listedPlaylist), total: z.int() }))
    .query(async ({ ctx, input }) => {
      const { items, total } = await listCollections(
        ctx.app.db,
        { ownerId: ctx.account.id, face: 'playlist' },
        windowOf(input),
      );
      const playlists = items.map(({ id, uniqueId, title, description, createdAt, views, size }) => ({
        ...{ id, uniqueId, title, description, views, size },
        createdAt: iso(createdAt),
      }));
      return { playlists, total };
    }),

  create: creator('images:write')
    .input(createInput)
    .output(playlistRecord)
    .mutation(async ({ ctx, input: { imagesUids, ...input } }) => {
      const items = asItems(imagesUids ?? []);
      return toPlaylistRecord(ctx, await createCollection(ctx, { ...input, items }, PLAYLIST));
    }),

  putImages: creator('images:write')
    .input(putImagesInput)
    .output(playlistRecord)
    .mutation(async ({ ctx, input }) => toPlaylistRecord(ctx, await putImages(ctx, input))),

  takeImage: signedIn('images:write')
    .input(itemInput)
    .output(playlistRecord)
    .mutation(async ({ ctx, input: { identifier, imageUid } }) =>
      toPlaylistRecord(ctx, await takeFromCollection(ctx, { uniqueId: identifier }, imageUid, PLAYLIST)),
    ),

  order: creator('images:write')
    .input(orderInput)
    .output(playlistRecord)
    .mutation(async ({ ctx, input: { identifier, imagesUids } }) =>
      toPlaylistRecord(ctx, await putItems(ctx, { uniqueId: identifier }, asItems(imagesUids), PLAYLIST)),
    ),

  change: creator('images:write')
    .input(changeInput)
    .output(playlistRecord)
    .mutation(async ({ ctx, input: { identifier: uniqueId, ...input } }) =>
      toPlaylistRecord(ctx, await changeCollection(ctx, { ...input, uniqueId }, PLAYLIST)),
    ),

  delete: signedIn('images:write')
    .input(removalInput)
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input: { identifier, permanent } }) => {
      const { uniqueId } = await removeCollection(ctx, identifier, permanent, PLAYLIST);
      return { uniqueId };
    }),

  /** Stores every media file of an archive as an image of the caller, in one new playlist. */
  upload: creator('images:write')
    .input(archiveInput)
    .output(
      z.object({
        playlist: playlistRecord,
        images: z.array(imageRecord),
        skipped: z.array(skippedFile),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      await countUpload(ctx, input.file);
      const { playlist, images, skipped } = await uploadArchive(ctx, input);
      return {
        playlist: await toPlaylistRecord(ctx, playlist),
        images: await Promise.all(
          images.map((image) => toImageRecord(ctx.app, image, { access: true, creator: true })),
        ),
        skipped,
      };
    }),
});
