import { z } from 'zod';
import { lookupId } from '../db/content.js';
import { shortIdHolders } from '../db/short-ids.js';
import type { Context } from './context.js';
import { found } from './errors.js';
import { webUrl } from './links.js';
import { canonicalHost, kindsAt } from './short-hosts.js';
import { type VisitResult, visit, visitInput } from './url/visit.js';

/** The input of a visit, and the host of the request. */
export const followInput = visitInput.extend({ host: z.string().nullish() });

/**
 * Follows a short link: finds the oldest living item with this id, on a short host only among the kinds of
 * that host. A link counts as visited; images and pastes redirect to their page, which has its own access
 * rules.
 */
export async function follow(ctx: Context, input: z.output<typeof followInput>): Promise<VisitResult> {
  const { db, settings } = ctx.app;
  const kinds = kindsAt(settings, input.host == null ? null : canonicalHost(input.host));
  const holders = await shortIdHolders(db, db.read, [lookupId(input.uniqueId)], Date.now());
  const holder = found(holders.find(({ kind }) => kinds.includes(kind)));
  if (holder.kind === 'url') return visit(ctx, input);
  return {
    location: webUrl(ctx.app, holder.kind, encodeURIComponent(input.uniqueId)),
    permanent: false,
    counted: false,
  };
}
