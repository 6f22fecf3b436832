import type { Attempt } from '../../../db/webhook/webhook-delivery.js';
import {
  OutboundFailed,
  OutboundRefused,
  type WebhookEvent,
  type WebhookTarget,
} from '../../base/ports/outbound.js';
import { cutText } from '../../base/text/cut.js';
import type { Services } from '../../core/context.js';

/** The result of one webhook call. */
export interface Outcome {
  readonly attempt: Attempt;
  /** `busy`: the receiver asks for time, which is not a failure. `refused`: this URL can never be called. */
  readonly result: 'delivered' | 'busy' | 'failed' | 'refused';
  /** How long the receiver asked us to wait, at most an hour; 0 if it did not. */
  readonly retryAfterMs: number;
}

const EXCERPT_LENGTH = 300;
const MAX_WAIT_MS = 60 * 60 * 1000;

/** Calls a webhook once; failures become outcomes, not errors. */
export async function attemptDelivery(
  app: Services,
  target: WebhookTarget,
  event: WebhookEvent,
): Promise<Outcome> {
  const attemptedAt = Date.now();
  const started = performance.now();
  try {
    const receipt = await app.webhooks.deliver(target, event);
    const { status, durationMs } = receipt;
    const excerpt = cutText(receipt.excerpt, EXCERPT_LENGTH).toWellFormed();
    return {
      attempt: { attemptedAt, status, error: null, excerpt: excerpt === '' ? null : excerpt, durationMs },
      result: receipt.ok ? 'delivered' : status === 429 ? 'busy' : 'failed',
      retryAfterMs: Math.min((receipt.retryAfterSeconds ?? 0) * 1000, MAX_WAIT_MS),
    };
  } catch (error) {
    if (!(error instanceof OutboundRefused || error instanceof OutboundFailed)) throw error;
    const durationMs = Math.round(performance.now() - started);
    return {
      attempt: { attemptedAt, status: null, error: error.message, excerpt: null, durationMs },
      result: error instanceof OutboundRefused ? 'refused' : 'failed',
      retryAfterMs: 0,
    };
  }
}
