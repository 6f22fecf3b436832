import type { IncomingMessage } from 'node:http';

/** How slowly a body may come: it has this long in any case, and longer by what has come at the slowest rate. */
export interface UploadRate {
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

/** What a very slow line still keeps up with. */
export const MIN_UPLOAD_RATE: UploadRate = { graceMs: 60_000, bytesPerSecond: 8 * 1024 };

/** A body that is barely fast enough is looked at this often at most, in milliseconds. */
const LOOK_MS = 1_000;

const watches = new WeakMap<IncomingMessage, () => void>();

/** Calls `late` once when the body of a request falls behind; nothing is left once it has come or its client is gone. */
export function requireUploadRate(req: IncomingMessage, rate: UploadRate, late: () => void): void {
  const { socket } = req;
  const started = performance.now();
  // The connection counts them anyway, so that no piece of a body costs more for being watched.
  const before = socket.bytesRead;
  const look = (): void => {
    if (req.complete) return;
    const earned = rate.graceMs + ((socket.bytesRead - before) * 1000) / rate.bytesPerSecond;
    const left = earned - (performance.now() - started);
    if (left <= 0) late();
    else timer = setTimeout(look, Math.max(left, LOOK_MS)).unref();
  };
  let timer = setTimeout(look, rate.graceMs).unref();
  const stop = (): void => clearTimeout(timer);
  req.once('close', stop);
  watches.set(req, stop);
}

/** Lets a body take its time: its sender is known. */
export const liftUploadRate = (req: IncomingMessage): void => watches.get(req)?.();
