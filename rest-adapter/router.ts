import Router from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import { DomainError } from '../routers/base/errors.js';
import { charactersOf, MAX_ID } from '../routers/base/slug.js';
import type { Context } from '../routers/core/context.js';
import { requireCreator } from '../routers/core/trpc.js';
import { isFrontEnd } from '../routers/features/tools/index.js';
import type { CookieSettings } from './cookies.js';
import { answerFailure, isOurFault, writeFailure, writeTextFailure } from './failure.js';
import { handle } from './handle.js';
import { writeSimple } from './reply/write.js';
import type { Route } from './route.js';
import { announceTus, answerTus, refuseTus, refuseUnsupported, speaksTus } from './tus.js';

/** What the adapter needs from the server. */
export interface AdapterOptions {
  readonly cookies: CookieSettings;
  contextOf(koa: KoaContext): Context;
  /** Called for every error that is the server's fault. */
  onError(error: unknown, koa: KoaContext): void;
}

const ID_PARAMETERS = ['uniqueId', 'identifier'] as const;

/** `/image/get/{uniqueId}` below a prefix, in the router's syntax; `/` is the prefix itself. */
const routerPath = (prefix: string, path: string, deep = false): string => {
  const whole = path === '/' ? prefix : `${prefix}${path}`;
  return (deep ? whole.replace(/\{(\w+)\}$/, '*$1') : whole).replace(/\{(\w+)\}/g, ':$1') || '/';
};

/** The first segment of a route's path; `ANY` for a parameter. */
const ANY = '{';
const segmentOf = (path: string): string => {
  const [, segment = ''] = path.toLowerCase().split('/', 2);
  return segment.startsWith(ANY) ? ANY : segment;
};

/**
 * Mounts routes under a prefix. Unsupported methods get 405, errors the envelope. Routes with the same first segment share
 * a router, because a router tries each of its routes.
 */
export function createRouter(routes: readonly Route[], prefix: string, options: AdapterOptions): Middleware {
  const routers = new Map<string, Router>();
  const routerAt = (path: string): Router => {
    const segment = segmentOf(path);
    const router = routers.get(segment) ?? new Router();
    routers.set(segment, router);
    return router;
  };
  const mount = (route: Route): void => {
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    routerAt(route.path)[method](routerPath(prefix, route.path, route.deep), async (koa: KoaContext) => {
      koa.respond = false;
      const ctx = options.contextOf(koa);
      try {
        if (route.tus !== null) await requireTus(route, ctx, koa);
        await handle(route, ctx, koa, options.cookies);
      } catch (error) {
        if (route.textErrors && isFrontEnd(ctx, koa.req.headers.origin ?? null)) {
          if (isOurFault(error)) options.onError(error, koa);
          writeTextFailure(koa.res, error);
        } else await renderFailure(error, koa, options, route.shown);
      }
    });
  };
  for (const path of new Set(routes.filter(({ tus }) => tus !== null).map((route) => route.path)))
    routerAt(path).options(routerPath(prefix, path), (koa: KoaContext) => {
      koa.respond = false;
      answerTus(koa.res, options.contextOf(koa).app.settings.maxUploadBytes);
    });
  const isFixed = ({ path }: Route) => !path.includes('{');
  routes.filter(isFixed).forEach(mount);
  for (const [path, methods] of shadowing(routes))
    routerAt(path).all(routerPath(prefix, path), (koa: KoaContext) => refuseMethod(koa, methods));
  routes.filter((route) => !isFixed(route)).forEach(mount);
  const mounted = new Map([...routers].map(([segment, router]) => [segment, router.routes() as Middleware]));
  const atAny = mounted.get(ANY);
  return (koa, next) => {
    if (!koa.path.toLowerCase().startsWith(prefix)) return next();
    const others = atAny === undefined ? next : () => atAny(koa, next);
    const at = mounted.get(segmentOf(koa.path.slice(prefix.length)));
    return at === undefined || at === atAny ? others() : at(koa, others);
  };
}

/** Refuses what is not spoken of the protocol of resumable uploads; whoever may not upload gets that refusal, as ever. */
async function requireTus(route: Route, ctx: Context, { method, req, res }: KoaContext): Promise<void> {
  announceTus(res);
  if (!speaksTus(method, req)) {
    if (route.credentials.length > 0) await requireCreator(ctx);
    refuseTus(res);
  }
  refuseUnsupported(method, req);
}

/** Fixed paths that also match one with parameters, with their methods: `/email/send` must not match as an address. */
function shadowing(routes: readonly Route[]): Map<string, string[]> {
  const open = routes
    .filter(({ path }) => path.includes('{'))
    .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
  const found = new Map<string, string[]>();
  for (const { path, method } of routes) {
    if (path.includes('{') || !open.some((pattern) => pattern.test(path))) continue;
    found.set(path, [...(found.get(path) ?? []), ...(method === 'GET' ? ['HEAD', 'GET'] : [method])]);
  }
  return found;
}

/** Sends an error in the envelope, with the id from the path; `shown` as in `answerFailure`. */
export function renderFailure(
  error: unknown,
  koa: KoaContext,
  options: Pick<AdapterOptions, 'onError'>,
  shown: boolean,
): Promise<void> {
  if (isOurFault(error)) options.onError(error, koa);
  const id = ID_PARAMETERS.map((name) => koa.params?.[name]).find((value) => value !== undefined);
  return answerFailure(koa.res, error, id === undefined || charactersOf(id) > MAX_ID ? null : id, shown);
}

/** All methods of a request's path. */
export function methodsOf(koa: KoaContext): string[] {
  const matched = (koa.matched ?? []) as readonly { readonly methods: readonly string[] }[];
  return [...new Set(matched.flatMap((layer) => layer.methods))];
}

/** Responds to requests without a route: 404, or if the path has other methods, 204 to OPTIONS and 405 to the rest. */
export function refuseUnmatched(koa: KoaContext): void {
  const methods = methodsOf(koa);
  koa.respond = false;
  if (methods.length === 0) {
    writeFailure(koa.res, new DomainError('NOT_FOUND'), null);
    return;
  }
  refuseMethod(koa, methods);
}

/** Responds to an unsupported method: 405, or 204 to `OPTIONS`, with the supported methods. */
export function refuseMethod(koa: KoaContext, methods: readonly string[]): void {
  koa.respond = false;
  koa.res.setHeader('allow', [...methods, 'OPTIONS'].join(', '));
  if (koa.method === 'OPTIONS') writeSimple(koa.res, { as: 'empty', status: 204 });
  else writeFailure(koa.res, new DomainError('METHOD_NOT_ALLOWED'), null);
}
