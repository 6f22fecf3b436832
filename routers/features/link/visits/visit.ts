import { z } from 'zod';
import { isQuarantined, isUnavailable, isUsedUp } from '../../../../db/content/life.js';
import type { Link } from '../../../../db/content/link/link.js';
import { hasNotBegun } from '../../../../db/content/link/link-way.js';
import { fail, found } from '../../../base/errors.js';
import { hostOf } from '../../../base/referrer.js';
import { accessOrNull, authorise } from '../../../core/access.js';
import type { Context } from '../../../core/context.js';
import { followedInput } from '../../../core/items/ids.js';
import { shownPasswordInput } from '../../../core/items/item-password.js';
import { webUrl } from '../../../core/items/links.js';
import { may } from '../../../core/policies.js';
import { noteOpened } from '../../../core/telling/opened.js';
import { readsForPreview } from '../../stats/public.js';
import { decider } from '../decide.js';
import { asLocation, withForwarded, withRest } from '../target.js';

/** A visit of a short address. */
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
  /** The `Accept-Language` header, which rules may ask for. */
  language: z.string().nullish(),
  /** What follows the id in the path, for links that pass it on. */
  rest: z.string().default(''),
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
    language: input.language ?? null,
    query: input.query,
  };
  let outcome = await ctx.app.visits.take(input.uniqueId, visitor, null);
  if (outcome === 'LOCKED') {
    const url = await livingUrl(ctx, input.uniqueId);
    const page = await unlock(ctx, url, input);
    if (page !== null) return page;
    outcome = await ctx.app.visits.take(input.uniqueId, visitor, url.id);
  }
  if (outcome === 'MISSING' || outcome === 'LOCKED')
    return (await fallbackOf(ctx, input.uniqueId)) ?? pageOfHidden(ctx, input.uniqueId);
  noteOpened(ctx, 'url', outcome.of);
  // A program that makes link previews reads the page of the link, which shows what its owner chose.
  if (outcome.previewed && readsForPreview(ctx.userAgent))
    return { location: webUrl(ctx.app, 'url', input.uniqueId), permanent: false, counted: true };
  return { location: targetOf(outcome, input), permanent: true, counted: true };
}

async function peek(ctx: Context, input: z.output<typeof visitInput>): Promise<VisitResult> {
  const url = await ctx.app.load.url(input.uniqueId);
  if (url === null || isEnded(url))
    return (await fallbackOf(ctx, input.uniqueId)) ?? pageOfHidden(ctx, input.uniqueId);
  const page = await unlock(ctx, url, input);
  if (page !== null) return page;
  const asked = () => ({
    ...{ userAgent: ctx.userAgent, language: input.language ?? null, query: input.query },
    country: ctx.app.visits.countryOf(ctx.address),
  });
  const way = { ...decider(Date.now())(url, asked), ...url.way, forwardQuery: url.forwardQuery };
  return { location: targetOf(way, input), permanent: true, counted: false };
}

/** Leads owner and moderators of a link in quarantine to its page, which says why; 404 for all others. */
async function pageOfHidden(ctx: Context, uniqueId: string): Promise<VisitResult> {
  const url = (await ctx.caller()) === null ? null : await ctx.app.load.url(uniqueId);
  if (url === null || url.quarantine === null || !(await may(ctx, 'open', 'url', url))) fail('NOT_FOUND');
  return { location: webUrl(ctx.app, 'url', url.uniqueId), permanent: false, counted: false };
}

/** Where a target leads with the rest of the path and the query of this visit. */
function targetOf(
  to: { readonly url: string; readonly forwardQuery: boolean; readonly forwardPath: boolean },
  { query, rest }: { readonly query: string; readonly rest: string },
): string {
  const url = to.forwardPath ? withRest(to.url, rest) : to.url;
  return asLocation(to.forwardQuery || to.forwardPath ? withForwarded(url, query) : url);
}

/** Where a link leads instead that is over or has not begun; null if its owner has not said, or hides it. */
export async function fallbackOf(ctx: Context, uniqueId: string): Promise<VisitResult | null> {
  const url = await ctx.app.load.url(uniqueId);
  if (url === null || url.way.fallbackUrl === null || !isEnded(url) || isQuarantined(url)) return null;
  if (!url.isPublic && !(await may(ctx, 'open', 'url', url))) return null;
  return { location: asLocation(url.way.fallbackUrl), permanent: false, counted: false };
}

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

/** Whether the link cannot be followed any more, or yet; only its owner and administrators still see it. */
export const isEnded = (url: Link): boolean =>
  isUnavailable(url) || hasNotBegun(url) || isUsedUp(url.visits, url.maxUses);

/** The link if it can be followed; 404 otherwise. */
async function livingUrl(ctx: Context, uniqueId: string): Promise<Link> {
  const url = found(await ctx.app.load.url(uniqueId));
  if (isEnded(url)) fail('NOT_FOUND');
  return url;
}
