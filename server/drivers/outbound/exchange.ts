import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';

/** A request with limits on time and size. */
interface ExchangeOptions {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** For the whole exchange, including name lookup and body. */
  readonly timeoutMs: number;
  /** Maximum bytes of the response body. */
  readonly maxBytes: number;
  /** What happens above `maxBytes`: `fail` (default) throws, `cut` keeps what was received. */
  readonly excess?: 'fail' | 'cut';
  /** Aborts the exchange; its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Replaces the name lookup; not called for IP addresses. */
  readonly lookup?: LookupFunction;
}

/** A complete response. Redirects are not followed. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The exchange took too long or the response was too large. Other failures throw the socket's own error. */
class ExchangeFailed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ExchangeFailed';
  }
}

/**
 * Sends one request over its own connection and reads the response. Built on `node:http(s)`, because `fetch` does not
 * let us control which address is connected to.
 */
export async function exchange(url: URL, options: ExchangeOptions): Promise<Answer> {
  const stop = new AbortController();
  const cancel = () => stop.abort(options.signal?.reason);
  const timer = setTimeout(
    () => stop.abort(new ExchangeFailed(`did not respond within ${options.timeoutMs} ms`)),
    options.timeoutMs,
  );
  options.signal?.addEventListener('abort', cancel, { once: true });
  if (options.signal?.aborted) cancel();
  try {
    const response = await begin(url, options, stop.signal);
    const body = await readBody(response, options.maxBytes, options.excess ?? 'fail');
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', cancel);
  }
}

function begin(url: URL, options: ExchangeOptions, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestSecure : requestPlain;
    const request = send(url, {
      method: options.method,
      headers: { ...options.headers },
      agent: false,
      signal,
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.on('close', () => reject(new Error('closed the connection without a response')));
    request.end(options.body);
  });
}

async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  excess: 'fail' | 'cut',
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= maxBytes) continue;
    if (excess === 'fail') throw new ExchangeFailed(`responded with more than ${maxBytes} bytes`);
    break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
