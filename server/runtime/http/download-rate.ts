import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerOn, sendingOn } from './node-internals.js';

/** The minimum download rate while data is pending: this many bytes within this many checks. */
export interface DownloadRate {
  readonly bytes: number;
  readonly looks: number;
}

/** All connections are checked together, so that no response needs its own timer. */
const LOOK_MS = 30_000;
/**
 * 1 KiB/s over five minutes. If the peer is a proxy on this machine, the kernel takes data in chunks of more than 1
 * MB, so a phone that reads 5 KiB/s may show no progress for four minutes.
 */
const MIN_DOWNLOAD_RATE: DownloadRate = { bytes: 300 * 1024, looks: 10 };

/** The bytes sent when data was first found pending on a connection, and the number of checks since. */
interface Waiting {
  readonly taken: number;
  readonly looks: number;
}

/**
 * Whether a request has fully arrived and its response has not started. Cutting it would only make the client retry
 * and the work happen twice, however long it takes.
 */
function isOursToAnswer(socket: Socket): boolean {
  const answer = answerOn(socket);
  return answer?.req.complete === true && !answer.headersSent;
}

/**
 * Cuts connections that read slower than the minimum rate while data is pending, so that nobody holds a response's
 * file, memory or object store connection for long. Connections that are idle with nothing pending are left to the
 * server timeout, unless the client is waiting for us. Returns the check of all connections, which also runs
 * periodically.
 */
export function requireDownloadRate(server: Server, rate: DownloadRate = MIN_DOWNLOAD_RATE): () => void {
  const open = new Map<Socket, Waiting | null>();

  server.on('connection', (socket: Socket) => {
    open.set(socket, null);
    socket.once('close', () => open.delete(socket));
  });
  server.on('timeout', (socket: Socket) => {
    // With data pending, idle time alone says little: `look` decides.
    if (!isOursToAnswer(socket) && !sendingOn(socket)?.pending) socket.destroy();
  });

  const look = (): void => {
    for (const [socket, before] of open) {
      const sending = sendingOn(socket);
      if (sending === null || sending.pending === 0) {
        if (before !== null) open.set(socket, null);
        continue;
      }
      const { taken } = sending;
      if (before === null || taken - before.taken >= rate.bytes) open.set(socket, { taken, looks: 0 });
      else if (before.looks + 1 >= rate.looks) socket.destroy();
      else open.set(socket, { taken: before.taken, looks: before.looks + 1 });
    }
  };
  const looking = setInterval(look, LOOK_MS).unref();
  server.once('close', () => clearInterval(looking));
  return look;
}
