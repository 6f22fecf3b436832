import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerOn } from './malformed.js';

/** What a client takes at least while bytes wait for it: so many of them within so many looks. */
export interface DownloadRate {
  readonly bytes: number;
  readonly looks: number;
}

/** Looks at all connections at once, so that no answer needs a timer of its own. */
const LOOK_MS = 30_000;
/**
 * 1 KiB a second over five minutes. The system hands bytes on in portions of more than a megabyte where the other
 * end is a proxy on this machine, so that for four minutes nothing is seen of a phone that takes 5 KiB a second.
 */
const MIN_DOWNLOAD_RATE: DownloadRate = { bytes: 300 * 1024, looks: 10 };

/** What a connection had taken when bytes were first found waiting for it, and the looks since. */
interface Waiting {
  readonly taken: number;
  readonly looks: number;
}

/** What a connection's own object in the system knows; the public counters miss what is written in part. */
interface Handle {
  /** Bytes that were handed to it, and those of them that the system has not taken yet. */
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

const handleOf = (socket: Socket): Handle | null =>
  (socket as { _handle?: Handle | null } & Socket)._handle ?? null;

/**
 * Whether a request is here whole and its answer has not begun. However long that takes, to cut it would only have the
 * work done twice, once more by a client that tries again.
 */
function isOursToAnswer(socket: Socket): boolean {
  const answer = answerOn(socket);
  return answer?.req.complete === true && !answer.headersSent;
}

/**
 * Watches the connections of a server: who takes less than the lowest rate while bytes wait is cut off, so that nobody
 * holds the file, the memory or the line to the object store of an answer for long. Who is silent while nothing waits
 * is left to the timeout of the server, unless it is the caller who waits. Returns what looks at every connection once, as
 * it is done by itself.
 */
export function requireDownloadRate(server: Server, rate: DownloadRate = MIN_DOWNLOAD_RATE): () => void {
  const open = new Map<Socket, Waiting | null>();

  server.on('connection', (socket: Socket) => {
    open.set(socket, null);
    socket.once('close', () => open.delete(socket));
  });
  server.on('timeout', (socket: Socket) => {
    // While bytes wait, silence alone tells little: `look` decides.
    if (!isOursToAnswer(socket) && !handleOf(socket)?.writeQueueSize) socket.destroy();
  });

  const look = (): void => {
    for (const [socket, before] of open) {
      const handle = handleOf(socket);
      if (handle === null || handle.writeQueueSize === 0) {
        if (before !== null) open.set(socket, null);
        continue;
      }
      const taken = handle.bytesWritten - handle.writeQueueSize;
      if (before === null || taken - before.taken >= rate.bytes) open.set(socket, { taken, looks: 0 });
      else if (before.looks + 1 >= rate.looks) socket.destroy();
      else open.set(socket, { taken: before.taken, looks: before.looks + 1 });
    }
  };
  const looking = setInterval(look, LOOK_MS).unref();
  server.once('close', () => clearInterval(looking));
  return look;
}
