/** Reads a stream of chunks by counts of bytes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes, `length` of them; null at the end, an error if there are fewer. */
  async take(length: number): Promise<Buffer | null> {
    const pieces: Buffer[] = [];
    let missing = length;
    for await (const piece of this.stream(length, true)) {
      pieces.push(piece);
      missing -= piece.length;
    }
    if (missing === 0)
      return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    if (missing === length) return null;
    throw new Error('unexpected end');
  }

  /** The next `length` bytes piece by piece; an error if there are fewer, unless the end is `allowed`. */
  async *stream(length: number, allowed = false): AsyncGenerator<Buffer> {
    let missing = length;
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) {
          if (allowed) return;
          throw new Error('unexpected end');
        }
        this.#rest = next.value;
        continue;
      }
      const piece = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }

  /** Skips bytes; the end of the stream is no error. */
  async skip(length: number): Promise<void> {
    for await (const _ of this.stream(length, true));
  }

  /** Frees the source. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
