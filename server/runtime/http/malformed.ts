import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure } from '../../../rest-adapter/reply/envelope.js';
import { writeJson } from '../../../rest-adapter/reply/write.js';
import { answerOn } from './node-internals.js';
import { headerLines, type StandingHeaders } from './standing-headers.js';

/** How long a rejected client may take to read its response, in milliseconds. */
const LINGER_MS = 1_000;

/** Node's error code for a request that did not arrive in time. */
const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Node's errors for bytes that are not a valid request; all others are 400. */
const KNOWN: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
  HPE_INVALID_URL: [400, 'The address has characters that must be percent-encoded (%20 for a space)'],
  HPE_INVALID_HEADER_TOKEN: [
    400,
    'A header has characters that are not allowed: names take ASCII letters, digits and -',
  ],
  [TOO_LATE]: [408, 'The request did not arrive in time'],
};

/** How requests without a response object are refused, on their raw sockets. */
interface Refusals {
  /** Answers an invalid request with the usual JSON error and closes the connection. */
  refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void;
  /** Rejects a request whose body arrives too slowly; if it was already answered, only closes the connection. */
  refuseLate(req: IncomingMessage, res: ServerResponse): void;
  /** Rejects CONNECT requests. */
  refuseTunnel(req: IncomingMessage, socket: Duplex): void;
  /** Refuses a request with this status, then closes both directions. */
  refuseOn(socket: Duplex, status: number, text: string): void;
}

/** Refusals with the standing headers of every response. */
export function createRefusals(standing: StandingHeaders): Refusals {
  const lines = headerLines(standing);

  const refuseOn: Refusals['refuseOn'] = (socket, status, text) => {
    const body = JSON.stringify(failure(null, text));
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\n${lines}Connection: close\r\n\r\n${body}`,
    );
    // Closing immediately could discard the response while the client is still sending.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };

  const refuseMalformed: Refusals['refuseMalformed'] = (error, socket) => {
    const answering = answerOn(socket);
    // A response that has started cannot be followed by another, and a client that is gone reads none.
    if (!socket.writable || error.code === 'ECONNRESET' || answering?.headersSent) {
      socket.destroy();
      return;
    }
    const [status, text] = KNOWN[error.code ?? ''] ?? [400, 'This is not a valid HTTP request'];
    refuseOn(socket, status, text);
    // Later bytes must not complete the rejected request.
    if (answering !== null) socket.pause();
  };

  return {
    refuseOn,
    refuseMalformed,
    refuseLate: (req, res) => {
      if (res.headersSent) req.socket.destroy();
      else
        refuseMalformed(Object.assign(new Error('a body came too slowly'), { code: TOO_LATE }), req.socket);
    },
    refuseTunnel: (_req, socket) => {
      socket.on('error', () => socket.destroy());
      refuseOn(socket, 405, 'Method not allowed');
    },
  };
}

/** Rejects any `Expect` header other than `100-continue`. */
export const refuseExpectation = (_req: IncomingMessage, res: ServerResponse): void =>
  writeJson(res, 417, failure(null, 'Expectation not supported'), {});
