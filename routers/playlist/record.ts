import { z } from 'zod';
import type { Collection } from '../../db/content/collection.js';
import { itemsOf, sizeOfCollection } from '../../db/content/collection-item.js';
import type { StoredImage } from '../../db/content/image.js';
import { isGone, isOpen, isPrivileged } from '../access.js';
import type { Context } from '../context.js';
import { isUsedUp } from '../image/content.js';
import { imageRecord, toImageRecord } from '../image/record.js';
import { buildAnswer } from '../shared/large-answer.js';
import { recordsOf } from '../shared/paging.js';
import { summaryOf, userSummary } from '../shared/user-summary.js';
import { iso } from '../text/dates.js';
import { findPlaylist, type LockedPlaylist, viewPlaylist } from './find.js';

/** An image in a playlist. The uploader is null if the caller may not open the image. */
export const listedImage = imageRecord.extend({ uploader: userSummary.nullable() });
export type ListedImage = z.output<typeof listedImage>;

/** A playlist in the API (contract §3). */
export const playlistRecord = z.object({
  id: z.int(),
  uniqueId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  createdAt: z.iso.datetime(),
  owner: userSummary,
  images: z.array(listedImage),
  /** The id of the cover image; null if none was chosen or the caller cannot see it. */
  cover: z.string().nullable(),
  views: z.int(),
  /** Why a moderator keeps it from everybody but its owner; null if it is not. */
  quarantine: z.string().nullable(),
});
export type PlaylistRecord = z.output<typeof playlistRecord>;

/** A playlist in the list of its owner. */
export const listedPlaylist = playlistRecord
  .omit({
    owner: true,
    images: true,
    cover: true,
    quarantine: true,
  })
  .extend({
    /** Number of images, including private ones. */
    size: z.int(),
  });

/** An image of a playlist, and whether the caller may open it without a password. */
export interface SeenImage {
  readonly image: StoredImage;
  readonly access: boolean;
}

/**
 * The images of a playlist that the caller may see: for its owner and moderators all, for others those that
 * are neither private, expired, quarantined nor used up (contract §4, §5).
 */
export async function seenImages(ctx: Context, playlist: Collection): Promise<SeenImage[]> {
  const images = (await itemsOf(ctx.app.db.read, playlist.id)).map(({ image }) => image);
  if (await isPrivileged(ctx, playlist)) return images.map((image) => ({ image, access: true }));
  return images
    .filter((image) => image.isPublic && !isGone(image) && !isUsedUp(image))
    .map((image) => ({ image, access: isOpen(image) }));
}

/** Memory that one image takes in a response: its row, its record, and both as JSON. */
const IMAGE_BYTES = 4 * 1024;

/** The playlist as the caller sees it; `head` counts no view, and shows nothing of one whose views are limited. */
export async function readPlaylist(
  ctx: Context,
  { head, ...asked }: LockedPlaylist & { readonly head: boolean },
): Promise<PlaylistRecord> {
  const found = await findPlaylist(ctx, asked);
  // Counted before building, so that waiting for it does not block other responses.
  if (head && found.maxViews !== null && !(await isPrivileged(ctx, found))) return build(ctx, found, []);
  return toPlaylistRecord(ctx, head ? found : await viewPlaylist(ctx, found));
}

/** The record with the images that the caller may see; large ones are limited by `buildAnswer`. */
export async function toPlaylistRecord(ctx: Context, playlist: Collection): Promise<PlaylistRecord> {
  const size = await sizeOfCollection(ctx.app.db.read, playlist.id);
  return buildAnswer(ctx, size * IMAGE_BYTES, async () =>
    build(ctx, playlist, await seenImages(ctx, playlist)),
  );
}

async function build(
  ctx: Context,
  playlist: Collection,
  seen: readonly SeenImage[],
): Promise<PlaylistRecord> {
  const { id, uniqueId, title, description, views } = playlist;
  return {
    id,
    uniqueId,
    title,
    description,
    createdAt: iso(playlist.createdAt),
    owner: await summaryOf(ctx.app, playlist.ownerId),
    images: await recordsOf(seen, (entry) => listImage(ctx, entry)),
    cover: seen.find(({ image }) => image.id === playlist.coverImageId)?.image.uniqueId ?? null,
    views,
    quarantine: playlist.quarantine,
  };
}

async function listImage(ctx: Context, { image, access }: SeenImage): Promise<ListedImage> {
  const record = await toImageRecord(ctx.app, image, { access });
  return access ? record : { ...record, uploader: null };
}
