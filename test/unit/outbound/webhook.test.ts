import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OutboundFailed } from '../../../routers/base/ports/outbound.js';
import { parseAllowList } from '../../../server/drivers/outbound/addresses.js';
import { retryAfter } from '../../../server/drivers/outbound/retry-after.js';
import { postWebhook } from '../../../server/drivers/outbound/webhook.js';
import { packageVersion } from '../../../server/shared/version.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../standins/webhook-receiver.js';

const webhook = suite<{ receiver: WebhookReceiver }>('calls to user-supplied webhooks');
const allow = parseAllowList(['127.0.0.1']);

webhook.before.each(async (context) => {
  context.receiver = await startWebhookReceiver();
});
webhook.after.each(({ receiver }) => receiver.close());

webhook('body and headers arrive, with our own User-Agent', async ({ receiver }) => {
  const headers = { 'x-holdall-event': 'image.created', 'user-agent': 'somebody else' };
  const receipt = await postWebhook(`${receiver.url}/in?a=1#part`, { body: '{"ä":1}', headers }, { allow });
  const [request] = receiver.requests;
  assert.is(receipt.ok, true);
  assert.is(receipt.status, 204);
  assert.is(request?.method, 'POST');
  assert.is(request?.url.pathname + (request?.url.search ?? ''), '/in?a=1');
  assert.is(request?.headers['user-agent'], `Holdall-Webhook/${await packageVersion()}`);
  assert.is(request?.headers['x-holdall-event'], 'image.created');
  assert.is(request?.headers['content-type'], 'application/json');
  assert.is(request?.body.toString(), '{"ä":1}');
});

webhook('every status is a receipt with the beginning of the answer', async ({ receiver }) => {
  receiver.answer = { status: 429, headers: { 'retry-after': '30' }, body: 'x'.repeat(100_000) };
  const receipt = await postWebhook(receiver.url, { body: '{}' }, { allow });
  assert.is(receipt.ok, false);
  assert.is(receipt.status, 429);
  assert.is(receipt.retryAfterSeconds, 30);
  assert.is(receipt.excerpt.length, 1024);
});

webhook('a redirect is an answer and is not followed', async ({ receiver }) => {
  receiver.answer = { status: 307, headers: { location: `${receiver.url}/elsewhere` } };
  const receipt = await postWebhook(receiver.url, { body: '{}' }, { allow });
  assert.is(receipt.status, 307);
  assert.is(receipt.ok, false);
  assert.is(receiver.requests.length, 1);
});

webhook('a receiver that never answers fails at the deadline', async ({ receiver }) => {
  receiver.mood = 'hang';
  await fails(receiver.url, /did not respond within 50 ms/, 50);
});

webhook('an endless answer is cut off', async ({ receiver }) => {
  receiver.mood = 'flood';
  const receipt = await postWebhook(receiver.url, { body: '{}' }, { allow });
  assert.is(receipt.excerpt.length, 1024);
});

webhook('a closed port fails without revealing addresses', async ({ receiver }) => {
  await fails('http://127.0.0.1:1/', /^The receiver refused the connection$/);
  await fails(
    receiver.url.replace('http:', 'https:'),
    /^(The connection to the receiver was lost|The receiver has)/,
  );
});

webhook('Retry-After is read as seconds and as a date, within reasonable bounds', () => {
  const now = Date.UTC(2026, 0, 1);
  assert.is(retryAfter('5', now), 5);
  assert.is(retryAfter('0.3', now), 1);
  assert.is(retryAfter(new Date(now + 90_000).toUTCString(), now), 90);
  assert.is(retryAfter(new Date(now - 90_000).toUTCString(), now), 0);
  assert.is(retryAfter('99999999', now), 86_400);
  assert.is(retryAfter('soon', now), null);
  assert.is(retryAfter(undefined, now), null);
});

async function fails(url: string, reason: RegExp, timeoutMs = 5000): Promise<void> {
  try {
    await postWebhook(url, { body: '{}' }, { allow, timeoutMs });
  } catch (error) {
    assert.instance(error, OutboundFailed);
    assert.match((error as Error).message, reason);
    return;
  }
  assert.unreachable('must fail');
}

webhook.run();
