type Maker<T> = () => Promise<T>;

/** Something that requests name and may destroy. It is made when it is first asked for, and made anew when gone. */
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
    // What could not be made is tried again when it is next asked for.
    mine.catch(() => {
      if (this.#made === mine) this.#made = null;
    });
    return mine;
  }

  /** It is no use any more, although it is there. */
  giveUp(): void {
    this.#made = null;
  }

  /** Somebody may have destroyed it: look before it is named again. */
  doubt(): void {
    this.#doubtful = true;
  }

  async #again(made: Promise<T>): Promise<T> {
    const value = await made;
    return (await this.isThere(value)) ? value : this.make();
  }
}
