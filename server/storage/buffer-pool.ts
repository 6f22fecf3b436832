/** Size of every buffer of the pool. */
export const BUFFER_BYTES = 256 * 1024;

/** Buffers that wait unused at most: 8 MiB. */
const KEPT = 32;

const free: Buffer[] = [];

/**
 * A buffer whose bytes are anything, for bytes that only pass. Left to the collector, a few hundred such buffers would
 * make it look through the whole heap.
 */
export const takeBuffer = (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);

/** Hands a buffer back. Whoever takes it next writes into it, so nobody may read it any more. */
export function giveBuffer(buffer: Buffer): void {
  if (free.length < KEPT) free.push(buffer);
}
