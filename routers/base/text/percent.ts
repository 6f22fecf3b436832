import { setImmediate as nextTurn } from 'node:timers/promises';

const [PERCENT, PLUS, SPACE] = [0x25, 0x2b, 0x20];

const digit = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** The bytes of a percent-encoded Latin-1 text; a `%` that encodes nothing stays. */
export const percentDecoded = (text: string): Buffer => decoded(text, null);

/** As `percentDecoded`, for a name or value of a form, in which `+` is a space. */
export const formDecoded = (text: string): Buffer => decoded(text, PLUS);

function decoded(text: string, space: number | null): Buffer {
  const decoding = new Decoding(Buffer.from(text, 'latin1'), space);
  decoding.goOn(text.length);
  return decoding.result;
}

/** So many bytes are decoded before others take their turn: a few milliseconds. */
const PIECE = 1024 * 1024;

/** As `formDecoded`, in the given bytes themselves, and in pieces, between which others take their turns. */
export async function formDecodedInTurns(bytes: Buffer): Promise<Buffer> {
  const decoding = new Decoding(bytes, PLUS);
  while (!decoding.goOn(PIECE)) await nextTurn();
  return decoding.result;
}

/** A percent-encoded text that is decoded in its own bytes, as far as one wants. */
class Decoding {
  #at = 0;
  #length = 0;

  /** `space` is the byte that stands for a space. */
  constructor(
    private readonly bytes: Buffer,
    private readonly space: number | null,
  ) {}

  /** Decodes about so many bytes more; whether the end is reached. */
  goOn(count: number): boolean {
    const { bytes, space } = this;
    const end = Math.min(bytes.length, this.#at + count);
    let [at, length] = [this.#at, this.#length];
    for (; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      const high = byte === PERCENT ? digit(bytes[at + 1] ?? 0) : -1;
      const low = high < 0 ? -1 : digit(bytes[at + 2] ?? 0);
      if (low >= 0) bytes[length] = high * 16 + low;
      else bytes[length] = byte === space ? SPACE : byte;
      length += 1;
      if (low >= 0) at += 2;
    }
    [this.#at, this.#length] = [at, length];
    return at >= bytes.length;
  }

  get result(): Buffer {
    return this.bytes.subarray(0, this.#length);
  }
}
