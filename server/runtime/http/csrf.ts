import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { answerFailure } from '../../../rest-adapter/failure.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { authenticates } from '../../../routers/base/cookies.js';
import { DomainError } from '../../../routers/base/errors.js';
import { localizable } from '../../../routers/base/language/localizable.js';
import { isForPages, type Pages } from '../../web/serving/audience.js';
import { SIGN_IN_FORMS } from '../../web/sign-in/paths.js';
import type { Config } from '../config/config.js';
import { parseCookies } from './cookies.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** One of these texts, in a regular expression. */
const oneOf = (texts: readonly string[]): string =>
  `(?:${[...new Set(texts)].map((text) => text.replace(/\./g, '\\.')).join('|')})`;

/** Cross-site sign-in is refused even without a cookie, so that a site cannot sign users in to another account. */
const signingIn = routes.filter(({ signsIn }) => signsIn);
const forms = Object.values(SIGN_IN_FORMS).map((path) => `/web${path}`);
const SIGN_IN = new RegExp(`^(?:/v1)?${oneOf([...signingIn.map(({ path }) => path), ...forms])}/*$`, 'i');
const TRPC_SIGN_IN = new RegExp(`^/trpc/.*${oneOf(signingIn.map(({ procedure }) => procedure))}`, 'i');

/** Leads a browser to a provider; with `intent=link`, whoever is signed in there can sign in here from then on. */
const starting = routes.filter(({ startsLink }) => startsLink).map(({ path }) => path);
const START = new RegExp(`^(?:/v1)?${oneOf(starting).replace(/\{\w+\}/g, '[^/]+')}/*$`, 'i');

/** Whether an origin is ours, or one of CORS_ORIGINS. */
type IsOwn = (origin: string) => boolean;

/** Refuses cross-site requests; with an error page on page paths. */
export function refuseCrossSite(
  config: Pick<Config, 'origin' | 'corsOrigins'>,
  pages: Pages,
): Koa.Middleware {
  const { origin } = config;
  const isOwn: IsOwn = (asked) => asked === origin || config.corsOrigins.includes(asked);
  return (ctx, next) => {
    if (!isCrossSite(ctx.req, ctx.path, isOwn)) return next();
    ctx.req.resume();
    const refusal = new DomainError(
      'CROSS_SITE',
      isOtherName(ctx.req)
        ? { message: localizable('Open this site as {origin} to sign in or make changes', { origin }) }
        : {},
    );
    if (isForPages(ctx)) return pages.refuse(ctx, refusal);
    ctx.respond = false;
    return answerFailure(ctx.res, refusal, null);
  };
}

/**
 * True for a state-changing cross-site request (contract §5): one that sends one of our cookies, or Basic credentials, or
 * signs in, from an origin that is neither ours nor in CORS_ORIGINS.
 */
function isCrossSite(req: IncomingMessage, requested: string, isOwn: IsOwn): boolean {
  const path = decoded(requested);
  if (SAFE_METHODS.has(req.method ?? 'GET')) return START.test(path) && linksFromElsewhere(req, isOwn);
  const concerned =
    [...parseCookies(req.headers.cookie).keys()].some(authenticates) ||
    isBasicOfBrowser(req) ||
    SIGN_IN.test(path) ||
    TRPC_SIGN_IN.test(path);
  if (!concerned) return false;
  const { origin } = req.headers;
  if (origin !== undefined) return !isOwn(origin);
  return isOfOtherSite(req);
}

/** Whether a browser says that another site makes it send the request. */
const isOfOtherSite = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site';

/** Whether a request has Basic credentials, which browsers keep and add by themselves, as they do cookies. */
export const hasBasic = ({ headers }: IncomingMessage): boolean =>
  /^\s*basic\s/i.test(headers.authorization ?? '');

/**
 * Whether another site makes a browser send Basic credentials. Only a script adds `X-API-Key`, and another site's needs
 * CORS for it.
 */
const isBasicOfBrowser = (req: IncomingMessage): boolean =>
  hasBasic(req) && !req.headers['x-api-key'] && isOfOtherSite(req);

/**
 * Whether another site sends a browser to link an account. It may have signed the browser in at the provider before, as
 * somebody else. A link has no `Origin`; that of an own front end has a `Referer`.
 */
function linksFromElsewhere(req: IncomingMessage, isOwn: IsOwn): boolean {
  const { url = '', headers } = req;
  const asked = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  if (![...asked.values()].some((value) => value.trim().toLowerCase() === 'link')) return false;
  const { referer = '' } = headers;
  return isOfOtherSite(req) && !(URL.canParse(referer) && isOwn(new URL(referer).origin));
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
