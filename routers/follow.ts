import { z } from 'zod';
import { lookupId } from '../db/content.js';
import { shortIdHolders } from '../db/short-ids.js';
import type { Context } from './context.js';
import { found } from './errors.js';
import { webUrl } from './links.js';
import { canonicalHost, kindsAt } from './short-hosts.js';
import { type VisitResult, visit, visitInput } from './url/visit.js';

/** As a visit, and the host it came to. */
export const followInput = visitInput.extend({ host: z.string().nullish() });

/**
 * Follows a short link: the living item with this id that was created first, on a short host among the kinds
 * that host is for. A link is visited; images and pastes lead to their page with its own access rules.
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
