import type { RequestOptions, TestAccount, TestServer } from '../../harness.js';
import type { WebhookReceiver } from '../../standins/webhook-receiver.js';

/** The configuration of a server that may call receivers on this machine. */
export const LOOPBACK_ALLOWED = { OUTBOUND_ALLOW: '127.0.0.1/32' };

/** A 1x1 picture. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** An account whose events are sent to this receiver. */
export async function watched(
  server: TestServer,
  receiver: WebhookReceiver,
  settings: Record<string, unknown> = {},
): Promise<TestAccount> {
  const user = await server.account();
  const json = { url: `${receiver.url}/hook`, format: 'json', ...settings };
  const answer = await server.request('PATCH', '/user/get/@me/settings/webhook', { key: user.key, json });
  if (answer.status !== 204) throw new Error(`${answer.status} ${answer.text}`);
  return user;
}

/** Creates a paste, which triggers an event. */
export const paste = (server: TestServer, key: string, options: object = {}) =>
  server.request('POST', '/paste/create', { key, json: { text: 'hello', ...options } } as RequestOptions);

/** The delivery log, newest first. */
export async function deliveries(server: TestServer, key: string) {
  return (await server.request('GET', '/user/get/@me/webhook/deliveries', { key })).body.message;
}

/** Makes all delayed jobs due now. */
export async function letTimePass(server: TestServer): Promise<void> {
  await server.app.services.db.write(async (trx) => {
    await trx('jobs').where('kind', 'webhook').update({ run_at: 0 });
    // Never 0, which means that nothing has failed.
    await trx('webhook_health').update({ paused_until: 1 });
  });
  await server.app.services.jobs.settle();
}
