import type { ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Services } from '../routers/context.js';
import { DomainError } from '../routers/errors.js';
import { dispositionHeader } from '../routers/image/names.js';
import { BlobStoreUnavailable } from '../routers/ports.js';
import { success } from './envelope.js';
import { type Bytes, type Headers, headerList, type Reply } from './reply.js';

/** Content never runs anything, wherever and however it is shown. */
const CONTENT_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Sends the planned part of a content with its headers (RFC 9110): 200, 206, 304, or throws the 416. */
export async function writeBytes(
  app: Services,
  res: ServerResponse,
  content: Bytes,
  extra: Headers,
  vary: string | null,
): Promise<void> {
  const { plan, size } = content;
  if (plan.send === 'unsatisfiable') throw new DomainError('RANGE_NOT_SATISFIABLE', { size });
  const headers = headerList(
    [
      'etag',
      `"${content.sha256}"`,
      'cache-control',
      content.shared ? 'public, no-cache' : 'private, no-cache',
      'accept-ranges',
      'bytes',
      'x-content-type-options',
      'nosniff',
      'content-security-policy',
      CONTENT_POLICY,
      'cross-origin-resource-policy',
      'cross-origin',
      'x-uploader',
      content.uploader,
    ],
    extra,
    vary,
  );
  if (plan.send === 'not-modified') {
    res.writeHead(304, headers);
    res.end();
    return;
  }
  const partial = plan.send === 'partial' || plan.send === 'partial-head';
  const range = partial ? plan.range : { start: 0, end: size };
  headers.push(
    'content-type',
    content.mimeType,
    'content-disposition',
    dispositionHeader(content.disposition, content.filename),
    'content-length',
    range.end - range.start,
  );
  if (partial) headers.push('content-range', `bytes ${range.start}-${range.end - 1}/${size}`);
  const status = partial ? 206 : 200;
  if (plan.send === 'head' || plan.send === 'partial-head') {
    res.writeHead(status, headers);
    res.end();
    return;
  }
  const held = await app.heldBytes(content.sha256, size);
  if (held !== null) {
    const { bytes, done } = held;
    res.writeHead(status, headers);
    // An answer is finished when the system has taken all of it; one that was cut off never is.
    res.end(partial ? bytes.subarray(range.start, range.end) : bytes, done ?? undefined);
    return;
  }
  let sent = 0;
  await app.blobs.copy(
    content.sha256,
    (piece) => {
      // Not before there is something to send, so that missing bytes become an error and not a broken answer.
      if (sent === 0) res.writeHead(status, headers);
      sent += piece.length;
      return written(res, piece);
    },
    partial ? range : undefined,
  );
  // With fewer the connection is cut, or its client would wait.
  if (sent !== range.end - range.start)
    throw new BlobStoreUnavailable(`${sent} of ${range.end - range.start} bytes are there`);
  res.end();
}

/** Sends a piece of a body; resolves once the system has taken it, rejects when the connection is gone. */
const written = (res: ServerResponse, piece: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const cut = (): void =>
      reject(Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' }));
    if (res.destroyed) return cut();
    res.once('close', cut);
    res.write(piece, (error) => {
      res.off('close', cut);
      if (error) reject(error);
      else resolve();
    });
  });

/** Sends a content as base64, alone or inside the envelope, without ever holding it whole. */
export async function writeBase64(
  app: Services,
  res: ServerResponse,
  reply: Extract<Reply, { as: 'base64' }>,
  head: boolean,
): Promise<void> {
  const [before, after] = reply.envelope === null ? ['', ''] : envelopeAround(reply.envelope);
  const length = Buffer.byteLength(before) + Math.ceil(reply.source.size / 3) * 4 + Buffer.byteLength(after);
  const stream = head ? null : await app.blobs.open(reply.source.sha256);
  res.writeHead(200, {
    ...reply.headers,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
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

/** The envelope's JSON before and after the base64 text, which is its message's first field. */
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
