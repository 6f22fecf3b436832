import type { ServerResponse } from 'node:http';
import { type Derived, derivedFrom } from '../../routers/core/items/cacheable.js';
import { failure, success, successRest, successStart } from './envelope.js';
import { writeLong } from './long.js';
import type { Headers, Reply } from './reply.js';

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

/** A reply that contains no blob content. */
export type SimpleReply = Exclude<Reply, { as: 'bytes' | 'base64' | 'zip' | 'file' | 'lines' }>;

/** Writes such a reply; `vary` is added to its `Vary` header. */
export function writeSimple(res: ServerResponse, reply: SimpleReply, vary: string | null = null): void {
  if (reply.as === 'message') {
    writeMessage(res, reply, vary);
  } else if (reply.as === 'failure') {
    writeJson(res, reply.status, { ...failure(null, reply.sentence), ...reply.extra }, {}, vary);
  } else if (reply.as === 'json') {
    writeJson(res, reply.status, reply.body, {}, vary);
  } else if (reply.as === 'empty') {
    const own = ['cache-control', 'no-store', ...(reply.status === 204 ? [] : ['content-length', '0'])];
    res.writeHead(reply.status, headerList(own, reply.headers ?? {}, vary));
    res.end();
  } else if (reply.as === 'redirect') {
    const own = ['cache-control', 'no-store', 'location', reply.location, 'content-length', '0'];
    res.writeHead(reply.status, headerList(own, varied(res, reply.headers), vary));
    res.end();
  } else {
    writeText(res, reply, vary);
  }
}

/** Writes a message with a long list in parts, with turns for others. */
export function writeLongMessage(
  res: ServerResponse,
  { status, uniqueId, message, extra, headers }: Extract<Reply, { as: 'message' }>,
  vary: string | null,
): Promise<void> {
  const body = { ...success(uniqueId, message), ...extra };
  return writeLong(res, body, (bytes) => writeJsonHead(res, status, bytes, headers, vary));
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

/** Whether the text of this message was kept when it was sent before, so that it is short. */
export const isKept = ({ message, extra }: Extract<Reply, { as: 'message' }>): boolean =>
  derivedFrom(message)?.text != null && Object.keys(extra).length === 0;

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
  { status, text, headers, type = 'text/plain' }: Extract<Reply, { as: 'text' }>,
  vary: string | null,
): void {
  const bytes = Buffer.from(text);
  const own = ['content-security-policy', "default-src 'none'; sandbox"];
  own.push('content-type', `${type}; charset=utf-8`, 'content-length', String(bytes.length));
  if (headers['cache-control'] === undefined) own.push('cache-control', 'no-store');
  res.writeHead(status, headerList(own, varied(res, headers), vary));
  res.end(bytes);
}
