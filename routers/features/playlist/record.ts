import { z } from 'zod';
import type { Collection } from '../../../db/content/collection.js';
import { lookupId } from '../../../db/content/content.js';
import { checkedInParts } from '../../base/parts.js';
import { iso } from '../../base/text/dates.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import type { Context } from '../../core/context.js';
import { neighbours } from '../../core/items/neighbours.js';
import { may } from '../../core/policies.js';
import {
  answerOf,
  goesOn,
  isOnlyAsked,
  listedImage,
  listImage,
  mayStep,
  ofEach,
  type Part,
  partOf,
  type SeenEntry,
  seenEntries,
  ticketAfter,
} from '../collection/public.js';
import { enterPlaylist, type LockedPlaylist, viewPlaylist } from './find.js';

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
    /** How many images the caller sees, if only a part of them was asked for. */
    total: z.int().optional(),
    /** What the page of all of it shows elsewhere: the cover and the first images, if only a part was asked for. */
    leading: z.array(listedImage).optional(),
    /** Opens the other parts and steps through the images, if views are limited and only a part was asked for. */
    ticket: z.string().optional(),
  }),
  'images',
);
export type PlaylistRecord = z.output<typeof playlistRecord>;

/** A playlist in the list of its owner. */
export const listedPlaylist = playlistRecord
  .omit({
    owner: true,
    images: true,
    cover: true,
    quarantine: true,
    total: true,
    leading: true,
    ticket: true,
  })
  .extend({
    /** Number of images, including private ones. */
    size: z.int(),
  });

/** What comes before and after an image in a playlist; null at an end. `index` counts from 0. */
export const playlistNeighbours = neighbours.extend({ uniqueId: z.string(), title: z.string() }).nullable();

/** So many of the first images stand for all of it. */
const MAX_LEADING = 12;

/** The playlist as the caller sees it; `head` counts no view, and shows nothing of one whose views are limited. */
export async function readPlaylist(
  ctx: Context,
  { head, part, ...asked }: LockedPlaylist & { readonly head: boolean; readonly part?: Part },
): Promise<PlaylistRecord> {
  const entered = await enterPlaylist(ctx, asked);
  const found = entered.collection;
  if (isOnlyAsked(entered, head)) return build(ctx, found, [], part);
  // Counted before building, so that waiting for it does not block other responses.
  const counts = !head && !goesOn(ctx, entered, { part, ticket: asked.ticket });
  const record = await toPlaylistRecord(ctx, counts ? await viewPlaylist(ctx, found) : found, part);
  const ticket = part == null ? null : ticketAfter(ctx, entered);
  return ticket === null ? record : { ...record, ticket };
}

/** The record with the images that the caller may see; large ones are limited by `buildAnswer`. */
export async function toPlaylistRecord(
  ctx: Context,
  playlist: Collection,
  part: Part = null,
): Promise<PlaylistRecord> {
  return answerOf(ctx, await wayInto(ctx, playlist), part, (seen) => build(ctx, playlist, seen, part));
}

const wayInto = async (ctx: Context, collection: Collection) =>
  ({
    collection,
    way: (await may(ctx, 'seeChanged', 'collection', collection)) ? 'privileged' : 'open',
  }) as const;

/** What comes before and after an image in a playlist, as the caller sees it; counts no view. Null if it is not in it. */
export async function findInPlaylist(
  ctx: Context,
  { imageUid, ...asked }: LockedPlaylist & { readonly imageUid: string },
): Promise<z.output<typeof playlistNeighbours>> {
  const entered = await enterPlaylist(ctx, asked);
  const playlist = entered.collection;
  if (!mayStep(ctx, entered, asked.ticket)) return null;
  const ids = (await seenEntries(ctx, entered)).map(({ item }) => item.image.uniqueId);
  const index = ids.findIndex((id) => lookupId(id) === lookupId(imageUid));
  if (index < 0) return null;
  return {
    uniqueId: playlist.uniqueId,
    title: playlist.title,
    previous: ids[index - 1] ?? null,
    next: ids[index + 1] ?? null,
    index,
    total: ids.length,
  };
}

async function build(
  ctx: Context,
  playlist: Collection,
  seen: readonly SeenEntry[],
  part: Part,
): Promise<PlaylistRecord> {
  const { id, uniqueId, title, description, views } = playlist;
  const way = await wayInto(ctx, playlist);
  const listed = (entries: readonly SeenEntry[]) => ofEach(ctx, way, entries, (item) => listImage(ctx, item));
  const cover = seen.filter(({ item }) => item.image.id === playlist.coverImageId);
  return {
    id,
    uniqueId,
    title,
    description,
    createdAt: iso(playlist.createdAt),
    owner: await summaryOf(ctx.app, playlist.ownerId),
    images: await listed(partOf(seen, part)),
    cover: cover[0]?.item.image.uniqueId ?? null,
    views,
    quarantine: playlist.quarantine,
    ...(part == null
      ? {}
      : {
          total: seen.length,
          leading: await listed([...new Set([...cover, ...seen.slice(0, MAX_LEADING)])]),
        }),
  };
}
