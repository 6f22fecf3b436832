import { tracingChannel } from 'node:diagnostics_channel';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { codeOf } from '../../../db/engine/error-code.js';
import { writeFailure } from '../../../rest-adapter/failure.js';
import { createHotPath } from '../../../rest-adapter/hot-path.js';
import {
  MIN_UPLOAD_RATE,
  requireUploadRate,
  type UploadRate,
} from '../../../rest-adapter/receive/upload-rate.js';
import { API_PREFIX } from '../../../rest-adapter/route.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { DomainError } from '../../../routers/base/errors.js';
import { BlobMissing } from '../../../routers/base/ports/storage.js';
import type { Config } from '../config/config.js';
import { type Logs, redactUrl } from '../logger.js';
import { type MetricsSource, serveMetrics } from '../metrics/index.js';
import { opensSocket } from '../ws/offer.js';
import { noteWhenDone } from './access-log.js';
import { ActiveRequests } from './active-requests.js';
import type { ContextFactory } from './context.js';
import { createCors } from './cors.js';
import { requireDownloadRate } from './download-rate.js';
import { createKoa } from './koa.js';
import { createRefusals, refuseExpectation } from './malformed.js';
import { isInTurn, keepTickObject, makesOffer, onceInTurn, requestWith } from './node-internals.js';
import { readRest } from './read-rest.js';
import { requestIdOf } from './request-id.js';
import { responseWith, standingHeaders } from './standing-headers.js';
import { toOriginForm } from './target.js';
import { trackUnusedConnections } from './unused-connections.js';

const HEADERS_TIMEOUT_MS = 60_000;
/** Longest time that one request may take to arrive: a large file from a known user on a slow line. */
const REQUEST_TIMEOUT_MS = 4 * 60 * 60 * 1000;
/** A connection without traffic for this long is closed, unless the client is waiting for us (`download-rate.ts`). */
const IDLE_TIMEOUT_MS = 2 * 60 * 1000;
/**
 * How long an idle connection is kept for its next request: longer than nginx (one minute) and Caddy (two) keep
 * theirs. The side that sends requests has to be the one that closes; otherwise a request can hit a closing
 * connection and is lost.
 */
const KEEP_ALIVE_MS = 125_000;

/** Errors of clients that disconnect; they are not our errors. */
const DISCONNECTS = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED']);

const isDisconnect = (error: unknown): boolean => DISCONNECTS.has(codeOf(error));

/** Refusals are answered. Only of a stream one is reported: its session ended, or its account was closed, meanwhile. */
const isEndOfAccess = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.status < 500;

/** A request that arrives. */
export interface TracedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Tells of each request, to whoever traces it. */
export const requests = tracingChannel<unknown, TracedRequest>('holdall.request');

interface HttpServer {
  readonly server: Server;
  readonly active: ActiveRequests;
}

/** Creates the HTTP server: the hot path, then Koa with tRPC, pages and the `/v1` routes. Does not listen yet. */
export function createHttpServer(
  config: Config,
  contextOf: ContextFactory,
  logs: Logs,
  source: MetricsSource,
  uploadRate: UploadRate = MIN_UPLOAD_RATE,
): HttpServer {
  const { log } = logs;
  const { metrics } = source;
  const cors = createCors(config);
  const report = (error: unknown, req: IncomingMessage): void => {
    if (isDisconnect(error)) return;
    const of = { id: requestIdOf(req), method: req.method, url: redactUrl(req.url ?? '') };
    if (isEndOfAccess(error)) log.info({ reason: error.message, ...of }, 'an answer was cut off');
    else if (error instanceof BlobMissing) log.warn({ reason: error.message, ...of }, 'bytes are missing');
    else log.error({ err: error, ...of }, 'failed');
  };
  const koa = createKoa(config, contextOf, report, serveMetrics(config, source));
  const answer = koa.callback();
  const active = new ActiveRequests();
  const standing = standingHeaders(config);
  const { refuseLate, refuseMalformed, refuseTunnel } = createRefusals(standing);
  const hot = createHotPath(routes, API_PREFIX, {
    contextOf,
    vary: () => cors.vary,
    onError: report,
  });

  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    const { countRequest } = metrics;
    if (logs.request !== null || countRequest !== null) noteWhenDone(logs.request, countRequest, req, res);
    // What follows an offer that is not taken is lost (`requestWith`).
    if (makesOffer(req)) res.shouldKeepAlive = false;
    if (!toOriginForm(req)) {
      req.resume();
      writeFailure(
        res,
        new DomainError('INVALID', { message: 'The request must have one host and a path' }),
        null,
      );
      return;
    }
    if (cors.admit(req, res)) return;
    const taken = hot(req, res);
    if (taken !== null) {
      active.add(taken);
      return;
    }
    const { vary } = cors;
    if (vary !== null) res.setHeader('vary', vary);
    if (bringsBody(req)) {
      requireUploadRate(req, uploadRate, () => refuseLate(req, res));
      readRest(req, res);
    }
    active.add(answer(req, res));
  };
  // Node's own error for a request without a host would not be the JSON envelope.
  const server = createServer(
    {
      requireHostHeader: false,
      IncomingMessage: requestWith(opensSocket),
      ServerResponse: responseWith(standing),
    },
    inTurn((req, res) =>
      requests.start.hasSubscribers
        ? requests.start.runStores({ req, res }, () => serve(req, res))
        : serve(req, res),
    ),
  );
  server.on('clientError', refuseMalformed);
  server.on('connect', refuseTunnel);
  server.on('checkExpectation', refuseExpectation);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.timeout = IDLE_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  requireDownloadRate(server);
  trackUnusedConnections(server);
  keepTickObject();
  return { server, active };
}

/** More requests than any real client pipelines on one connection; each waiting one takes a few KB. */
const MAX_WAITING = 1_000;

/**
 * Serves the requests of one connection one at a time. Node emits pipelined requests as they arrive, and each would
 * hold a file and memory while it waits for the previous response, for as many as a client sends. Other connections
 * get a turn between two requests; a client that pipelines far too many is disconnected.
 */
function inTurn(serve: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (req, res) => {
    if (isInTurn(res)) return serve(req, res);
    const { socket } = req;
    const before = waiting.get(socket) ?? 0;
    if (before >= MAX_WAITING) return void socket.destroy();
    waiting.set(socket, before + 1);
    onceInTurn(res, () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      setImmediate(() => serve(req, res));
    });
  };
}

/** Whether the request has a body. */
const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
