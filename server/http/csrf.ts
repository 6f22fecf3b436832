import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { writeFailure } from '../../rest-adapter/failure.js';
import { DomainError } from '../../routers/errors.js';
import type { Config } from '../config/config.js';
import { isForPages, type Pages } from '../web/mount.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const OUR_COOKIES = /(?:^|;\s*)(?:session_token|verify_token|mailbox_token|oauth_state|new_email|sign_in)=/;
/** Signing in is refused across sites even without a cookie, so that nobody is signed in to a foreign account. */
const SIGN_IN =
  /^\/(?:v1\/)?(?:auth\/(?:login|register)|(?:chatapp|discord)\/login|web\/(?:login|register))\/*$/i;
const TRPC_SIGN_IN = /^\/trpc\/.*(?:auth\.(?:login|register)|chatapp\.login)/i;

/** Refuses what another site made a browser send, on pages with a page. */
export function refuseCrossSite(
  { origin, corsOrigins }: Pick<Config, 'origin' | 'corsOrigins'>,
  pages: Pages,
): Koa.Middleware {
  const ownOrigins = new Set([origin, ...corsOrigins]);
  return (ctx, next) => {
    if (!isCrossSite(ctx.req, ctx.path, ownOrigins)) return next();
    ctx.req.resume();
    const refusal = new DomainError(
      'CROSS_SITE',
      isOtherName(ctx.req) ? { message: `Open this site as ${origin} to sign in or make changes` } : {},
    );
    if (isForPages(ctx)) return pages.refuse(ctx, refusal);
    ctx.respond = false;
    writeFailure(ctx.res, refusal, null);
  };
}

/**
 * True for a state-changing request that another site made a browser send (contract §5): with one of our
 * cookies, or to sign in, from an origin that is neither ours nor in CORS_ORIGINS.
 */
function isCrossSite(req: IncomingMessage, requested: string, ownOrigins: ReadonlySet<string>): boolean {
  if (SAFE_METHODS.has(req.method ?? 'GET')) return false;
  const path = decoded(requested);
  const concerned =
    OUR_COOKIES.test(req.headers.cookie ?? '') || SIGN_IN.test(path) || TRPC_SIGN_IN.test(path);
  if (!concerned) return false;
  const { origin } = req.headers;
  if (origin !== undefined) return !ownOrigins.has(origin);
  const site = req.headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

/** Whether it was sent from this very site, under a name that is not the one it is known by (a LAN name, an address). */
function isOtherName({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

/** Paths reach their operation however their letters are written. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
