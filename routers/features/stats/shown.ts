import { isUnavailable } from '../../../db/content/life.js';
import type { Kind } from '../../base/kinds.js';
import type { Context } from '../../core/context.js';
import { noteViewed } from '../../core/telling/opened.js';

/**
 * Counts that a page shows an item, once its reader has been let in; also for readers who come from another of our
 * pages. Not for one that is over, which only its owner and moderators still see.
 */
export async function noteShown(ctx: Context, kind: Kind, uniqueId: string): Promise<void> {
  const item = await ctx.app.load[kind](uniqueId);
  if (item !== null && !isUnavailable(item)) noteViewed(ctx, kind, item);
}
