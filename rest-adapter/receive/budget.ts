import type { ByteCount } from '../../routers/base/ports/sharing.js';

/** Counts bytes against a limit. */
export class Budget implements ByteCount {
  #held = 0;

  constructor(readonly limit: number) {}

  get held(): number {
    return this.#held;
  }

  get isEnded(): boolean {
    return this.#held > this.limit;
  }

  add(bytes: number): void {
    this.#held += bytes;
  }
}
