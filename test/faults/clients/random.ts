/** A source of random numbers that can be repeated from its seed, to reproduce a failed run. */
export class Random {
  #state: number;

  constructor(readonly seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, at least `low` and below `high`. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low));
  }

  /** One of a list; throws a `RangeError` if it is empty. */
  pick<T>(list: readonly T[]): T {
    const chosen = list[this.between(0, list.length)];
    if (chosen === undefined) throw new RangeError('nothing to pick from');
    return chosen;
  }

  /** Bytes that no other call has returned. */
  bytes(length: number): Buffer {
    const words = Uint32Array.from({ length: Math.ceil(length / 4) }, () => this.next() * 2 ** 32);
    return Buffer.from(words.buffer, 0, length);
  }
}
