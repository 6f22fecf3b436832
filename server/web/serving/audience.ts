import type { Context as KoaContext, Middleware } from 'koa';
import type { CookieSettings } from '../../../rest-adapter/cookies.js';
import type { Context } from '../../../routers/core/context.js';
import { assetAt } from './assets.js';

/** What the pages need from the server. */
export interface PageOptions {
  readonly cookies: CookieSettings;
  /** Origin of presigned content; null when all bytes come from this server. */
  readonly mediaOrigin: string | null;
  contextOf(koa: KoaContext): Context;
  /** Called for every error that is a fault of the server. */
  onError(error: unknown, koa: KoaContext): void;
}

const both =
  /^\/(?:v1\/?)?$|^\/r\/|^\/v1\/(?:chatapp|discord)\/(?:start|callback)$|^\/v1\/auth\/oidc\/[^/]+\/(?:start|callback|logout)$/;

const belowWeb = /^(?:\/v1)?\/web(?:\/|$)/;
/** Opened from a mail, by any kind of client. */
const verificationLink = /^\/v1\/auth\/verify\/token\/?$/i;

/** The pages of a server. */
export interface Pages {
  /** Serves pages; other requests are passed on. */
  readonly serve: Middleware;
  /** Answers a request with an error page. */
  refuse(koa: KoaContext, error: Error): Promise<void>;
}

/** Whether a path serves the API to tools and a page to browsers. */
export const hasBoth = ({ path }: Pick<KoaContext, 'path'>): boolean => both.test(path);

/** Whether a path belongs to the pages for any `Accept` header. */
export const isForPages = ({ path }: Pick<KoaContext, 'path'>): boolean =>
  belowWeb.test(path) || verificationLink.test(path) || assetAt(path) !== null;

/** Whether a browser is probably asking. */
export const acceptsHtml = (koa: KoaContext): boolean => koa.get('accept').includes('text/html');
