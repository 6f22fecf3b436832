import type { Happening } from '../../../db/content/told/told.js';
import type { Kind } from '../../base/kinds.js';
import type { WhoOpens } from '../../base/ports/openings.js';
import type { Credentials } from '../caller.js';
import type { Context } from '../context.js';
import type { EnteredLink } from '../sharing/enter.js';

/** Whose it is, and its row. */
interface Owned {
  readonly id: number;
  readonly ownerId: number;
}

const isAnonymous = ({ apiKey, authorized, sessionTokens, formKey }: Credentials): boolean =>
  apiKey === null && authorized.length === 0 && sessionTokens.length === 0 && formKey === null;

/** The account that opens something as itself, and not for the visitors of a portal. */
async function openerId(ctx: Context): Promise<number | null> {
  const caller = await ctx.caller();
  return caller === null || caller.key?.asVisitor === true ? null : caller.id;
}

/** Who asks, to be found out only if it may matter. */
const whoOpens = (ctx: Context): WhoOpens | null =>
  isAnonymous(ctx.credentials) ? null : () => openerId(ctx);

/**
 * Notes that something was opened, for its owner to be told if they ask for it; by a share link that asks itself, the link
 * instead of what it opens.
 */
export function noteOpened(
  ctx: Context,
  kind: Kind | 'collection',
  { id, ownerId }: Owned,
  by: EnteredLink | null = null,
): void {
  const byLink = by !== null && by.link.notify !== 'none';
  // Without a spread: it is made for every view.
  const opened = byLink
    ? { kind: 'share' as const, id: by.link.id, ownerId, of: kind }
    : { kind, id, ownerId, of: kind };
  ctx.app.openings.note(opened, ctx, whoOpens(ctx));
}

/** What the owner of an item is to be told of the opening that deletes it; see `Openings`. */
export const lastOpening = (
  ctx: Context,
  kind: Kind,
  { id, ownerId }: Owned,
): Promise<readonly Happening[]> =>
  ctx.app.openings.last({ kind, id, ownerId, of: kind }, ctx, whoOpens(ctx));

/** As `noteOpened`, and counts it among the views of the item. */
export function noteViewed(ctx: Context, kind: Kind, item: Owned, by: EnteredLink | null = null): void {
  ctx.app.views.note(kind, item.id, ctx);
  noteOpened(ctx, kind, item, by);
}
