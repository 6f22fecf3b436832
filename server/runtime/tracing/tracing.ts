import { AsyncLocalStorage } from 'node:async_hooks';
import type { TracingChannel } from 'node:diagnostics_channel';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { statements } from '../../../db/engine/traced.js';
import { webhookCalls } from '../../drivers/outbound/webhook.js';
import { storeRequests } from '../../drivers/storage/s3/client.js';
import { packageVersion } from '../../shared/version.js';
import { requests, type TracedRequest } from '../http/server.js';
import { causes, runs } from '../jobs/queue.js';
import { redactUrl } from '../logger.js';
import type { TracingOptions } from './options.js';

/** How long a span waits for others before they are sent together, in milliseconds. */
const DELAY_MS = 1000;

/** What a span of a kind of work is called and knows. */
interface Described {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** What it belongs to; otherwise what it runs in. */
  readonly parent?: Context;
}

/**
 * Sends spans of requests, statements, jobs, and requests to the store and to webhooks by OTLP/HTTP as JSON. A
 * `traceparent` that comes in is continued, and given to the store and to webhooks. Returns what ends it, after the last
 * spans were sent. Loaded only if it is asked for.
 */
export async function startTracing({
  endpoint,
  headers,
  service,
}: TracingOptions): Promise<() => Promise<void>> {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': await packageVersion(),
      'service.instance.id': String(process.pid),
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: DELAY_MS })],
  });
  const tracer = provider.getTracer('holdall');
  const propagator = new W3CTraceContextPropagator();
  const store = new AsyncLocalStorage<unknown>();
  const current = () => (store.getStore() as Context | undefined) ?? ROOT_CONTEXT;
  const ends: (() => void)[] = [];

  /** Lets each piece of work of a channel have a span, which its own work belongs to. */
  function follow<Message extends object>(
    channel: TracingChannel<unknown, Message>,
    describe: (message: Message) => Described,
  ): void {
    const spans = new WeakMap<object, Span>();
    channel.start.bindStore(store, (message) => {
      const { name, kind, attributes, parent = current() } = describe(message);
      const span = tracer.startSpan(name, { kind, attributes }, parent);
      const context = trace.setSpan(parent, span);
      spans.set(message, span);
      if ('headers' in message) propagator.inject(context, message.headers, defaultTextMapSetter);
      return context;
    });
    const ended = {
      start: () => {},
      end: () => {},
      asyncStart: () => {},
      asyncEnd: (message: Message) => spans.get(message)?.end(),
      error: (message: Message & { readonly error: unknown }) =>
        spans.get(message)?.setStatus({ code: SpanStatusCode.ERROR, message: String(message.error) }),
    };
    channel.subscribe(ended);
    ends.push(() => {
      channel.start.unbindStore(store);
      channel.unsubscribe(ended);
    });
  }

  follow(statements, ({ sql, database }) => ({
    name: /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? 'SQL',
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': database === 'sqlite' ? 'sqlite' : 'postgresql',
      'db.query.text': sql,
    },
  }));
  follow(storeRequests, ({ method, host }) => ({
    name: `store ${method}`,
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': method, 'server.address': host },
  }));
  follow(webhookCalls, ({ host }) => ({
    name: 'webhook POST',
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': 'POST', 'server.address': host },
  }));
  follow(runs, ({ kind, cause = {} }) => ({
    name: `job ${kind}`,
    kind: SpanKind.CONSUMER,
    attributes: { 'holdall.job.kind': kind },
    // What runs it now may be another piece of work than the one that added it.
    parent: propagator.extract(ROOT_CONTEXT, cause, defaultTextMapGetter),
  }));
  const tellCause = (cause: unknown) => propagator.inject(current(), cause, defaultTextMapSetter);
  causes.subscribe(tellCause);
  ends.push(() => causes.unsubscribe(tellCause));

  requests.start.bindStore(store, ({ req, res }) => {
    const parent = propagator.extract(ROOT_CONTEXT, req.headers, defaultTextMapGetter);
    const { name, kind, attributes } = describeRequest(req);
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    res.once('close', () => {
      span.setAttribute('http.response.status_code', res.statusCode);
      if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    return trace.setSpan(parent, span);
  });
  ends.push(() => requests.start.unbindStore(store));

  return async () => {
    for (const end of ends) end();
    // What a collector does not take any more is lost, as it is while the server runs.
    await provider.shutdown().catch(() => undefined);
  };
}

const describeRequest = ({ method = 'GET', url = '/' }: TracedRequest['req']): Described => {
  const path = redactUrl(url).split('?', 1)[0] ?? '/';
  return {
    name: `${method} /${path.split('/').slice(1, 3).join('/')}`,
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': method, 'url.path': path, 'url.scheme': 'http' },
  };
};
