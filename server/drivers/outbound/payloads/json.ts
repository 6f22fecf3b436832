import { createHmac } from 'node:crypto';
import type { WebhookEvent } from '../../../../routers/base/ports/outbound.js';

/** The body of a call in Holdall's own format; times are in ISO 8601. */
export function jsonPayload(event: WebhookEvent): string {
  const { id, type, at, item, uploader } = event;
  return JSON.stringify({ id, type, at: new Date(at).toISOString(), item, uploader });
}

/**
 * The signature of a webhook, the value of `X-Holdall-Signature`: `t=<unix seconds>,v1=<hex>`, where `v1` is the HMAC-SHA256 of `<t>.<body>` with
 * the webhook's secret. The receiver checks the age with `t`, so a replayed call expires.
 */
export function signPayload(body: string, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
