import type { Context as KoaContext, Middleware } from 'koa';
import { failureOf, isOurFault } from '../failure.js';
import { fieldsOf } from '../fields.js';
import { handle } from '../handle.js';
import { showKey } from '../receive/multipart.js';
import { writeSimple } from '../reply/write.js';
import type { Route } from '../route.js';
import type { AdapterOptions } from '../router.js';
import type { Door } from './door.js';

/**
 * Serves doors at the root. A path, or a method of one, that no door knows is left to `next`. GETs take no session cookie,
 * because some products create by GET.
 */
export function serveDoors(doors: readonly Door[], options: AdapterOptions): Middleware {
  const entrances = doors.flatMap((door) =>
    door.routes.map((route) => ({ door, route, path: patternOf(route) })),
  );
  return (koa, next) => {
    for (const { door, route, path } of entrances) {
      const match = route.method === koa.method ? path.exec(koa.path) : null;
      if (match === null) continue;
      koa.params = { ...match.groups };
      return enter(door, route, koa, options);
    }
    return next();
  };
}

const patternOf = ({ path }: Route): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`, 'i');

async function enter(door: Door, route: Route, koa: KoaContext, options: AdapterOptions): Promise<void> {
  koa.respond = false;
  const ctx = options.contextOf(koa);
  if (route.method === 'GET') ctx.credentials.sessionTokens = [];
  showKey(ctx, door.keyIn(fieldsOf(koa.search)));
  try {
    await handle(route, ctx, koa, options.cookies);
  } catch (error) {
    if (isOurFault(error)) options.onError(error, koa);
    refuse(door, error, koa);
  }
}

/** Sends a refusal in the form of the product, or closes the connection if the response has already begun. */
function refuse(door: Door, error: unknown, { res }: KoaContext): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const failure = failureOf(error);
  for (const [name, value] of Object.entries(failure.headers)) res.setHeader(name, value);
  writeSimple(res, door.refuse(failure));
}
