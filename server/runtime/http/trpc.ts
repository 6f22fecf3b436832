import type { IncomingMessage } from 'node:http';
import { getTRPCErrorFromUnknown, type TRPCError } from '@trpc/server';
import { resolveResponse } from '@trpc/server/http';
import type { Context as KoaContext, Middleware } from 'koa';
import { type CookieSettings, setCookieHeaders } from '../../../rest-adapter/cookies.js';
import { limitOf, MAX_FIELDS_BYTES, MAX_TEXT_BYTES, readJson } from '../../../rest-adapter/receive/body.js';
import { IncomingBody } from '../../../rest-adapter/receive/incoming-body.js';
import { refuseMethod } from '../../../rest-adapter/router.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { DomainError } from '../../../routers/base/errors.js';
import type { Context } from '../../../routers/core/context.js';
import { appRouter, requireEntranceTo } from '../../../routers/index.js';
import type { ContextFactory } from './context.js';

const PATH = '/trpc/';
const METHODS = ['HEAD', 'GET', 'POST'];
/** Maximum calls in one batch; each of them counts against the rate limits. */
const MAX_BATCH = 20;

/** Maximum request body of each procedure: the largest limit of its routes. */
const limits = new Map<string, number>();
for (const { procedure, body } of routes)
  limits.set(procedure, Math.max(limitOf(body), limits.get(procedure) ?? 0));

/** The maximum body for a request path, which names one or more procedures separated by commas. */
function limitFor(path: string): number {
  const names = path.split(/,|%2c/i, MAX_BATCH);
  const together = names.reduce((sum, name) => sum + (limits.get(name) ?? MAX_FIELDS_BYTES), 0);
  return Math.min(MAX_TEXT_BYTES, together);
}

/** Reads a request body within the limit, counting it while it arrives. */
async function readBody(ctx: Context, req: IncomingMessage, limit: number): Promise<string> {
  const incoming = new IncomingBody(ctx, req);
  try {
    return await readJson(incoming, limit);
  } finally {
    incoming.end();
  }
}

/**
 * Serves the procedures at `/trpc`, including cookies. A request is done when its work is done, even if the client
 * has left.
 */
export function createTrpcHandler(
  contextOf: ContextFactory,
  cookies: CookieSettings,
  onError: (error: unknown, req: IncomingMessage) => void,
): Middleware {
  return async (koa, next) => {
    if (!koa.path.startsWith(PATH)) return next();
    koa.respond = false;
    const { req } = koa;
    if (!METHODS.includes(koa.method)) return refuseMethod(koa, METHODS);
    const ctx = contextOf(req);
    const path = koa.path.slice(PATH.length);
    let body = '';
    let refusal: TRPCError | null = null;
    try {
      if (req.method === 'POST') {
        // The calls of a batch are refused one by one, when they run.
        await requireEntranceTo(path, ctx);
        body = await readBody(ctx, req, limitFor(path));
      }
    } catch (error) {
      // The client has disconnected; there is nobody to answer.
      if (req.socket.destroyed) return;
      refusal = getTRPCErrorFromUnknown(error);
    }
    const errors: TRPCError[] = [];
    const response = await resolveResponse({
      router: appRouter,
      path,
      req: requestOf(koa, body),
      error: refusal,
      createContext: async ({ info }) =>
        info.isBatchCall ? { ...ctx, batch: { calls: info.calls.length, answers: 0, held: 0 } } : ctx,
      maxBatchSize: MAX_BATCH,
      // Queries whose input would make a URL too long for some proxy may be a POST.
      allowMethodOverride: true,
      responseMeta: ({ info }) => ({
        // tRPC would answer a request that is refused before it is parsed as plain text.
        headers: new Headers(info === undefined ? { 'content-type': 'application/json' } : {}),
      }),
      onError: ({ error }) => {
        errors.push(error);
        if (error.code === 'INTERNAL_SERVER_ERROR' && !(error instanceof DomainError)) onError(error, req);
      },
    });
    // With a streamed response (`trpc-accept`), procedures run, set cookies and fail while it is read, so read all of
    // it first.
    const answer = Buffer.from(await response.arrayBuffer());
    const { res } = koa;
    res.statusCode = response.status;
    for (const [name, value] of response.headers)
      if (name !== 'transfer-encoding') res.appendHeader(name, value);
    res.setHeader('cache-control', 'no-store');
    if (response.status === 401) res.setHeader('www-authenticate', 'Bearer');
    const wait = Math.max(
      0,
      ...errors.map((error) => (error instanceof DomainError ? (error.retryAfter ?? 0) : 0)),
    );
    if (wait > 0) res.setHeader('retry-after', String(wait));
    for (const value of setCookieHeaders(ctx.outgoingCookies, cookies)) res.appendHeader('set-cookie', value);
    res.end(answer);
  };
}

/** The request as tRPC reads it, with a placeholder host: the host that a client sends may not form a valid URL. */
function requestOf(koa: KoaContext, body: string): Request {
  const localizable = ['content-type', 'trpc-accept'].map((name): [string, string] => [name, koa.get(name)]);
  return new Request(`http://localhost${koa.path}${koa.search}`, {
    method: koa.method,
    headers: localizable.filter(([, value]) => value !== ''),
    body: koa.method === 'POST' ? body : null,
  });
}
