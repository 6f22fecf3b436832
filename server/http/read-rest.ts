import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Reads away what is left of a body after its answer. A connection that goes on can bring the next request then. One that
 * ends with the answer is closed on our side only until the body has come: closing it altogether makes the system take
 * the answer back, on its way to a client that is still sending. How long that may take is for `requireUploadRate` to say.
 */
export function readRest(req: IncomingMessage, res: ServerResponse): void {
  const { socket } = req;
  res.once('finish', () => req.resume());
  const close = (): void => Socket.prototype.destroySoon.call(socket);
  socket.destroySoon = () => {
    if (req.complete || req.destroyed) {
      close();
      return;
    }
    req.once('end', close).resume();
    socket.end();
  };
}
