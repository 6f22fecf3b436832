import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Koa from 'koa';
import helmet from 'koa-helmet';
import { writeFailure } from '../rest-adapter/failure.js';
import { createHotLane } from '../rest-adapter/hot.js';
import { keepPace, PACE, type Pace } from '../rest-adapter/pace.js';
import { createRouter, refuseMethod, refuseUnmatched } from '../rest-adapter/router.js';
import { rows } from '../rest-adapter/routes/index.js';
import { DomainError } from '../routers/errors.js';
import { canonicalHost, hostIn } from '../routers/follow.js';
import type { Config } from './config.js';
import type { ContextFactory } from './context.js';
import { createCors } from './cors.js';
import { isCrossSite, isOtherName } from './csrf.js';
import { type Logger, type Logs, redactUrl } from './logger.js';
import { refuseExpectation, refuseLate, refuseMalformed, refuseTunnel } from './malformed.js';
import { type Metrics, type MetricsSource, serveMetrics } from './metrics/index.js';
import { watchPace } from './pace.js';
import { requestIdOf } from './request-id.js';
import { toOriginForm } from './target.js';
import { createTrpcHandler } from './trpc.js';
import { packageVersion } from './version.js';
import { createPages, isBelowWeb } from './web/mount.js';
import { mediaOriginOf } from './web/policy.js';

/** Prefix of the documented interface. */
export const API_PREFIX = '/v1';

const HEADERS_TIMEOUT_MS = 60_000;
/** Longest that one request may take to arrive: a large file of somebody known over a slow line. */
const REQUEST_TIMEOUT_MS = 4 * 60 * 60 * 1000;
/** A connection without any traffic for this long is closed, unless it is the caller who waits (`pace.ts`). */
const IDLE_TIMEOUT_MS = 2 * 60 * 1000;

/** What clients do that is no error of ours: they go away. */
const DISCONNECTS = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED']);

const isDisconnect = (error: unknown): boolean =>
  DISCONNECTS.has((error as { code?: string } | null)?.code ?? '');

/** The HTTP server: hot lane, then Koa with tRPC, pages and the rows of `/v1`. Not listening yet. */
export function createHttpServer(
  config: Config,
  contextOf: ContextFactory,
  logs: Logs,
  source: MetricsSource,
  pace: Pace = PACE,
): Server {
  const { log } = logs;
  const { metrics } = source;
  const cors = createCors(config.corsOrigins);
  const report = (error: unknown, req: IncomingMessage): void => {
    if (!isDisconnect(error))
      log.error(
        { err: error, id: requestIdOf(req), method: req.method, url: redactUrl(req.url ?? '') },
        'failed',
      );
  };
  const koa = createKoa(config, contextOf, log, report, serveMetrics(config, source));
  const answer = koa.callback();
  const hot = createHotLane(rows, API_PREFIX, { contextOf, vary: cors.vary, onError: report });

  // Node's own refusal of a request without a host would lack the envelope.
  const server = createServer({ requireHostHeader: false }, (req, res) => {
    const { countRequest } = metrics;
    if (logs.request !== null || countRequest !== null) noteWhenDone(logs.request, countRequest, req, res);
    if (!toOriginForm(req)) {
      req.resume();
      writeFailure(
        res,
        new DomainError('INVALID', { message: 'The request names no host or no path' }),
        null,
      );
      return;
    }
    if (cors.admit(req, res)) return;
    if (hot(req, res)) return;
    if (cors.vary !== null) res.setHeader('vary', cors.vary);
    if (bringsBody(req)) {
      keepPace(req, pace, () => refuseLate(req, res));
      res.once('finish', () => req.resume());
    }
    void answer(req, res);
  });
  server.on('clientError', refuseMalformed);
  server.on('connect', refuseTunnel);
  server.on('checkExpectation', refuseExpectation);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.timeout = IDLE_TIMEOUT_MS;
  watchPace(server);
  return server;
}

function createKoa(
  config: Config,
  contextOf: ContextFactory,
  log: Logger,
  report: (error: unknown, req: IncomingMessage) => void,
  metrics: Koa.Middleware,
): Koa {
  const koa = new Koa();
  koa.on('error', (error: unknown) => {
    if (!isDisconnect(error)) log.error({ err: error }, 'failed');
  });
  const adapter = {
    cookies: config.cookies,
    contextOf: (ctx: Koa.Context) => contextOf(ctx.req),
    onError: (error: unknown, ctx: Koa.Context) => report(error, ctx.req),
  };
  const api = createRouter(rows, API_PREFIX, adapter);
  const root = createRouter(
    rows.filter((row) => row.atRoot),
    '',
    adapter,
  );
  koa.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      strictTransportSecurity: config.cookies.secure,
    }),
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
    chatapp: config.chatapp.clientId !== null,
    mediaOrigin: mediaOriginOf(config.s3),
  });
  const ownOrigins = new Set([config.origin, ...config.corsOrigins]);
  koa.use((ctx, next) => {
    if (!isCrossSite(ctx.req, ctx.path, ownOrigins)) return next();
    ctx.req.resume();
    const refusal = new DomainError(
      'CROSS_SITE',
      isOtherName(ctx.req)
        ? { message: `Open this site as ${config.origin} to sign in and to change things` }
        : {},
    );
    if (isBelowWeb(ctx)) return pages.refuse(ctx, refusal);
    ctx.respond = false;
    writeFailure(ctx.res, refusal, null);
  });
  koa.use((ctx, next) => {
    // Some clients encode the sign of `@me`, which no path needs.
    ctx.path = ctx.path.replaceAll('%40', '@');
    return next();
  });
  koa.use(createTrpcHandler(contextOf, config.cookies, report));
  const onShortHost = createRouter(
    rows.filter((row) => row.procedure === 'site.follow').map((row) => ({ ...row, path: '/{uniqueId}' })),
    '',
    adapter,
  ).routes();
  const shortHosts = shortHostsOf(config);
  koa.use((ctx, next) =>
    shortHosts.has(canonicalHost(ctx.host)) ? onShortHost(ctx as never, next) : next(),
  );
  koa.use(pages.serve);
  koa.use(metrics);
  koa.use(root.routes());
  koa.use(api.routes());
  koa.use(serveApiDescription(config));
  koa.use((ctx) => {
    if (ctx.respond !== false) refuseUnmatched(ctx);
  });
  return koa;
}

/** Whether bytes follow the head; what is left of them after an answer is read away, so that the connection goes on. */
const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Serves the OpenAPI document, made on first use. */
function serveApiDescription(config: Config): Koa.Middleware {
  let body: Promise<string> | null = null;
  return async (ctx, next) => {
    if (ctx.path.replace(/\/$/, '') !== `${API_PREFIX}/openapi.json`) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return refuseMethod(ctx, ['HEAD', 'GET']);
    body ??= import('../rest-adapter/openapi.js').then(async ({ describeApi }) =>
      JSON.stringify(
        describeApi(rows, { version: await packageVersion(), baseUrl: `${config.origin}${API_PREFIX}` }),
      ),
    );
    ctx.set('cache-control', 'no-cache');
    ctx.type = 'application/json';
    ctx.body = await body;
  };
}

/** The hosts that serve `/{id}`. One that is also the host of everything else keeps `/r/{id}`. */
function shortHostsOf(config: Config): ReadonlySet<string> {
  const { image, paste, url } = config.shortUrls;
  const addresses = [image, paste, url].filter((address) => address !== null);
  const hosts = new Set(addresses.map(hostIn));
  hosts.delete(hostIn(config.origin));
  return hosts;
}

/** One line a request, and one count, once it is over. */
function noteWhenDone(
  write: Logs['request'],
  count: Metrics['countRequest'],
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const started = performance.now();
  res.once('close', () => {
    const ms = performance.now() - started;
    const url = req.url ?? '';
    count?.(url, res.statusCode, ms);
    write?.({
      id: requestIdOf(req),
      method: req.method ?? '',
      url: redactUrl(url),
      status: res.statusCode,
      ms: Math.round(ms),
      aborted: !res.writableFinished,
    });
  });
}
