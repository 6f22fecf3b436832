import type { ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../../routers/base/errors.js';
import { BlobStoreUnavailable, type Sink } from '../../routers/base/ports/storage.js';
import type { Services } from '../../routers/core/context.js';
import { dispositionHeader } from '../../routers/core/items/file-names.js';
import { success } from './envelope.js';
import type { Bytes, Headers, Reply } from './reply.js';
import { headerList } from './write.js';

/** Stored content must never run scripts, however it is displayed. */
const CONTENT_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Older browsers let nobody but this site frame it: they read only `X-Frame-Options`, which others ignore beside this. */
const policyOf = ({ settings }: Services, { framed = false }: Bytes): string =>
  framed
    ? `${CONTENT_POLICY}; frame-ancestors 'self' ${settings.frontEnds.join(' ')}`.trim()
    : CONTENT_POLICY;

/** Sends the planned part of a content with its headers (RFC 9110): 200, 206, 304, or throws the 416. */
export async function writeBytes(
  app: Services,
  res: ServerResponse,
  content: Bytes,
  id: string | null,
  extra: Headers,
  vary: string | null,
): Promise<void> {
  const { plan, size } = content;
  if (plan.send === 'precondition-failed') throw new DomainError('PRECONDITION_FAILED');
  if (plan.send === 'unsatisfiable') throw new DomainError('RANGE_NOT_SATISFIABLE', { size });
  const headers = headerList(
    [
      'etag',
      `"${content.sha256}"`,
      'cache-control',
      content.shared ? 'public, no-cache' : 'private, no-cache',
      'accept-ranges',
      'bytes',
      'content-security-policy',
      policyOf(app, content),
      'cross-origin-resource-policy',
      resourcePolicy(app, res, content),
      ...(content.uploader === null ? [] : ['x-uploader', content.uploader]),
    ],
    extra,
    vary,
  );
  if (plan.send === 'not-modified') {
    res.writeHead(304, headers);
    res.end();
    return;
  }
  const partial = plan.send === 'partial';
  const range = partial ? plan.range : { start: 0, end: size };
  headers.push(
    'content-type',
    content.mimeType,
    'content-disposition',
    dispositionHeader(content.disposition, content.filename, id),
  );
  const left = plan.send === 'head' ? null : await acceleratedPath(app, res, content);
  if (left !== null) {
    // The proxy says it as well, and nginx would say it twice.
    headers.splice(headers.indexOf('accept-ranges'), 2);
    res.writeHead(200, [...headers, 'x-accel-redirect', left, 'content-length', 0]);
    res.end();
    return;
  }
  headers.push('content-length', range.end - range.start);
  if (partial) headers.push('content-range', `bytes ${range.start}-${range.end - 1}/${size}`);
  const status = partial ? 206 : 200;
  if (plan.send === 'head') {
    res.writeHead(status, headers);
    res.end();
    return;
  }
  const held = await app.storage.heldBytes(content.sha256, size);
  if (held !== null) {
    const { bytes, done } = held;
    res.writeHead(status, headers);
    const body = partial ? bytes.subarray(range.start, range.end) : bytes;
    if (done === null) res.end(body);
    else endWith(res, body, done);
    return;
  }
  const length = range.end - range.start;
  const sent = await sendPieces(res, (send) => {
    // Deferred until there is something to send, so that missing bytes become an error and not a truncated
    // response.
    const begin = (piece: Buffer): Promise<void> => {
      if (!res.headersSent) res.writeHead(status, headers);
      return send(piece);
    };
    return app.storage.blobs.copy(content.sha256, begin, range);
  });
  // If bytes are missing the connection is closed; otherwise the client would wait for them.
  if (sent !== length) throw new BlobStoreUnavailable(`${sent} of ${length} bytes are there`);
  res.end();
}

/** Conditions that a proxy could decide otherwise. */
const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'];
/** What every proxy understands in the same way. */
const ONE_RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/;

/** Where the proxy in front finds the bytes, if it says that it sends them (docs/operations.md); null if we send them. */
async function acceleratedPath(
  app: Services,
  res: ServerResponse,
  { plan, sha256, size }: Bytes,
): Promise<string | null> {
  const { headers } = res.req;
  if (headers['x-accel-ready'] !== '1' || CONDITIONS.some((name) => headers[name] !== undefined)) return null;
  const isClear = plan.send === 'partial' ? ONE_RANGE.test(headers.range ?? '') : headers.range === undefined;
  return isClear ? app.storage.acceleratedPath(sha256, size) : null;
}

/**
 * Who may embed the bytes: every site if they are open, otherwise sites of this domain, and the front ends that are
 * configured. Any other site could learn from a browser that is signed in here whether an item exists, and its size.
 */
function resourcePolicy({ settings }: Services, res: ServerResponse, { open }: Bytes): string {
  if (open) return 'cross-origin';
  const { origin, referer = '' } = res.req.headers;
  const from = origin ?? (URL.canParse(referer) ? new URL(referer).origin : '');
  return settings.frontEnds.includes(from) ? 'cross-origin' : 'same-site';
}

/** Sends the rest of a response and calls `done` when it is over. */
function endWith(res: ServerResponse, body: Buffer, done: (taken: boolean) => void): void {
  const { socket } = res.req;
  let over = false;
  const end = (taken: boolean): void => {
    if (over) return;
    over = true;
    done(taken);
  };
  res.once('close', () => end(false));
  // By then the operating system has taken all of it, unless the connection was closed.
  res.end(body, () => end(!socket.destroyed));
  // A connection that is already closed emits no more events.
  if (res.destroyed) end(false);
}

/**
 * Lets `work` send the pieces of a body; returns the number of bytes. A piece is done when the operating
 * system has taken it; fails if the connection is closed.
 */
async function sendPieces(res: ServerResponse, work: (send: Sink) => Promise<void>): Promise<number> {
  const { socket } = res.req;
  let sent = 0;
  let fail: (error: Error) => void = () => undefined;
  const cut = (): void => fail(Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' }));
  socket.once('close', cut);
  try {
    await work(
      (piece) =>
        new Promise((resolve, reject) => {
          fail = reject;
          if (socket.destroyed) return cut();
          sent += piece.length;
          res.write(piece, (error) => {
            if (error) reject(error);
            else if (socket.destroyed) cut();
            else resolve();
          });
        }),
    );
    return sent;
  } finally {
    socket.off('close', cut);
  }
}

/** Sends content as base64, alone or inside the envelope, without holding all of it in memory. */
export async function writeBase64(
  app: Services,
  res: ServerResponse,
  reply: Extract<Reply, { as: 'base64' }>,
  head: boolean,
): Promise<void> {
  const [before, after] = reply.envelope === null ? ['', ''] : envelopeAround(reply.envelope);
  const length = Buffer.byteLength(before) + Math.ceil(reply.source.size / 3) * 4 + Buffer.byteLength(after);
  const stream = head ? null : await app.storage.blobs.open(reply.source.sha256);
  res.writeHead(200, {
    ...reply.headers,
    'cache-control': 'private, no-store',
    'content-type': reply.envelope === null ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': length,
  });
  if (stream === null) {
    res.end();
    return;
  }
  res.write(before);
  await pipeline(stream, base64Encoder(reply.source.size, after), res);
}

/** The envelope's JSON before and after the base64 text, which is the first field of its message. */
function envelopeAround(envelope: { uniqueId: string; message: object }): [before: string, after: string] {
  const json = JSON.stringify(success(envelope.uniqueId, { base64: '', ...envelope.message }));
  const opening = '"base64":"';
  const at = json.indexOf(opening) + opening.length;
  return [json.slice(0, at), json.slice(at)];
}

function base64Encoder(size: number, after: string): Transform {
  let left = size;
  let rest: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const whole = bytes.length - (bytes.length % 3);
      rest = bytes.subarray(whole);
      done(null, bytes.toString('base64', 0, whole));
    },
    flush(done) {
      if (left !== 0) return done(new BlobStoreUnavailable(`${size - left} of ${size} bytes are there`));
      done(null, rest.toString('base64') + after);
    },
  });
}
