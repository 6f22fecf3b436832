import type { ServerResponse } from 'node:http';
import type { Delivery } from '../routers/image/content.js';
import type { ArchiveListing } from '../routers/playlist/archive.js';
import { success, successRest, successStart } from './envelope.js';

/** Extra response headers. */
export type Headers = Readonly<Record<string, string>>;

/** Bytes of the store to send. */
export type Bytes = Extract<Delivery, { as: 'bytes' }>;

/** Everything a route can answer. */
export type Reply =
  | {
      readonly as: 'message';
      readonly status: number;
      readonly uniqueId: string | null;
      readonly message: unknown;
      readonly extra: Readonly<Record<string, unknown>>;
      readonly headers: Headers;
    }
  | { readonly as: 'json'; readonly status: number; readonly body: unknown }
  | { readonly as: 'text'; readonly status: number; readonly text: string; readonly headers: Headers }
  | { readonly as: 'empty'; readonly status: number }
  | { readonly as: 'redirect'; readonly status: number; readonly location: string; readonly headers: Headers }
  | { readonly as: 'bytes'; readonly content: Bytes; readonly headers: Headers }
  | { readonly as: 'zip'; readonly listing: ArchiveListing }
  | {
      readonly as: 'base64';
      readonly source: { readonly sha256: string; readonly size: number };
      /** The envelope around the text; null sends the text alone. */
      readonly envelope: { readonly uniqueId: string; readonly message: object } | null;
      readonly headers: Headers;
    };

interface MessageOptions {
  readonly status?: number;
  readonly uniqueId?: string | null;
  readonly headers?: Headers;
  /** Fields beside `message`, for clients that read them there. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** The envelope with a message; `undefined` leaves `message` out. */
export const message = (value: unknown, options: MessageOptions = {}): Reply => ({
  as: 'message',
  status: options.status ?? 200,
  uniqueId: options.uniqueId ?? null,
  message: value,
  extra: options.extra ?? {},
  headers: options.headers ?? {},
});

/** The envelope around a record that carries its own id. */
export const record = (value: { readonly uniqueId: string }, headers: Headers = {}): Reply =>
  message(value, { uniqueId: value.uniqueId, headers });

/** The envelope alone, as the deletes answer. */
export const done = (value: { readonly uniqueId?: string | null }): Reply =>
  message(undefined, { uniqueId: value.uniqueId ?? null });

/** 204 without a body. */
export const noContent = (): Reply => ({ as: 'empty', status: 204 });

/** Plain text. */
export const text = (value: string, headers: Headers = {}): Reply => ({
  as: 'text',
  status: 200,
  text: value,
  headers,
});

/**
 * A redirect that is never cached. A 302 varies by `Accept`, because browsers are sent to pages. It may be followed
 * from other sites, which embed what it leads to.
 */
export const redirect = (location: string, status: 301 | 302): Reply => ({
  as: 'redirect',
  status,
  location,
  headers: { 'cross-origin-resource-policy': 'cross-origin', ...(status === 302 ? { vary: 'Accept' } : {}) },
});

/** Content of the store, or the way to it. */
export const content = (value: Delivery, headers: Headers = {}): Reply =>
  value.as === 'redirect' ? redirect(value.location, 302) : { as: 'bytes', content: value, headers };

/** Headers of a reply; what it varies by goes with what the whole server varies by. */
const varied = (res: ServerResponse, headers: Headers): Headers => {
  const before = res.getHeader('vary');
  if (headers.vary === undefined || before === undefined) return headers;
  return { ...headers, vary: [...new Set([...String(before).split(', '), headers.vary])].join(', ') };
};

/**
 * Headers as a flat list, those of the reply last; `vary` is what the answer varies by besides what they say. Objects of
 * dashed names, made again for each answer, cost more than all else that writes one.
 */
export function headerList(
  own: (string | number)[],
  headers: Headers,
  vary: string | null,
): (string | number)[] {
  for (const name in headers) {
    const value = headers[name] ?? '';
    own.push(name, name === 'vary' && vary !== null ? `${vary}, ${value}` : value);
  }
  if (vary !== null && headers.vary === undefined) own.push('vary', vary);
  return own;
}

/** Writes every reply that has no content of the store in it; `vary` is what it varies by besides. */
export function writeSimple(
  res: ServerResponse,
  reply: Exclude<Reply, { as: 'bytes' | 'base64' | 'zip' }>,
  vary: string | null = null,
): void {
  if (reply.as === 'message' && isKept(reply)) {
    writeKept(res, reply, vary);
  } else if (reply.as === 'message') {
    const body = { ...success(reply.uniqueId, reply.message), ...reply.extra };
    writeJson(res, reply.status, body, reply.headers, vary);
  } else if (reply.as === 'json') {
    writeJson(res, reply.status, reply.body, {}, vary);
  } else if (reply.as === 'empty') {
    res.writeHead(reply.status, headerList(['cache-control', 'no-store'], {}, vary));
    res.end();
  } else if (reply.as === 'redirect') {
    const own = ['cache-control', 'no-store', 'location', reply.location, 'content-length', '0'];
    res.writeHead(reply.status, headerList(own, varied(res, reply.headers), vary));
    res.end();
  } else {
    writeText(res, reply, vary);
  }
}

/** Writes JSON with its length. */
export function writeJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Headers,
  vary: string | null = null,
): void {
  // As text, head and body leave in one piece.
  const json = JSON.stringify(body);
  writeJsonHead(res, status, Buffer.byteLength(json), headers, vary);
  res.end(json);
}

function writeJsonHead(
  res: ServerResponse,
  status: number,
  bytes: number,
  headers: Headers,
  vary: string | null,
): void {
  const own = ['x-content-type-options', 'nosniff', 'content-type', 'application/json; charset=utf-8'];
  own.push('content-length', String(bytes));
  if (headers['cache-control'] === undefined) own.push('cache-control', 'no-store');
  res.writeHead(status, headerList(own, varied(res, headers), vary));
}

/** Whether the message will be answered again as it is: whoever keeps one has frozen it. */
const isKept = ({ message, extra }: Extract<Reply, { as: 'message' }>): boolean =>
  typeof message === 'object' &&
  message !== null &&
  Object.isFrozen(message) &&
  Object.keys(extra).length === 0;

/** Longer texts are written again each time, so that what is kept stays small. */
const KEPT_BYTES = 16 * 1024;

/** What was written of messages, for as long as they are kept. */
const written = new WeakMap<object, Buffer>();

/** Writes a message that is kept. To make its text again would cost as much as all the rest. */
function writeKept(res: ServerResponse, reply: Extract<Reply, { as: 'message' }>, vary: string | null): void {
  const { status, uniqueId, headers } = reply;
  const message = reply.message as object;
  let rest = written.get(message);
  if (rest === undefined) {
    rest = Buffer.from(successRest(uniqueId, message));
    if (rest.length <= KEPT_BYTES) written.set(message, rest);
  }
  const start = successStart();
  writeJsonHead(res, status, start.length + rest.length, headers, vary);
  res.write(start, 'latin1');
  res.end(rest);
}

function writeText(
  res: ServerResponse,
  { status, text, headers }: Extract<Reply, { as: 'text' }>,
  vary: string | null,
): void {
  const bytes = Buffer.from(text);
  const own = ['x-content-type-options', 'nosniff', 'content-security-policy', "default-src 'none'; sandbox"];
  own.push('content-type', 'text/plain; charset=utf-8', 'content-length', String(bytes.length));
  if (headers['cache-control'] === undefined) own.push('cache-control', 'no-store');
  res.writeHead(status, headerList(own, varied(res, headers), vary));
  res.end(bytes);
}
