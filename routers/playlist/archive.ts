import { type ZipListing, zipOfCollection } from '../collection/zip.js';
import type { Context } from '../context.js';
import { enterPlaylist, type LockedPlaylist } from './find.js';

/** The zip of a playlist that the caller may open. */
export const listArchive = async (ctx: Context, asked: LockedPlaylist): Promise<ZipListing> =>
  zipOfCollection(ctx, await enterPlaylist(ctx, asked));
