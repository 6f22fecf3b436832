/** Work on requests. It goes on after a client has left, and has to end before what it uses is closed. */
export class UnderWay {
  #count = 0;
  #whenNone: (() => void) | null = null;
  readonly #ended = (): void => {
    this.#count -= 1;
    if (this.#count === 0) this.#whenNone?.();
  };

  /** Counts this until it ends, however it does; an error of it stays unhandled. */
  add(work: Promise<unknown>): void {
    this.#count += 1;
    void work.finally(this.#ended);
  }

  /** Requests that are worked on. */
  get count(): number {
    return this.#count;
  }

  /** Resolves as soon as there is none. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenNone = resolve;
    });
  }
}
