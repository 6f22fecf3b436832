import type { IncomingMessage } from 'node:http';

/** The minimum speed of a body: it may take `graceMs`, plus the time its bytes so far take at the minimum rate. */
export interface UploadRate {
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

/** A rate that even a very slow connection can reach. */
export const MIN_UPLOAD_RATE: UploadRate = { graceMs: 60_000, bytesPerSecond: 8 * 1024 };

/** Minimum interval between two checks of a slow body, in milliseconds. */
const LOOK_MS = 1_000;

const watches = new WeakMap<IncomingMessage, () => void>();

/** Calls `late` once if the body of a request is too slow; stops watching once it is complete or the client is gone. */
export function requireUploadRate(req: IncomingMessage, rate: UploadRate, late: () => void): void {
  const { socket } = req;
  const started = performance.now();
  // The socket counts bytes anyway, so watching adds no cost per chunk.
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

/** Removes the minimum rate, because the sender is known. */
export const liftUploadRate = (req: IncomingMessage): void => watches.get(req)?.();
