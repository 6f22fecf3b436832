import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import { serveDoors } from '../../../rest-adapter/doors/mount.js';
import type { DoorName } from '../../../rest-adapter/doors/names.js';
import { writeFailure } from '../../../rest-adapter/failure.js';
import { API_PREFIX } from '../../../rest-adapter/route.js';
import { createRouter, methodsOf, refuseMethod, refuseUnmatched } from '../../../rest-adapter/router.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { UPLOADS_PATH } from '../../../rest-adapter/tus.js';
import { DomainError } from '../../../routers/base/errors.js';
import { presignedOrigin } from '../../drivers/storage/options.js';
import { loadedOnce } from '../../shared/loaded-once.js';
import { packageVersion } from '../../shared/version.js';
import { acceptsHtml } from '../../web/serving/audience.js';
import { createPages } from '../../web/serving/mount.js';
import type { Config } from '../config/config.js';
import type { ContextFactory } from './context.js';
import { refuseCrossSite } from './csrf.js';
import { isPasteOfRoot, serveOldAddresses } from './old-addresses.js';
import { exceptShortHosts, serveShortHosts } from './short-hosts.js';
import { createTrpcHandler } from './trpc.js';

const OVERRIDABLE: ReadonlySet<string> = new Set(['PATCH', 'DELETE', 'HEAD']);

/** Clients of resumable uploads that cannot send every method send POST and name the method in a header. */
const overrideTusMethod: Koa.Middleware = (ctx, next) => {
  const wished = ctx.get('X-HTTP-Method-Override').toUpperCase();
  if (
    ctx.method === 'POST' &&
    OVERRIDABLE.has(wished) &&
    ctx.path.startsWith(`${API_PREFIX}${UPLOADS_PATH}/`)
  )
    ctx.method = wished;
  return next();
};

/** Serves `/v1/openapi.json`, which is generated on first use. */
function serveApiDescription(origin: string): Koa.Middleware {
  const describe = loadedOnce(() => description(origin));
  return async (ctx, next) => {
    if (ctx.path.replace(/\/$/, '') !== `${API_PREFIX}/openapi.json`) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return refuseMethod(ctx, ['HEAD', 'GET']);
    ctx.set('cache-control', 'no-cache');
    ctx.type = 'application/json';
    ctx.body = await describe();
  };
}

async function description(origin: string): Promise<string> {
  const { describeApi } = await import('../../../rest-adapter/openapi/index.js');
  return JSON.stringify(
    describeApi(routes, { version: await packageVersion(), baseUrl: `${origin}${API_PREFIX}` }),
  );
}

const isBelowApi = (path: string): boolean => path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);

/** Everything behind the hot path, in the order in which it handles a request. Errors are passed to `report`. */
export function createKoa(
  config: Config,
  contextOf: ContextFactory,
  report: (error: unknown, req: IncomingMessage) => void,
  metrics: Koa.Middleware,
): Koa {
  const koa = new Koa();
  // Koa tells of the failure of a stream twice.
  const reported = new WeakSet<Error>();
  koa.on('error', (error: Error, { req }: Koa.Context) => {
    if (!reported.has(error)) report(error, req);
    reported.add(error);
  });
  const adapter = {
    cookies: config.cookies,
    contextOf: (ctx: Koa.Context) => contextOf(ctx.req),
    onError: (error: unknown, ctx: Koa.Context) => report(error, ctx.req),
  };
  const api = createRouter(routes, API_PREFIX, adapter);
  const root = createRouter(
    routes.filter((route) => route.atRoot),
    '',
    adapter,
  );
  koa.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.respond = false;
      report(error, ctx.req);
      writeFailure(ctx.res, error, null);
    }
  });
  const pages = createPages({
    ...adapter,
    mediaOrigin: presignedOrigin(config.s3),
  });
  koa.use(refuseCrossSite(config, pages));
  koa.use((ctx, next) => {
    // Some clients percent-encode the `@` of `@me`; no path needs it encoded.
    ctx.path = ctx.path.replaceAll('%40', '@');
    return next();
  });
  koa.use(overrideTusMethod);
  koa.use(createTrpcHandler(contextOf, config.cookies, report));
  const old = serveOldAddresses(adapter);
  koa.use(serveShortHosts(config, adapter, pages, old));
  koa.use((ctx, next) => (isPasteOfRoot(ctx) ? old(ctx, next) : next()));
  koa.use(pages.serve);
  koa.use(metrics);
  koa.use(root);
  const isOpen = (name: DoorName) => config.speaks.includes(name);
  koa.use(exceptShortHosts(config, serveDoors(isOpen, adapter, { named: false })));
  const namedDoors = exceptShortHosts(config, serveDoors(isOpen, adapter, { named: true }));
  koa.use(api);
  koa.use(serveApiDescription(config.origin));
  koa.use((ctx) => {
    if (ctx.respond === false) return undefined;
    // Below /v1 every failure is the JSON envelope (contract §2). Elsewhere it may be a mistyped address.
    if (isBelowApi(ctx.path) || methodsOf(ctx).length > 0) return refuseUnmatched(ctx);
    const refuse = async () => {
      ctx.vary('Accept');
      return acceptsHtml(ctx) ? pages.refuse(ctx, new DomainError('NOT_FOUND')) : refuseUnmatched(ctx);
    };
    return old(ctx, async () => namedDoors(ctx, refuse));
  });
  return koa;
}
