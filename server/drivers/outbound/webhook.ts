import { tracingChannel } from 'node:diagnostics_channel';
import type { lookup } from 'node:dns';
import { isIP } from 'node:net';
import { codeOf } from '../../../db/engine/error-code.js';
import { rule } from '../../../routers/base/language/rules.js';
import {
  OutboundFailed,
  OutboundRefused,
  type WebhookReceipt,
} from '../../../routers/base/ports/outbound.js';
import { packageVersion } from '../../shared/version.js';
import { type AllowList, checkAddress, guardedLookup } from './addresses.js';
import { exchange } from './exchange.js';
import { retryAfter } from './retry-after.js';

/** The JSON text to send, and additional headers. */
export interface WebhookMessage {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface WebhookOptions {
  readonly allow: AllowList;
  /** For the whole call; default 10 s. */
  readonly timeoutMs?: number;
  /** Replaces the system's name lookup. */
  readonly resolve?: typeof lookup;
}

/** A call of a webhook; whoever traces it may add headers. */
interface TracedWebhook {
  readonly host: string;
  readonly headers: Record<string, string>;
}

/** Tells of each call of a webhook, to whoever traces it. */
export const webhookCalls = tracingChannel<unknown, TracedWebhook>('holdall.webhook');

const TIMEOUT_MS = 10_000;
/** Bytes of a response that are read; the delivery log shows the beginning. */
const ANSWER_BYTES = 1024;

/**
 * Parses a user-given webhook URL: https, or http if the allow list permits it, without credentials. An IP address is
 * checked here, a name when it is connected to. Throws `OutboundRefused`.
 */
export function readWebhookUrl(text: string, allow: AllowList): URL {
  if (text.length > 2048 || !URL.canParse(text)) throw new OutboundRefused('This is not a valid URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || allow.length === 0)) {
    throw new OutboundRefused('The URL must start with https://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused('The URL must not contain a username or password');
  }
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) checkAddress(literal, url.protocol, allow);
  url.hash = '';
  return url;
}

/**
 * Posts to a user-given URL. Addresses are checked when the connection is made, redirects are not followed, and time
 * and size are limited. Every response is a receipt, whatever its status. Throws `OutboundRefused` (final) or
 * `OutboundFailed` (retry).
 */
export async function postWebhook(
  text: string,
  message: WebhookMessage,
  options: WebhookOptions,
): Promise<WebhookReceipt> {
  const url = readWebhookUrl(text, options.allow);
  if (!webhookCalls.hasSubscribers) return post(url, message, options);
  const traced = { host: url.host, headers: { ...message.headers } };
  return webhookCalls.tracePromise(() => post(url, { ...message, headers: traced.headers }, options), traced);
}

async function post(url: URL, message: WebhookMessage, options: WebhookOptions): Promise<WebhookReceipt> {
  const started = performance.now();
  try {
    const answer = await exchange(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...message.headers,
        'user-agent': `Holdall-Webhook/${await packageVersion()}`,
      },
      body: message.body,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      maxBytes: ANSWER_BYTES,
      excess: 'cut',
      lookup: guardedLookup(url.protocol, options.allow, options.resolve),
    });
    return {
      status: answer.status,
      ok: answer.status >= 200 && answer.status < 300,
      retryAfterSeconds: retryAfter(answer.headers['retry-after']),
      excerpt: answer.body.toString('utf8').replaceAll('\0', ''),
      durationMs: Math.round(performance.now() - started),
    };
  } catch (error) {
    // A name with a forbidden address looks like one that does not exist, so that nobody learns which names exist here.
    throw new OutboundFailed(
      error instanceof OutboundRefused ? NOT_FOUND : describe(error, options.timeoutMs ?? TIMEOUT_MS),
    );
  }
}

const NOT_FOUND = rule('The host name of the receiver could not be found, or has no public address');
const late = (timeoutMs: number): string =>
  rule('The receiver did not respond within {timeoutMs} ms', { timeoutMs });
// What was stored by another process is recognised by its text.
late(TIMEOUT_MS);

/** The error without addresses or names, which would reveal what the server can reach. */
function describe(error: unknown, timeoutMs: number): string {
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return NOT_FOUND;
  if (code === 'ECONNREFUSED') return rule('The receiver refused the connection');
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/.test(code)) return rule('The receiver has no valid certificate');
  return error instanceof Error && error.name === 'ExchangeFailed'
    ? late(timeoutMs)
    : rule('The connection to the receiver was lost');
}
