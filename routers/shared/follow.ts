import { z } from 'zod';
import { lookupId } from '../../db/content/content.js';
import { shortIdHolders } from '../../db/content/short-ids.js';
import type { Context } from '../context.js';
import { fail, found } from '../errors.js';
import { type VisitResult, visit, visitInput } from '../url/visit.js';
import { isOwnExtension, readAddress } from './item-address.js';
import { rawUrl, webUrl } from './links.js';
import { canonicalHost, kindsAt } from './short-hosts.js';

/** The input of a visit, the host of the request, and whether a program wants the text of a paste, not its page. */
export const followInput = visitInput.extend({
  host: z.string().nullish(),
  prefersText: z.boolean().nullish(),
});

/**
 * Follows a short link: finds the oldest living item with this id, on a short host only among the kinds of
 * that host. A link counts as visited; images and pastes redirect to their page, or to the text, which has its own access
 * rules. `ID.ext` is an image with its own extension.
 */
export async function follow(ctx: Context, input: z.output<typeof followInput>): Promise<VisitResult> {
  const { db, settings } = ctx.app;
  const kinds = kindsAt(settings, input.host == null ? null : canonicalHost(input.host));
  const { uniqueId, extension } = readAddress(input.uniqueId);
  const holders = await shortIdHolders(db, db.read, [lookupId(uniqueId)], Date.now());
  const holder = found(holders.find(({ kind }) => kinds.includes(kind)));
  if (extension !== null) {
    const image = holder.kind === 'image' ? await ctx.app.load.image(uniqueId) : null;
    if (!isOwnExtension(found(image).type, extension)) fail('NOT_FOUND');
  }
  if (holder.kind === 'url') return visit(ctx, { ...input, uniqueId });
  const toText = holder.kind === 'paste' && input.prefersText === true;
  const location = toText ? rawUrl : webUrl;
  return {
    location: location(ctx.app, holder.kind, encodeURIComponent(uniqueId)),
    permanent: false,
    counted: false,
  };
}
