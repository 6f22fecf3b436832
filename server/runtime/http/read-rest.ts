import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeHead, replaceEnd } from './node-internals.js';

/**
 * Reads and discards the rest of a body after the response, so that the connection can take the next request. If the
 * response ends the connection, only our side is closed until the body has arrived: closing it fully would make the
 * kernel discard the response while the client is still sending. `requireUploadRate` limits how long that may take.
 *
 * A response that begins before the body has arrived says that the connection ends with it: a proxy would otherwise
 * send the next request, of another client, into the unfinished body.
 */
export function readRest(req: IncomingMessage, res: ServerResponse): void {
  const { socket } = req;
  res.once('finish', () => req.resume());
  beforeHead(res, () => {
    if (!req.complete) res.shouldKeepAlive = false;
  });
  replaceEnd(socket, (close) => {
    if (req.complete || req.destroyed) {
      close();
      return;
    }
    req.once('end', close).resume();
    socket.end();
  });
}
