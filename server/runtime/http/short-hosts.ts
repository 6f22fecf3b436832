import type Koa from 'koa';
import type { Domain } from '../../../db/content/link/domain.js';
import { type AdapterOptions, createRouter, refuseUnmatched } from '../../../rest-adapter/router.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { DomainError } from '../../../routers/base/errors.js';
import { PROOF_PATH } from '../../../routers/base/ports/domain-proof.js';
import { isReserved } from '../../../routers/base/slug.js';
import { activeAt } from '../../../routers/core/items/domains.js';
import { canonicalHost, hostIn } from '../../../routers/core/items/short-hosts.js';
import { asLocation } from '../../../routers/features/link/target.js';
import { assetAt } from '../../web/serving/assets.js';
import { acceptsHtml, type Pages } from '../../web/serving/audience.js';
import type { Config } from '../config/config.js';
import { PROBE } from './starting.js';

/**
 * Serves `/{id}` on the hosts that exist only for short links; browsers get the pages that `/r/{id}` serves. Health checks
 * are answered by any name.
 */
export function serveShortHosts(
  config: Config,
  adapter: AdapterOptions,
  pages: Pages,
  old: Koa.Middleware,
): Koa.Middleware {
  const hosts = shortHostsOf(config);
  const follow = createRouter(
    routes
      .filter((route) => route.procedure === 'site.follow')
      .map((route) => ({ ...route, path: '/{uniqueId}' })),
    '',
    adapter,
  );
  return async (ctx, next) => {
    if (assetAt(ctx.path) !== null || PROBE.test(ctx.path)) return next();
    if (!hosts().has(canonicalHost(ctx.host))) {
      const isProof = ctx.path.startsWith(PROOF_PATH);
      const domain = isProof ? null : await activeAt(adapter.contextOf(ctx).app, ctx.host);
      return domain === null ? next() : serveDomain(ctx, next, domain);
    }
    if (isAnswered(ctx)) return next();
    // Before the ids, because upper and lower case differ in the addresses of other products.
    return old(ctx, () => serve(ctx, next));
  };

  /** On the host of an account there is nothing but its links: the service has its own. */
  async function serveDomain(ctx: Koa.Context, next: Koa.Next, { fallbackUrl }: Domain): Promise<unknown> {
    if (ctx.path !== '/') return serve(ctx, next);
    if (fallbackUrl === null)
      return acceptsHtml(ctx) ? pages.refuse(ctx, new DomainError('NOT_FOUND')) : refuseUnmatched(ctx);
    ctx.redirect(asLocation(fallbackUrl));
  }

  async function serve(ctx: Koa.Context, next: Koa.Next): Promise<unknown> {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || !acceptsHtml(ctx) || ctx.path === '/') {
      ctx.vary('Accept');
      return follow(ctx, next);
    }
    ctx.path = `/r${ctx.path}`;
    return pages.serve(ctx, next);
  }
}

/** Leaves requests to the hosts of short links to the next middleware. */
export function exceptShortHosts(config: Config, serve: Koa.Middleware): Koa.Middleware {
  const hosts = shortHostsOf(config);
  return (ctx, next) => (hosts().has(canonicalHost(ctx.host)) ? next() : serve(ctx, next));
}

/** Whether the service has something else there: words of its own with something below them. */
const isAnswered = ({ path }: Koa.Context): boolean =>
  path.replace(/\/$/, '').lastIndexOf('/') > 0 && isReserved(path.slice(1));

/** The hosts that serve `/{id}`. If the short host is also the main host, links stay at `/r/{id}`. */
function shortHostsOf(config: Config): () => ReadonlySet<string> {
  let known: Config['shortUrls'] | null = null;
  let hosts = new Set<string>();
  return () => {
    if (known === config.shortUrls) return hosts;
    known = config.shortUrls;
    const addresses = Object.values(known).filter((address) => address !== null);
    hosts = new Set(addresses.map(hostIn));
    hosts.delete(hostIn(config.origin));
    return hosts;
  };
}
