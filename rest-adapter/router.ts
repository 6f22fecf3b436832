import Router from '@koa/router';
import type { Context as KoaContext } from 'koa';
import type { Context } from '../routers/context.js';
import { DomainError } from '../routers/errors.js';
import type { CookieSettings } from './cookies.js';
import { isOurFault, writeFailure } from './failure.js';
import { handle } from './handle.js';
import { writeSimple } from './reply.js';
import type { Route } from './route.js';

/** What the adapter needs from the server around it. */
export interface AdapterOptions {
  readonly cookies: CookieSettings;
  contextOf(koa: KoaContext): Context;
  /** Told about every error that is nobody's fault but ours. */
  onError(error: unknown, koa: KoaContext): void;
}

const ID_PARAMETERS = ['uniqueId', 'identifier'] as const;

/** `/image/get/{uniqueId}` below a prefix, as the router writes it; `/` is the prefix itself. */
const routerPath = (prefix: string, path: string): string =>
  (path === '/' ? prefix : `${prefix}${path}`.replace(/\{(\w+)\}/g, ':$1')) || '/';

/** Mounts routes under a prefix. Methods a path does not have get 405, errors the envelope. */
export function createRouter(routes: readonly Route[], prefix: string, options: AdapterOptions): Router {
  const router = new Router();
  const mount = (route: Route): void => {
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[method](routerPath(prefix, route.path), async (koa: KoaContext) => {
      koa.respond = false;
      try {
        await handle(route, options.contextOf(koa), koa, options.cookies);
      } catch (error) {
        renderFailure(error, koa, options);
      }
    });
  };
  const isFixed = ({ path }: Route) => !path.includes('{');
  routes.filter(isFixed).forEach(mount);
  for (const [path, methods] of shadowing(routes))
    router.all(routerPath(prefix, path), (koa: KoaContext) => refuseMethod(koa, methods));
  routes.filter((route) => !isFixed(route)).forEach(mount);
  return router;
}

/** Fixed paths that one with parameters matches, too, with the methods they have: so that `/email/send` is never taken for an address. */
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

/** Answers an error in the envelope, with the id that the path names. */
export function renderFailure(error: unknown, koa: KoaContext, options: AdapterOptions): void {
  if (isOurFault(error)) options.onError(error, koa);
  const id = ID_PARAMETERS.map((name) => koa.params?.[name]).find((value) => value !== undefined);
  writeFailure(koa.res, error, id === undefined || id.length > 64 ? null : id);
}

/** The methods that the path of a request has, whichever was asked for. */
export function methodsOf(koa: KoaContext): string[] {
  const matched = (koa.matched ?? []) as readonly { readonly methods: readonly string[] }[];
  return [...new Set(matched.flatMap((layer) => layer.methods))];
}

/** Answers what no route took: 404, and where the path has other methods their names to OPTIONS and 405 to the rest. */
export function refuseUnmatched(koa: KoaContext): void {
  const methods = methodsOf(koa);
  koa.respond = false;
  if (methods.length === 0) {
    writeFailure(koa.res, new DomainError('NOT_FOUND'), null);
    return;
  }
  refuseMethod(koa, methods);
}

/** Answers a method that a path does not have: 405, or 204 to `OPTIONS`, with those that it has. */
export function refuseMethod(koa: KoaContext, methods: readonly string[]): void {
  koa.respond = false;
  koa.res.setHeader('allow', [...methods, 'OPTIONS'].join(', '));
  if (koa.method === 'OPTIONS') writeSimple(koa.res, { as: 'empty', status: 204 });
  else writeFailure(koa.res, new DomainError('METHOD_NOT_ALLOWED'), null);
}
