import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Reads and discards the rest of a body after the response, so that the connection can take the next request. If the
 * response ends the connection, only our side is closed until the body has arrived: closing it fully would make the
 * kernel discard the response while the client is still sending. `requireUploadRate` limits how long that may take.
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
