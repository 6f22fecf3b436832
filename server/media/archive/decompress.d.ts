declare module 'decompress' {
  /** What a plugin found in an archive. `data` is handed to the file system as it is, so it may be a stream. */
  interface DecompressEntry {
    readonly path: string;
    readonly type: 'file';
    readonly mode: number;
    readonly mtime: Date;
    readonly data: AsyncIterable<Buffer>;
  }
  type DecompressPlugin = (input: Buffer) => Promise<readonly DecompressEntry[]>;

  /** Writes the entries that the plugins find below `output`; throws when one would leave it. */
  export default function decompress(
    input: Buffer,
    output: string,
    options: { readonly plugins: readonly DecompressPlugin[] },
  ): Promise<readonly DecompressEntry[]>;
}

declare module 'unbzip2-stream' {
  export default function bunzip2(): NodeJS.ReadWriteStream;
}
