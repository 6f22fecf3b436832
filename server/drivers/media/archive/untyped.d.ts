declare module 'decompress' {
  /**
   * An entry that a plugin found in an archive. `data` is passed to the file system as it is, so it may be a stream.
   */
  interface DecompressEntry {
    readonly path: string;
    readonly type: 'file';
    readonly mode: number;
    readonly mtime: Date;
    readonly data: AsyncIterable<Buffer>;
  }
  type DecompressPlugin = (input: Buffer) => Promise<readonly DecompressEntry[]>;

  /** Writes the entries that the plugins find below `output`; throws if one would be written outside it. */
  export default function decompress(
    input: Buffer,
    output: string,
    options: { readonly plugins: readonly DecompressPlugin[] },
  ): Promise<readonly DecompressEntry[]>;
}

declare module 'unbzip2-stream/lib/bit_iterator.js' {
  /** Reads the given number of bits; null moves to the next whole byte. */
  interface BitReader {
    (count: number | null): number;
    readonly bytesRead: number;
  }
  export default function bitIterator(nextBuffer: () => Uint8Array | undefined): BitReader;
}

declare module 'unbzip2-stream/lib/bzip2.js' {
  import type { BitReader } from 'unbzip2-stream/lib/bit_iterator.js';

  const bzip2: {
    /** Reads the header of a stream; returns its block size in units of 100,000 bytes. */
    header(bits: BitReader): number;
    /** Decompresses one block byte by byte; returns the running checksum, or null at the end of the stream. */
    decompress(
      bits: BitReader,
      sink: (byte: number) => void,
      table: Int32Array,
      tableSize: number,
      checksum: number,
    ): number | null;
  };
  export default bzip2;
}
