import type { Context as KoaContext } from 'koa';
import type { Config } from '../config/config.js';

/**
 * What a page may load and do: its own scripts and styles, pictures and media of this service, nothing inline
 * and nothing of other sites. `media` adds where presigned content comes from.
 */
export function contentPolicy(media: string | null): string {
  const content = media === null ? "'self'" : `'self' ${media}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${content} data: blob:`,
    `media-src ${content}`,
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/**
 * Puts the headers of a page on an answer. Forms need the referrer policy: under a stricter one browsers send
 * them with `Origin: null`, which the defence against cross-site requests refuses.
 */
export function applyPolicy(koa: KoaContext, policy: string): void {
  koa.set('Content-Security-Policy', policy);
  koa.set('Referrer-Policy', 'same-origin');
  koa.set('Cache-Control', 'no-store');
}

/**
 * What a frame with HTML that others wrote may do besides being looked at: its links open pages of their own, which
 * are free of the frame's limits.
 */
export const foreignSandbox = 'allow-popups allow-popups-to-escape-sandbox';

/** What HTML that others wrote may do: be looked at, in a frame of our own pages, and be left by its links. */
export const foreignPolicy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox ${foreignSandbox}`;

/** Where presigned content comes from; null when all bytes come from this server. */
export function mediaOriginOf(s3: Config['s3']): string | null {
  if (s3 === null || !s3.redirect) return null;
  const { protocol, host } = new URL(s3.endpoint);
  return s3.forcePathStyle ? `${protocol}//${host}` : `${protocol}//${s3.bucket}.${host}`;
}
