import { BUFFER_BYTES, giveBuffer, takeBuffer } from './buffer-pool.js';

/** The bytes of a small file on their way to the disk, kept in a buffer that is used again. */
export class HeldContent {
  #buffer: Buffer | null = takeBuffer();
  #size = 0;

  /** `onEnd` is told once, when nothing is kept any more. */
  constructor(private readonly onEnd: () => void) {}

  /** Takes the next bytes; what becomes too large is kept no more. */
  add(bytes: Buffer): void {
    if (this.#buffer === null) return;
    if (this.#size + bytes.length > BUFFER_BYTES) {
      this.end();
      return;
    }
    bytes.copy(this.#buffer, this.#size);
    this.#size += bytes.length;
  }

  /** All bytes, which nobody may use after `end`; null when they are not kept. */
  get content(): Buffer | null {
    return this.#buffer?.subarray(0, this.#size) ?? null;
  }

  /** Gives the memory back. */
  end(): void {
    if (this.#buffer === null) return;
    giveBuffer(this.#buffer);
    this.#buffer = null;
    this.onEnd();
  }
}
