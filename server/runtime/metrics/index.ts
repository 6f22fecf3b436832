import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { writeFailure } from '../../../rest-adapter/failure.js';
import { refuseMethod } from '../../../rest-adapter/router.js';
import { DomainError } from '../../../routers/base/errors.js';
import type { Services } from '../../../routers/core/context.js';
import { sameSecret } from '../../drivers/secrets/same-secret.js';
import type { Config } from '../config/config.js';
import type { ContextFactory } from '../http/context.js';
import { readDatabase } from './database.js';
import { combined, METRICS_TYPE, type Metric, metricsText, single } from './metric.js';
import { createProcessGauges } from './process.js';
import { createRequestCounts, type RequestCounts } from './requests.js';
import { readStore } from './store.js';

/** The metrics of this process. */
export interface Metrics {
  /** Counts an answered request. */
  readonly countRequest: RequestCounts['add'];
  /** Reads the metrics of this process only. */
  read(): Promise<Metric[]>;
}

/** `gauges` are read together with the metrics of every process. */
export function createMetrics(gauges: () => Promise<Metric[]>): Metrics {
  const requests = createRequestCounts();
  let processGauges: (() => Metric[]) | null = null;
  return {
    countRequest: requests.add,
    read: async () => {
      processGauges ??= createProcessGauges();
      return [...processGauges(), ...requests.read(), ...(await gauges())];
    },
  };
}

/** Like all paths, also with a slash at the end. */
const PATH = /^(?:\/v1)?\/metrics\/?$/;

/**
 * Serves `/metrics` at host root and under `/v1` to callers with the METRICS_TOKEN. Without a token it answers
 * callers on the same machine, and only while `BASE_URL` is a loopback host; everybody else gets 404 (contract §4, §5).
 */
export function serveMetrics(
  { metricsToken, loopback }: Pick<Config, 'metricsToken' | 'loopback'>,
  { app, contextOf, readAll }: MetricsSource,
): Middleware {
  return async (koa, next) => {
    if (!PATH.test(koa.path)) return next();
    if (metricsToken === null && !(loopback && isLoopback(contextOf(koa.req).address))) return next();
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return refuseMethod(koa, ['HEAD', 'GET']);
    koa.respond = false;
    if (metricsToken !== null && !sameSecret(tokenOf(koa.req, koa.query.token), metricsToken))
      return writeFailure(koa.res, new DomainError('UNAUTHENTICATED'), null);
    const { version } = app.settings;
    const [own, database, store] = await Promise.all([readAll(), readDatabase(app), readStore(app)]);
    const text = metricsText([
      single('holdall_build_info', 'The running version.', 1, { combine: 'max' }, { version }),
      ...combined(own),
      ...database,
      ...store,
    ]);
    koa.res.writeHead(200, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' });
    koa.res.end(koa.method === 'HEAD' ? undefined : text);
  };
}

/** The sources and settings of `/metrics`. */
export interface MetricsSource {
  readonly app: Services;
  readonly contextOf: ContextFactory;
  readonly metrics: Metrics;
  /** Reads the metrics of all processes. */
  readAll(): Promise<readonly (readonly Metric[])[]>;
}

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

function tokenOf(req: IncomingMessage, query: string | string[] | undefined): string {
  const bearer = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  return bearer ?? (typeof query === 'string' ? query : '');
}
