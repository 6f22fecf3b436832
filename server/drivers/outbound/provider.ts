import type { z } from 'zod';
import { ProviderDown, ProviderRefused } from '../../../routers/base/ports/provider.js';
import { cutText } from '../../../routers/base/text/cut.js';
import { packageVersion } from '../../shared/version.js';
import { type Answer, exchange } from './exchange.js';
import { retryAfter } from './retry-after.js';

/** A request to a service that the operator configured. The URL is never logged, because it may contain a secret. */
interface ProviderCall {
  /** The name of the service in errors. */
  readonly provider: string;
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default 10 s. */
  readonly timeoutMs?: number;
  /** Default 1 MiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Calls a configured service. Returns the body of a 2xx; throws `ProviderRefused` for a 4xx and `ProviderDown` for
 * everything else: no response, redirects, 429 and 5xx. An aborted `signal` throws its reason.
 */
export async function askProvider(call: ProviderCall): Promise<Buffer> {
  const answer = await reach(call);
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 429) {
    throw new ProviderRefused(call.provider, answer.status, reasonIn(answer.body));
  }
  throw new ProviderDown(
    call.provider,
    `responded with ${answer.status}`,
    retryAfter(answer.headers['retry-after']),
    answer.status,
  );
}

/** Requests JSON of a known shape; a response of another shape is `ProviderDown`. */
export async function askProviderFor<T>(schema: z.ZodType<T>, call: ProviderCall): Promise<T> {
  const body = await askProvider(call);
  const parsed = schema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  const place = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new ProviderDown(call.provider, `sent an unexpected response${place === '' ? '' : ` at ${place}`}`);
}

async function reach(call: ProviderCall): Promise<Answer> {
  try {
    return await exchange(call.url, {
      method: call.method,
      headers: {
        accept: 'application/json',
        'user-agent': `Holdall/${await packageVersion()}`,
        ...call.headers,
      },
      timeoutMs: call.timeoutMs ?? TIMEOUT_MS,
      maxBytes: call.maxBytes ?? MAX_BYTES,
      ...(call.body === undefined ? {} : { body: call.body }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
  } catch (error) {
    if (call.signal?.aborted) throw call.signal.reason;
    throw new ProviderDown(call.provider, error instanceof Error ? error.message : 'did not respond');
  }
}

/** JSON, or undefined for invalid text, which no schema accepts. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The error message in a response, in any of the fields that services use. */
function reasonIn(body: Buffer): string {
  const json = parseJson(body);
  if (typeof json === 'object' && json !== null) {
    for (const name of ['error_description', 'description', 'message', 'error']) {
      const value: unknown = Reflect.get(json, name);
      if (typeof value === 'string' && value !== '') return cutText(value, 200);
    }
  }
  return 'no reason given';
}
