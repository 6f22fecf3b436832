import { createHash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';

/**
 * What a page may load and do: its own scripts and styles, pictures and media of this service or of what its scripts
 * decrypted, nothing inline and nothing from other sites. `media` adds the origin of presigned content.
 */
export function contentPolicy(media: string | null): string {
  const content = media === null ? "'self'" : `'self' ${media}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${content} data: blob:`,
    `media-src ${content} blob:`,
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    // The worker that hashes folders is the only script that another one starts.
    'trusted-types hasher',
  ].join('; ');
}

/** What no page of ours uses, and nothing embedded in it may ask for. */
const UNUSED = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Sets the response headers of a page. Forms need this referrer policy: with a stricter one, browsers send `Origin:
 * null`, which the protection against cross-site requests refuses.
 */
export function applyPolicy(koa: KoaContext, policy: string): void {
  koa.set('Content-Security-Policy', policy);
  koa.set('Referrer-Policy', 'same-origin');
  koa.set('Permissions-Policy', UNUSED);
  koa.set('Cache-Control', 'no-store');
}

/** The sandbox for a frame with untrusted HTML: its links may open new pages, which are not sandboxed. */
export const FOREIGN_SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

/** Untrusted HTML is shown on white paper, whatever the theme is: its colours were chosen for that. */
export const FOREIGN_STYLE =
  '<style>:root{color-scheme:light;background:#fff;color:#000}body{overflow-wrap:anywhere;font-family:system-ui,sans-serif}img{max-width:100%;height:auto}</style>';

/**
 * The policy for untrusted HTML: it can only be shown in a frame of our own pages, and its links can be opened. Pictures of
 * other servers load if its reader wants them.
 */
export const foreignPolicy = (remotePictures: boolean): string =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src data:${remotePictures ? ' https: http:' : ''}; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox ${FOREIGN_SANDBOX}`;

/**
 * The policy for a frame that draws what strangers wrote: its one script runs, which stands in the document, nothing loads,
 * and it has no origin, wherever it is opened.
 */
export function drawingPolicy(document: Buffer): string {
  const [from, to] = [document.indexOf('<script>') + '<script>'.length, document.indexOf('</script>')];
  const hash = createHash('sha256').update(document.subarray(from, to)).digest('base64');
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-scripts`;
}
