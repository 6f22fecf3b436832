import type { IncomingMessage } from 'node:http';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { Middleware } from 'koa';
import { type CookieSettings, setCookieHeaders } from '../rest-adapter/cookies.js';
import { DomainError } from '../routers/errors.js';
import { appRouter } from '../routers/index.js';
import type { ContextFactory } from './context.js';

const PATH = '/trpc/';
/** A paste with every character escaped, and some more. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Calls in one batch; each of them counts against the rate limits. */
const MAX_BATCH = 20;

/** Serves the procedures at `/trpc`, cookies of the domain included. */
export function createTrpcHandler(
  contextOf: ContextFactory,
  cookies: CookieSettings,
  onError: (error: unknown, req: IncomingMessage) => void,
): Middleware {
  return async (koa, next) => {
    if (!koa.path.startsWith(PATH)) return next();
    koa.respond = false;
    koa.res.statusCode = 200;
    await nodeHTTPRequestHandler({
      router: appRouter,
      path: koa.path.slice(PATH.length),
      req: koa.req,
      res: koa.res,
      createContext: () => contextOf(koa.req),
      maxBodySize: MAX_BODY_BYTES,
      maxBatchSize: MAX_BATCH,
      responseMeta: ({ ctx, info }) => {
        const headers = new Headers({ 'cache-control': 'no-store' });
        // A request that is refused before it is understood would be answered as plain text.
        if (info === undefined) headers.set('content-type', 'application/json');
        for (const value of setCookieHeaders(ctx?.outgoingCookies ?? [], cookies))
          headers.append('set-cookie', value);
        return { headers };
      },
      onError: ({ error }) => {
        if (error.code === 'INTERNAL_SERVER_ERROR' && !(error instanceof DomainError))
          onError(error, koa.req);
      },
    });
  };
}
