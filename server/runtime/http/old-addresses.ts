import type Koa from 'koa';
import { MAX_ADDRESS_LENGTH, oldTarget } from '../../../db/content/old-address.js';
import type { Context } from '../../../routers/core/context.js';
import { rawUrl, webUrl } from '../../../routers/core/items/links.js';
import { collectionUrl } from '../../../routers/features/collection/record.js';

/**
 * Leads from the addresses that imported items had in another product to where they are now. What the visitor may see
 * and what is counted is decided there.
 */
export function serveOldAddresses(contextOf: (ctx: Koa.Context) => Context): Koa.Middleware {
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const address = isRead ? addressOf(ctx) : null;
    if (address === null) return next();
    const { app } = contextOf(ctx);
    const target = await oldTarget(app.db.read, address);
    if (target === null) return next();
    const { kind, uniqueId } = target;
    // A page asks for the password.
    const showsPage = target.asPage || target.isProtected;
    const url =
      kind === 'collection'
        ? collectionUrl(app, target)
        : (showsPage ? webUrl : rawUrl)(app, kind, encodeURIComponent(uniqueId));
    ctx.status = 302;
    ctx.set('Cache-Control', 'no-cache');
    // A link may pass the query on to its target, and a file may be asked for as a download.
    ctx.redirect(!showsPage && !url.includes('?') ? `${url}${ctx.search}` : url);
  };
}

/** How PrivateBin addresses a paste: by the query of the root. */
const PASTE_OF_ROOT = /^\?[0-9a-f]{16}$/;

/** Whether a request is for an old address below the first page, and not for that page. */
export const isPasteOfRoot = ({ path, search }: Pick<Koa.Context, 'path' | 'search'>): boolean =>
  path === '/' && PASTE_OF_ROOT.test(search);

/** The path as `old_addresses` keeps it; null for what cannot be in there. */
function addressOf({ path, search }: Koa.Context): string | null {
  if (isPasteOfRoot({ path, search })) return search;
  try {
    const address = decodeURIComponent(path).replace(/^\/+|\/+$/g, '');
    return address === '' || address.length > MAX_ADDRESS_LENGTH || address.includes('\u0000')
      ? null
      : address;
  } catch {
    return null;
  }
}
