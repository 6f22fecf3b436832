import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure } from '../../rest-adapter/envelope.js';
import { writeJson } from '../../rest-adapter/reply.js';

/** How long a refused client has to read its answer and go, in milliseconds. */
const FAREWELL_MS = 1_000;

/** The code of a request that did not arrive in time. */
const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/** What Node says of bytes that never became a request; everything else is 400. */
const KNOWN: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
  [TOO_LATE]: [408, 'The request did not arrive in time'],
};

/** The answer that is under way on a connection. */
export const answerOn = (socket: Duplex): ServerResponse | null =>
  (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;

/** Returns bytes that are no request in the envelope, like every other failure, and ends the connection. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  const answering = answerOn(socket);
  // An answer that has begun cannot be followed by another; a client that went away reads none.
  if (!socket.writable || error.code === 'ECONNRESET' || answering?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, text] = KNOWN[error.code ?? ''] ?? [400, 'This is not a valid HTTP request'];
  refuseOn(socket, status, text);
  // What comes now must not complete the request that was refused.
  if (answering !== null) socket.pause();
}

/** Ends a request whose body comes too slowly; one that was answered already just ends. */
export function refuseLate(req: IncomingMessage, res: ServerResponse): void {
  if (res.headersSent) req.socket.destroy();
  else refuseMalformed(Object.assign(new Error('a body came too slowly'), { code: TOO_LATE }), req.socket);
}

/** Refuses a request that has no response object, on its bare connection, which ends with that on both sides. */
export function refuseOn(socket: Duplex, status: number, text: string): void {
  const body = JSON.stringify(failure(null, text));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
  // Closing at once could take the answer back, on its way to a client that is still sending.
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
}

/** Refuses to be a tunnel. */
export const refuseTunnel = (_req: IncomingMessage, socket: Duplex): void => {
  socket.on('error', () => socket.destroy());
  refuseOn(socket, 405, 'Method not allowed');
};

/** Refuses what a request expects beyond `100-continue`. */
export const refuseExpectation = (_req: IncomingMessage, res: ServerResponse): void =>
  writeJson(res, 417, failure(null, 'This cannot be expected'), {});
