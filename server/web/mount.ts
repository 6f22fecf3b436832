import type { Context as KoaContext, Middleware } from 'koa';
import type { CookieSettings } from '../../rest-adapter/cookies.js';
import type { Context } from '../../routers/context.js';
import type { SiteSettings } from './site-of.js';

/** What the pages need from the server around them. */
export interface PageOptions extends SiteSettings {
  readonly cookies: CookieSettings;
  /** Origin of presigned content; null when all bytes come from this server. */
  readonly mediaOrigin: string | null;
  contextOf(koa: KoaContext): Context;
  /** Told about every error that is nobody's fault but ours. */
  onError(error: unknown, koa: KoaContext): void;
}

/** Paths at which the interface answers tools, and the pages answer browsers. */
const hasBoth = /^\/(?:v1\/?)?$|^\/r\/|^\/v1\/(?:chatapp|discord)\/(?:start|callback)$/;

const belowWeb = /^(?:\/v1)?\/web(?:\/|$)/;
/** People open it from a mail; what asks may be anything. */
const verificationLink = /^\/v1\/auth\/verify\/token\/?$/i;

/** The pages of a server. */
export interface Pages {
  /** Serves them; what is not theirs and no page is left to what comes after. */
  readonly serve: Middleware;
  /** Answers a request with the page of a refusal. */
  refuse(koa: KoaContext, error: Error): Promise<void>;
}

/** Serves the pages. They are loaded when the first browser comes: many installations are used by tools alone. */
export function createPages(options: PageOptions): Pages {
  let opened: Promise<Pages> | null = null;
  const open = async (): Promise<Pages> => {
    try {
      return await (await import('./serve.js')).openPages(options);
    } catch (error) {
      opened = null;
      throw error;
    }
  };
  const pages = (): Promise<Pages> => {
    opened ??= open();
    return opened;
  };
  return {
    serve: async (koa, next) => {
      if (!isForPages(koa) && !acceptsHtml(koa)) {
        if (hasBoth.test(koa.path)) koa.vary('Accept');
        return next();
      }
      return (await pages()).serve(koa, next);
    },
    refuse: async (koa, error) => (await pages()).refuse(koa, error),
  };
}

/** Whether a path belongs to the pages whatever is asked for. */
export const isForPages = ({ path }: KoaContext): boolean =>
  belowWeb.test(path) || verificationLink.test(path);

/** Whether a browser is asking, as far as one can tell. */
export const acceptsHtml = (koa: KoaContext): boolean => koa.get('accept').includes('text/html');
