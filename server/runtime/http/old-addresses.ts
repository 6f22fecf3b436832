import type Koa from 'koa';
import { MAX_ADDRESS_LENGTH, oldTarget } from '../../../db/content/old-address.js';
import { API_PREFIX } from '../../../rest-adapter/route.js';
import { type AdapterOptions, createRouter } from '../../../rest-adapter/router.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { leadsOn } from '../../../routers/base/kinds.js';
import { inPath } from '../../../routers/base/slug.js';
import { rawUrl, webUrl } from '../../../routers/core/items/links.js';
import { collectionUrl } from '../../../routers/features/collection/to-record.js';

/**
 * Leads from the addresses that imported items had in another product to where they are now. What the visitor may see
 * and what is counted is decided there.
 */
export function serveOldAddresses(adapter: AdapterOptions): Koa.Middleware {
  const { contextOf } = adapter;
  const follow = createRouter(
    routes.filter((route) => route.procedure === 'url.visit'),
    API_PREFIX,
    adapter,
  );
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
    // A link leads on at once.
    if (leadsOn(kind) && !showsPage) {
      ctx.path = `${API_PREFIX}/url/r/${inPath(uniqueId)}`;
      return follow(ctx, next);
    }
    const whole =
      kind === 'collection' ? collectionUrl(app, target) : (showsPage ? webUrl : rawUrl)(app, kind, uniqueId);
    const url =
      target.file === null || showsPage ? whole : `${whole}&file=${encodeURIComponent(target.file)}`;
    ctx.status = 302;
    ctx.set('Cache-Control', 'no-cache');
    // A file may be asked for as a download.
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
