import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Refusals } from '../http/malformed.js';
import { answerLastOn, answerOn } from '../http/node-internals.js';

/** How to answer without an upgrade. */
export interface Plainly extends Pick<Refusals, 'refuseOn'> {
  readonly Response: typeof ServerResponse;
}

/**
 * Serves a request that offers a protocol upgrade as plain HTTP/1.1, as clients expect that make such an offer (curl
 * with HTTP/2). The connection is closed after the response. 400 for methods with a body, because Node does not read
 * a body after such an offer.
 */
export function stayWithHttp(
  server: Server,
  req: IncomingMessage,
  socket: Duplex,
  { Response, refuseOn }: Plainly,
): void {
  // An earlier request on this connection is still being answered; the pipelined one is not served.
  if (answerOn(socket) !== null) {
    socket.destroy();
    return;
  }
  const bodiless = req.method === 'GET' || req.method === 'HEAD';
  if (!bodiless || !(socket instanceof Socket)) {
    refuseOn(socket, 400, 'Send this request without an upgrade');
    return;
  }
  const res = new Response(req);
  answerLastOn(socket, res);
  server.emit('request', req, res);
}
