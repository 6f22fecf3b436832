type Maker<T> = () => Promise<T>;

/**
 * Something that requests refer to and may destroy. It is created on first use, and again when it is gone.
 */
export class Thing<T> {
  #made: Promise<T> | null = null;
  #doubtful = false;

  constructor(
    private readonly make: Maker<T>,
    private readonly isThere: (value: T) => Promise<boolean>,
  ) {}

  get(): Promise<T> {
    const made = this.#made;
    if (made !== null && !this.#doubtful) return made;
    this.#doubtful = false;
    const mine = made === null ? this.make() : this.#again(made);
    this.#made = mine;
    // A failed creation is retried on the next use.
    mine.catch(() => {
      if (this.#made === mine) this.#made = null;
    });
    return mine;
  }

  /** It exists, but can no longer be used. */
  giveUp(): void {
    this.#made = null;
  }

  /** It may have been destroyed: check before it is used again. */
  doubt(): void {
    this.#doubtful = true;
  }

  async #again(made: Promise<T>): Promise<T> {
    const value = await made;
    return (await this.isThere(value)) ? value : this.make();
  }
}
