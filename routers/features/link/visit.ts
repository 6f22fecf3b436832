import { z } from 'zod';
import { isUnavailable, isUsedUp } from '../../../db/content/life.js';
import type { Link } from '../../../db/content/link.js';
import { fail, found } from '../../base/errors.js';
import { hostOf } from '../../base/referrer.js';
import { accessOrNull, authorise } from '../../core/access.js';
import type { Context } from '../../core/context.js';
import { followedInput } from '../../core/items/ids.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { webUrl } from '../../core/items/links.js';
import { may } from '../../core/policies.js';
import { readsForPreview } from '../stats/public.js';
import { asLocation, withForwarded } from './target.js';

export const visitInput = z.object({
  uniqueId: followedInput,
  password: shownPasswordInput,
  /** A HEAD request: the same response, but nothing is counted. */
  head: z.boolean().default(false),
  /** For browser navigation: if the password is missing, redirects to the page instead of refusing. */
  prefersPage: z.boolean().default(false),
  referrer: z.string().nullish(),
  /** A browser fetches the link ahead of its reader: counted like any visit, but not among people. */
  prefetch: z.boolean().default(false),
  /** The query string as received, `?` included, for links that pass it on. */
  query: z.string().default(''),
});

/** Where to redirect to. `counted` is false for the password page and for HEAD. */
export const visitResult = z.object({ location: z.string(), permanent: z.boolean(), counted: z.boolean() });
export type VisitResult = z.output<typeof visitResult>;

const MAX_USER_AGENT_LENGTH = 512;

/**
 * Follows a link: counts and logs exactly one visit, durably, before the response. Of N concurrent visits to
 * a link with M uses left, exactly M succeed; the rest get 404 (contract §4).
 */
export async function visit(ctx: Context, input: z.output<typeof visitInput>): Promise<VisitResult> {
  if (input.head) return peek(ctx, input);
  const visitor = {
    userAgent: ctx.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    ipAddress: ctx.address,
    referrerHost: hostOf(input.referrer),
    prefetch: input.prefetch,
  };
  let outcome = await ctx.app.visits.take(input.uniqueId, visitor, null);
  if (outcome === 'LOCKED') {
    const url = await livingUrl(ctx, input.uniqueId);
    const page = await unlock(ctx, url, input);
    if (page !== null) return page;
    outcome = await ctx.app.visits.take(input.uniqueId, visitor, url.id);
  }
  if (outcome === 'MISSING' || outcome === 'LOCKED') return pageOfHidden(ctx, input.uniqueId);
  // A program that makes link previews reads the page of the link, which shows what its owner chose.
  if (outcome.previewed && readsForPreview(ctx.userAgent))
    return { location: webUrl(ctx.app, 'url', input.uniqueId), permanent: false, counted: true };
  return { location: targetOf(outcome, input.query), permanent: true, counted: true };
}

async function peek(ctx: Context, input: z.output<typeof visitInput>): Promise<VisitResult> {
  const url = await ctx.app.load.url(input.uniqueId);
  if (url === null || isEnded(url)) return pageOfHidden(ctx, input.uniqueId);
  const page = await unlock(ctx, url, input);
  return page ?? { location: targetOf(url, input.query), permanent: true, counted: false };
}

/** Leads owner and moderators of a link in quarantine to its page, which says why; 404 for all others. */
async function pageOfHidden(ctx: Context, uniqueId: string): Promise<VisitResult> {
  const url = (await ctx.caller()) === null ? null : await ctx.app.load.url(uniqueId);
  if (url === null || url.quarantine === null || !(await may(ctx, 'open', 'url', url))) fail('NOT_FOUND');
  return { location: webUrl(ctx.app, 'url', url.uniqueId), permanent: false, counted: false };
}

/** Where a link leads with the query of this visit. */
const targetOf = (url: Pick<Link, 'originalUrl' | 'forwardQuery'>, query: string): string =>
  asLocation(url.forwardQuery ? withForwarded(url.originalUrl, query) : url.originalUrl);

/** Null if the caller may follow a link with a password; otherwise, for browsers, a redirect to its page. */
async function unlock(
  ctx: Context,
  url: Link,
  input: z.output<typeof visitInput>,
): Promise<VisitResult | null> {
  const open = input.prefersPage ? accessOrNull : authorise;
  if ((await open(ctx, 'url', url, input.password)) !== null) return null;
  return { location: webUrl(ctx.app, 'url', url.uniqueId), permanent: false, counted: false };
}

/** Whether the link can no longer be followed; only its owner and administrators still see it. */
export const isEnded = (url: Link): boolean => isUnavailable(url) || isUsedUp(url.visits, url.maxUses);

/** The link if it can be followed; 404 otherwise. */
async function livingUrl(ctx: Context, uniqueId: string): Promise<Link> {
  const url = found(await ctx.app.load.url(uniqueId));
  if (isEnded(url)) fail('NOT_FOUND');
  return url;
}
