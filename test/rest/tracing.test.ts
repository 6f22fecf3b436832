/** Tracing by OTLP: what a collector gets of a request and of all that it causes. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { S3Client } from '../../server/drivers/storage/s3/client.js';
import { startServer } from '../harness.js';
import { reply, serve } from '../standins/http.js';
import { startWebhookReceiver } from '../standins/webhook-receiver.js';
import { until } from '../support/until.js';
import { LOOPBACK_ALLOWED, watched } from '../support/web/webhook.js';

interface Sent {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly {
        readonly key: string;
        readonly value: { readonly stringValue: string };
      }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly Sent[] }[];
  }[];
}

/** A collector, and the spans that it got. */
async function startCollector() {
  const collector = await serve((_, response) => reply(response, 200, {}));
  const bodies = () => collector.requests.map(({ body }) => JSON.parse(String(body)) as Body);
  return {
    ...collector,
    bodies,
    spans: () =>
      bodies().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
  };
}

const tracing = suite('tracing');

tracing('a trace that comes in goes on through statements, jobs and webhooks, to the collector', async () => {
  const collector = await startCollector();
  const receiver = await startWebhookReceiver();
  const server = await startServer({
    ...LOOPBACK_ALLOWED,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/collector/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20secret',
    OTEL_SERVICE_NAME: 'files',
  });
  const user = await watched(server, receiver);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  const json = { text: 'traced' };
  assert.is((await server.request('POST', '/paste/create', { key: user.key, json, headers })).status, 200);
  await server.app.services.jobs.settle();

  const store = await serve((_, response) => void response.end());
  const client = new S3Client({
    ...{ endpoint: store.url, region: 'r', bucket: 'b', forcePathStyle: true },
    ...{ accessKeyId: 'a', secretAccessKey: 's' },
  });
  (await client.send({ method: 'HEAD', key: 'k' })).resume();
  assert.match(String(store.requests[0]?.headers.traceparent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);

  const ofTrace = () => collector.spans().filter((span) => span.traceId === traceId);
  await until(() => ofTrace().some(({ name }) => name === 'webhook POST'));
  const request = ofTrace().find(({ name }) => name === 'POST /v1/paste');
  assert.is(request?.parentSpanId, 'b7ad6b7169203331');
  assert.ok(
    ofTrace().some(({ name, parentSpanId }) => name === 'INSERT' && parentSpanId === request?.spanId),
    'a statement belongs to its request',
  );
  const job = ofTrace().find(({ name }) => name === 'job webhook');
  assert.is(job?.parentSpanId, request?.spanId, 'a job belongs to what added it');
  const call = ofTrace().find(({ name }) => name === 'webhook POST');
  assert.ok(
    receiver.requests.some(({ headers: sent }) => sent.traceparent === `00-${traceId}-${call?.spanId}-01`),
    'the receiver can go on with the trace',
  );
  await server.close();
  for (const { url, headers: sent } of collector.requests)
    assert.equal(
      [url.pathname, sent['x-token'], sent['content-type']],
      ['/collector/v1/traces', 'a secret', 'application/json'],
    );
  const names = collector
    .bodies()
    .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ resource }) => resource.attributes))
    .filter(({ key }) => key === 'service.name');
  assert.ok(names.length > 0 && names.every(({ value }) => value.stringValue === 'files'));
  assert.not.match(JSON.stringify(collector.spans()), new RegExp(user.key), 'no key is in a span');
  for (const standin of [receiver, collector, store]) await standin.close();
});

tracing('a collector that is not there costs no request', async () => {
  const server = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  assert.is((await server.request('GET', '/status')).status, 200);
  await server.close();
});

tracing.run();
