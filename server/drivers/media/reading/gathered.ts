/** Bytes of text that are read in a document. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Characters that are kept as they stand, for phrases; of what follows each word is kept once. */
const MAX_IN_ORDER = 256 * 1024;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Takes the text of a document piece by piece, as much of it as counts. */
export class Gathered {
  readonly #pieces: string[] = [];
  #bytes = 0;

  /** Adds a piece; false if nothing more counts. */
  add(piece: string): boolean {
    if (this.isFull) return false;
    this.#bytes += Buffer.byteLength(piece);
    this.#pieces.push(piece);
    return !this.isFull;
  }

  get isFull(): boolean {
    return this.#bytes >= MAX_BYTES;
  }

  /** What was read, in order as far as phrases of it are found. */
  text(): string {
    const all = this.#pieces
      .join('')
      .replaceAll('\0', ' ')
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n\s*/g, '\n')
      .toWellFormed()
      .trim();
    if (all.length <= MAX_IN_ORDER) return all;
    const cut = all.lastIndexOf(' ', MAX_IN_ORDER);
    const whole = all.slice(0, cut > 0 ? cut : MAX_IN_ORDER);
    const known = new Set(whole.match(WORD));
    const further = new Set((all.slice(whole.length).match(WORD) ?? []).filter((word) => !known.has(word)));
    return `${whole}\n${[...further].join(' ')}`;
  }
}
