import type { Context } from '../../core/context.js';
import { countOpening, isOnlyAsked, type ZipListing, zipOfCollection } from '../collection/public.js';
import { enterPlaylist, type LockedPlaylist } from './find.js';

/**
 * The zip of a playlist that the caller may open. Whoever has it needs no page, so that it uses up a view where views
 * are limited; `head` does not, and is told no entries of such a one.
 */
export async function listArchive(
  ctx: Context,
  { head, ...asked }: LockedPlaylist & { readonly head: boolean },
): Promise<ZipListing> {
  const entered = await enterPlaylist(ctx, asked);
  if (!head && entered.collection.maxViews !== null) await countOpening(ctx, entered);
  const listing = await zipOfCollection(ctx, entered);
  return isOnlyAsked(entered, head) ? { ...listing, entries: [] } : listing;
}
