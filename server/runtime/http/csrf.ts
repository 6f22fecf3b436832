import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { writeFailure } from '../../../rest-adapter/failure.js';
import { DomainError } from '../../../routers/errors.js';
import { isForPages, type Pages } from '../../web/mount.js';
import type { Config } from '../config/config.js';
import { parseCookies } from './cookies.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const OUR_COOKIES = /^(?:session_token|verify_token|mailbox_token.*|oauth_state|new_email|sign_in)$/;
/** Cross-site sign-in is refused even without a cookie, so that a site cannot sign users in to another account. */
const SIGN_IN =
  /^\/(?:v1\/)?(?:auth\/(?:login|register)|(?:chatapp|discord)\/login|web\/(?:login|register))\/*$/i;
const TRPC_SIGN_IN = /^\/trpc\/.*(?:auth\.(?:login|register)|chatapp\.login)/i;

/** Refuses cross-site requests; with an error page on page paths. */
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
 * True for a state-changing cross-site request (contract §5): one that sends one of our cookies or signs in, from an
 * origin that is neither ours nor in CORS_ORIGINS.
 */
function isCrossSite(req: IncomingMessage, requested: string, ownOrigins: ReadonlySet<string>): boolean {
  if (SAFE_METHODS.has(req.method ?? 'GET')) return false;
  const path = decoded(requested);
  const concerned =
    [...parseCookies(req.headers.cookie).keys()].some((name) => OUR_COOKIES.test(name)) ||
    SIGN_IN.test(path) ||
    TRPC_SIGN_IN.test(path);
  if (!concerned) return false;
  const { origin } = req.headers;
  if (origin !== undefined) return !ownOrigins.has(origin);
  const site = req.headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

/** Whether the origin is this server under another name than `BASE_URL`, such as a LAN name or an IP address. */
function isOtherName({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

/** Percent-encoded paths reach the same operation. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
