import { z } from 'zod';
import type { Collection } from '../../../db/content/collection/collection.js';
import { checkedInParts } from '../../base/parts.js';
import { iso } from '../../base/text/dates.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import type { Context } from '../../core/context.js';
import { may } from '../../core/policies.js';
import {
  answerOf,
  countOpening,
  isOnlyAsked,
  joined,
  listedImage,
  listImage,
  ofEach,
  type SeenEntry,
  seesOf,
} from '../collection/public.js';
import { enterPlaylist, type LockedPlaylist } from './find.js';

/** A playlist in the API (contract §3). */
export const playlistRecord = checkedInParts(
  z.object({
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
  }),
  'images',
);
type PlaylistRecord = z.output<typeof playlistRecord>;

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

/** The playlist as the caller sees it; `head` counts no view, and shows nothing of one whose views are limited. */
export async function readPlaylist(
  ctx: Context,
  { head, ...asked }: LockedPlaylist & { readonly head: boolean },
): Promise<PlaylistRecord> {
  const entered = await enterPlaylist(ctx, asked);
  const found = entered.collection;
  if (isOnlyAsked(entered, head)) return build(ctx, found, []);
  // Counted before building, so that waiting for it does not block other responses.
  const counted = !head && (await countOpening(ctx, entered));
  return toPlaylistRecord(ctx, counted ? { ...found, views: found.views + 1 } : found);
}

/** The record with the images that the caller may see; large ones are limited by `buildAnswer`. */
export async function toPlaylistRecord(ctx: Context, playlist: Collection): Promise<PlaylistRecord> {
  return answerOf(ctx, await wayInto(ctx, playlist), null, (seen) => build(ctx, playlist, seen));
}

async function wayInto(ctx: Context, collection: Collection) {
  const seesAll = await may(ctx, 'seeChanged', 'collection', await joined(ctx, collection, ctx.app.db.read));
  return seesAll
    ? ({ collection, way: 'privileged', sees: seesOf(await ctx.caller()) } as const)
    : ({ collection, way: 'open', sees: null } as const);
}

async function build(
  ctx: Context,
  playlist: Collection,
  seen: readonly SeenEntry[],
): Promise<PlaylistRecord> {
  const { id, uniqueId, title, description, views, coverImageId, quarantine } = playlist;
  const cover = seen.find(({ item }) => item.image.id === coverImageId);
  return {
    ...{ id, uniqueId, title, description, views, quarantine },
    createdAt: iso(playlist.createdAt),
    owner: await summaryOf(ctx.app, playlist.ownerId),
    images: await ofEach(ctx, await wayInto(ctx, playlist), seen, (item) => listImage(ctx, item)),
    cover: cover?.item.image.uniqueId ?? null,
  };
}
