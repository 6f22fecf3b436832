/** Requests in progress. Work continues after a client disconnects and must end before its resources are closed. */
export class ActiveRequests {
  #count = 0;
  #whenNone: (() => void) | null = null;
  readonly #end = (): void => {
    this.#count -= 1;
    if (this.#count === 0) this.#whenNone?.();
  };

  readonly #fail = (error: unknown): never => {
    this.#end();
    throw error;
  };

  /** Counts this work until it settles. A rejection stays unhandled. */
  add(work: Promise<unknown>): void {
    this.#count += 1;
    // `finally` would do the same with two promises more, for every request.
    void work.then(this.#end, this.#fail);
  }

  /** Number of requests in progress. */
  get count(): number {
    return this.#count;
  }

  /** Resolves as soon as no request is in progress. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenNone = resolve;
    });
  }
}
