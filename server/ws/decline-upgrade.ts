import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerOn, refuseOn } from '../http/malformed.js';

/**
 * Serves a request that offers another protocol as if it had not, which every client that offers one expects:
 * curl offers HTTP/2 so. The connection ends with the answer. 400 for a method that brings a body, which Node
 * leaves unread behind such an offer.
 */
export function stayWithHttp(server: Server, req: IncomingMessage, socket: Duplex): void {
  // An earlier request of this connection is still being answered; what was pipelined behind it is not served.
  if (answerOn(socket) !== null) {
    socket.destroy();
    return;
  }
  const bodiless = req.method === 'GET' || req.method === 'HEAD';
  if (!bodiless || !(socket instanceof Socket)) {
    refuseOn(socket, 400, 'Send this request without an upgrade');
    return;
  }
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.once('finish', () => {
    res.detachSocket(socket);
    socket.destroySoon();
    // As a server does with its own answers; what was held for this one can go.
    res.emit('close');
  });
  server.emit('request', req, res);
}
