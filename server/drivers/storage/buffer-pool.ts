/** Size of every buffer in the pool. */
export const BUFFER_BYTES = 256 * 1024;

/** Maximum unused buffers: 8 MiB. */
const KEPT = 32;

const free: Buffer[] = [];

/**
 * A buffer with arbitrary content, for data in transit. Allocating a few hundred of these would make the garbage
 * collector scan the whole heap.
 */
export const takeBuffer = (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);

/** Returns a buffer to the pool. It must not be read any more, because the next user writes into it. */
export function giveBuffer(buffer: Buffer): void {
  if (free.length < KEPT) free.push(buffer);
}
