import type { ServerResponse } from 'node:http';
import type { ContentDelivery } from '../../routers/image/content.js';
import type { ArchiveListing } from '../../routers/playlist/archive.js';
import { type Derived, derivedFrom } from '../../routers/shared/cacheable.js';
import { success, successRest, successStart } from './envelope.js';

/** Extra response headers. */
export type Headers = Readonly<Record<string, string>>;

/** Bytes of a blob to send. */
export type Bytes = Extract<ContentDelivery, { as: 'bytes' }>;

/** No fields beside `message`. */
export type NoExtra = Readonly<Record<string, never>>;

/**
 * Every kind of response of a route: `M` is the type of the message, `X` that of the fields beside it, `B` that of a
 * body without the envelope. A route declares a schema for each, so that the OpenAPI document cannot differ.
 */
export type Reply<M = unknown, X extends object = object, B = unknown> =
  | {
      readonly as: 'message';
      readonly status: number;
      readonly uniqueId: string | null;
      readonly message: M | undefined;
      readonly extra: X;
      readonly headers: Headers;
    }
  | { readonly as: 'json'; readonly status: number; readonly body: B }
  | { readonly as: 'text'; readonly status: number; readonly text: string; readonly headers: Headers }
  | { readonly as: 'empty'; readonly status: number }
  | { readonly as: 'redirect'; readonly status: number; readonly location: string; readonly headers: Headers }
  | { readonly as: 'bytes'; readonly content: Bytes; readonly headers: Headers }
  | { readonly as: 'zip'; readonly listing: ArchiveListing }
  /** A temporary file, sent as a download. */
  | {
      readonly as: 'file';
      readonly path: string;
      readonly size: number;
      readonly mimeType: string;
      readonly filename: string;
    }
  | {
      readonly as: 'base64';
      readonly source: { readonly sha256: string; readonly size: number };
      /** The envelope around the text; null sends the text alone. */
      readonly envelope: { readonly uniqueId: string; readonly message: object } | null;
      readonly headers: Headers;
    };

interface MessageOptions<X extends object> {
  readonly status?: number;
  readonly uniqueId?: string | null;
  readonly headers?: Headers;
  /** Fields beside `message`, for clients that expect them there. */
  readonly extra?: X;
}

/** The envelope with a message; `undefined` leaves `message` out. */
export const message = <const M, X extends object = NoExtra>(
  value: M,
  options: MessageOptions<X> = {},
): Reply<M, X, never> => ({
  as: 'message',
  status: options.status ?? 200,
  uniqueId: options.uniqueId ?? null,
  message: value,
  extra: options.extra ?? ({} as X),
  headers: options.headers ?? {},
});

/** The envelope with a sentence for people, for routes that respond with `said`. */
export const said = <X extends object = NoExtra>(
  sentence: string,
  options: MessageOptions<X> = {},
): Reply<never, X, never> => message(sentence as never, options);

/** The envelope with a record that has its own id. */
export const record = <M extends { readonly uniqueId: string }>(
  value: M,
  headers: Headers = {},
): Reply<M, NoExtra, never> => message(value, { uniqueId: value.uniqueId, headers });

/** The envelope without a message, for deletes. */
export const done = (value: { readonly uniqueId?: string | null }): Reply<never, NoExtra, never> =>
  message(undefined, { uniqueId: value.uniqueId ?? null });

/** 204 without a body. */
export const noContent = (): Reply<never, NoExtra, never> => ({ as: 'empty', status: 204 });

/** Plain text. */
export const text = (value: string, headers: Headers = {}): Reply<never, NoExtra, never> => ({
  as: 'text',
  status: 200,
  text: value,
  headers,
});

/**
 * A redirect that is never cached. A 302 varies by `Accept`, because browsers are redirected to pages. Other
 * sites may follow it, because they embed its target.
 */
export const redirect = (location: string, status: 301 | 302): Reply<never, NoExtra, never> => ({
  as: 'redirect',
  status,
  location,
  headers: { 'cross-origin-resource-policy': 'cross-origin', ...(status === 302 ? { vary: 'Accept' } : {}) },
});

/** The content of a blob, or a redirect to it. */
export const content = (value: ContentDelivery, headers: Headers = {}): Reply<never, NoExtra, never> =>
  value.as === 'redirect'
    ? redirect(value.location, 302)
    : {
        as: 'bytes',
        content: value,
        headers: value.byAccept === true ? { ...headers, vary: 'Accept' } : headers,
      };

/** The headers of a reply, with its `Vary` merged into the one the server has set. */
const varied = (res: ServerResponse, headers: Headers): Headers => {
  const before = res.getHeader('vary');
  if (headers.vary === undefined || before === undefined) return headers;
  return { ...headers, vary: [...new Set([...String(before).split(', '), headers.vary])].join(', ') };
};

/**
 * Headers as a flat list, the reply's own last; `vary` is added to their `Vary` header. Creating an object
 * with dashed names for each response would cost more than everything else in writing it.
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

/** Writes every reply that contains no blob content; `vary` is added to its `Vary` header. */
export function writeSimple(
  res: ServerResponse,
  reply: Exclude<Reply, { as: 'bytes' | 'base64' | 'zip' | 'file' }>,
  vary: string | null = null,
): void {
  if (reply.as === 'message') {
    writeMessage(res, reply, vary);
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
  // As a string, so that headers and body are sent in one piece.
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
  const own = ['content-type', 'application/json; charset=utf-8', 'content-length', String(bytes)];
  if (headers['cache-control'] === undefined) own.push('cache-control', 'no-store');
  res.writeHead(status, headerList(own, varied(res, headers), vary));
}

function writeMessage(
  res: ServerResponse,
  reply: Extract<Reply, { as: 'message' }>,
  vary: string | null,
): void {
  const { status, uniqueId, message, extra, headers } = reply;
  const kept = Object.keys(extra).length === 0 ? derivedFrom(message) : null;
  if (kept === null) writeJson(res, status, { ...success(uniqueId, message), ...extra }, headers, vary);
  else writeKept(res, reply, kept, vary);
}

/** Longer texts are serialised each time, to keep the cache small. */
const KEPT_BYTES = 16 * 1024;

/** Writes a message that is sent again and again. Serialising it each time would cost as much as everything else. */
function writeKept(
  res: ServerResponse,
  { status, uniqueId, message, headers }: Extract<Reply, { as: 'message' }>,
  kept: Derived,
  vary: string | null,
): void {
  let rest = kept.text;
  if (rest === null) {
    rest = Buffer.from(successRest(uniqueId, message));
    if (rest.length <= KEPT_BYTES) kept.text = rest;
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
  const own = ['content-security-policy', "default-src 'none'; sandbox"];
  own.push('content-type', 'text/plain; charset=utf-8', 'content-length', String(bytes.length));
  if (headers['cache-control'] === undefined) own.push('cache-control', 'no-store');
  res.writeHead(status, headerList(own, varied(res, headers), vary));
  res.end(bytes);
}
