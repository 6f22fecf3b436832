import { type Collection, collectionByKey } from '../../../db/content/collection.js';
import { lookupId } from '../../../db/content/content.js';
import type { Context } from '../../core/context.js';
import { countOpening, type Entered, enterCollection, inForm } from '../collection/public.js';
import { PLAYLIST } from './change.js';

/** A playlist, the password given for it, and the ticket of an earlier opening. */
export interface LockedPlaylist {
  readonly identifier: string;
  readonly password?: string | null | undefined;
  readonly ticket?: string | null | undefined;
}

/** Lets a caller in to the playlist with this identifier in any case; 404 if there is none. */
export const enterPlaylist = async (
  ctx: Context,
  { identifier, password = null, ticket }: LockedPlaylist,
): Promise<Entered> =>
  enterCollection(ctx, inForm(PLAYLIST, await collectionByKey(ctx.app.db.read, lookupId(identifier))), {
    password,
    ticket,
  });

/** The playlist with this identifier in any case, if the caller may open it; 404 if there is none. */
export const findPlaylist = async (ctx: Context, asked: LockedPlaylist): Promise<Collection> =>
  (await enterPlaylist(ctx, asked)).collection;

/** Counts a view of the playlist and returns it; views of its owner and moderators do not count. */
export const viewPlaylist = async (ctx: Context, playlist: Collection): Promise<Collection> =>
  (await countOpening(ctx, playlist)) ? { ...playlist, views: playlist.views + 1 } : playlist;
