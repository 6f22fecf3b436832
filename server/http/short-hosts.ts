import type Koa from 'koa';
import { type AdapterOptions, createRouter } from '../../rest-adapter/router.js';
import { routes } from '../../rest-adapter/routes/index.js';
import { canonicalHost, hostIn } from '../../routers/short-hosts.js';
import type { Config } from '../config/config.js';

/** Serves `/{id}` under the hosts that are there for short addresses alone. */
export function serveShortHosts(config: Config, adapter: AdapterOptions): Koa.Middleware {
  const hosts = shortHostsOf(config);
  const follow = createRouter(
    routes
      .filter((route) => route.procedure === 'site.follow')
      .map((route) => ({ ...route, path: '/{uniqueId}' })),
    '',
    adapter,
  ).routes();
  return (ctx, next) => (hosts.has(canonicalHost(ctx.host)) ? follow(ctx as never, next) : next());
}

/** The hosts that serve `/{id}`. One that is also the host of everything else keeps `/r/{id}`. */
function shortHostsOf(config: Config): ReadonlySet<string> {
  const { image, paste, url } = config.shortUrls;
  const addresses = [image, paste, url].filter((address) => address !== null);
  const hosts = new Set(addresses.map(hostIn));
  hosts.delete(hostIn(config.origin));
  return hosts;
}
