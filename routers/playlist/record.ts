import { z } from 'zod';
import type { Collection } from '../../db/content/collection.js';
import { sizeOfCollection } from '../../db/content/collection-item.js';
import { isPrivileged } from '../access.js';
import { listedImage, listImage, type SeenItem, seenItems } from '../collection/record.js';
import type { Context } from '../context.js';
import { buildAnswer } from '../shared/large-answer.js';
import { recordsOf } from '../shared/paging.js';
import { summaryOf, userSummary } from '../shared/user-summary.js';
import { iso } from '../text/dates.js';
import { findPlaylist, type LockedPlaylist, viewPlaylist } from './find.js';

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

const seenImages = async (ctx: Context, collection: Collection): Promise<SeenItem[]> =>
  seenItems(ctx, { collection, way: (await isPrivileged(ctx, collection)) ? 'privileged' : 'open' });

async function build(ctx: Context, playlist: Collection, seen: readonly SeenItem[]): Promise<PlaylistRecord> {
  const { id, uniqueId, title, description, views } = playlist;
  return {
    id,
    uniqueId,
    title,
    description,
    createdAt: iso(playlist.createdAt),
    owner: await summaryOf(ctx.app, playlist.ownerId),
    images: await recordsOf(seen, (entry) => listImage(ctx, entry)),
    cover: seen.find(({ item }) => item.image.id === playlist.coverImageId)?.item.image.uniqueId ?? null,
    views,
    quarantine: playlist.quarantine,
  };
}
