/** Buffers of one size that are used again and again. */
export interface BufferPool {
  /** A buffer whose bytes are anything. */
  take(): Buffer;
  /** Hands a buffer back. The next one to take it writes into it, so nobody may read it any more. */
  give(buffer: Buffer): void;
}

/**
 * Memory that is needed for a moment and would otherwise be left to the collector: that looks through the whole heap
 * for every few hundred of such buffers. At most `kept` of them wait unused.
 */
export function createBufferPool(options: { readonly bytes: number; readonly kept: number }): BufferPool {
  const free: Buffer[] = [];
  return {
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(options.bytes),
    give(buffer) {
      if (free.length < options.kept) free.push(buffer);
    },
  };
}
