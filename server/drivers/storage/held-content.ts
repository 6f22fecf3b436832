import { BUFFER_BYTES, giveBuffer, takeBuffer } from './buffer-pool.js';

/** The bytes of a small file that is being written, kept in a reusable buffer. */
export class HeldContent {
  #buffer: Buffer | null = takeBuffer();
  #size = 0;

  /** `onEnd` is called once, when the bytes are released. */
  constructor(private readonly onEnd: () => void) {}

  /** Adds bytes. If the content becomes too large, all of it is released. */
  add(bytes: Buffer): void {
    if (this.#buffer === null) return;
    if (this.#size + bytes.length > BUFFER_BYTES) {
      this.end();
      return;
    }
    bytes.copy(this.#buffer, this.#size);
    this.#size += bytes.length;
  }

  /** All bytes, which must not be used after `end`; null if they are not kept. */
  get content(): Buffer | null {
    return this.#buffer?.subarray(0, this.#size) ?? null;
  }

  /** Releases the memory. */
  end(): void {
    if (this.#buffer === null) return;
    giveBuffer(this.#buffer);
    this.#buffer = null;
    this.onEnd();
  }
}
