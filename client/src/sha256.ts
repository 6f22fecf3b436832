/**
 * SHA-256 in steps. The browser's own takes only what is in memory as a whole, is asynchronous, and is absent on pages
 * without https.
 */

const WORDS = 64;
const BLOCK = 64;
/** Bits of a word that hold the fraction of a root. */
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);

const { start, constants } = (() => {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < WORDS; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return {
    start: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))),
    constants: Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  };
})();

/** The SHA-256 of bytes that come in pieces. */
export class Sha256 {
  readonly #state = Int32Array.from(start);
  readonly #schedule = new Int32Array(WORDS);
  /** Bytes that do not fill a block yet. */
  readonly #rest = new Uint8Array(BLOCK);
  #length = 0;

  update(bytes: Uint8Array): this {
    const held = this.#length % BLOCK;
    this.#length += bytes.length;
    let at = 0;
    if (held > 0) {
      at = Math.min(BLOCK - held, bytes.length);
      this.#rest.set(bytes.subarray(0, at), held);
      if (held + at < BLOCK) return this;
      this.#mix(this.#rest, 0);
    }
    for (; at + BLOCK <= bytes.length; at += BLOCK) this.#mix(bytes, at);
    this.#rest.set(bytes.subarray(at));
    return this;
  }

  /** The eight words of the hash. Nothing can be added afterwards. */
  words(): Uint32Array {
    const length = this.#length;
    const held = length % BLOCK;
    const end = new Uint8Array(held < 56 ? BLOCK - held : 2 * BLOCK - held);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(length / 2 ** 29));
    view.setUint32(end.length - 4, (length * 8) % 2 ** 32);
    this.update(end);
    return new Uint32Array(this.#state);
  }

  /** The hash as 64 hexadecimal digits. Nothing can be added afterwards. */
  hex(): string {
    return Array.from(this.words(), (word) => word.toString(16).padStart(8, '0')).join('');
  }

  #mix(bytes: Uint8Array, at: number): void {
    const words = this.#schedule;
    // Every index is within its array, which the compiler cannot know.
    for (let index = 0; index < 16; index += 1) {
      const byte = at + index * 4;
      words[index] =
        ((bytes[byte] as number) << 24) |
        ((bytes[byte + 1] as number) << 16) |
        ((bytes[byte + 2] as number) << 8) |
        (bytes[byte + 3] as number);
    }
    for (let index = 16; index < WORDS; index += 1) {
      const early = words[index - 15] as number;
      const late = words[index - 2] as number;
      words[index] =
        ((words[index - 16] as number) +
          (((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3)) +
          (words[index - 7] as number) +
          (((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10))) |
        0;
    }
    const state = this.#state;
    let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
    for (let index = 0; index < WORDS; index += 1) {
      const chosen =
        (h +
          (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) +
          ((e & f) ^ (~e & g)) +
          (constants[index] as number) +
          (words[index] as number)) |
        0;
      const common =
        ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) +
          ((a & b) ^ (a & c) ^ (b & c))) |
        0;
      h = g;
      g = f;
      f = e;
      e = (d + chosen) | 0;
      d = c;
      c = b;
      b = a;
      a = (chosen + common) | 0;
    }
    state[0] = (state[0] as number) + a;
    state[1] = (state[1] as number) + b;
    state[2] = (state[2] as number) + c;
    state[3] = (state[3] as number) + d;
    state[4] = (state[4] as number) + e;
    state[5] = (state[5] as number) + f;
    state[6] = (state[6] as number) + g;
    state[7] = (state[7] as number) + h;
  }
}

type Eight = [number, number, number, number, number, number, number, number];

/** The first 32 bits of the SHA-256 of a text as an unsigned number. */
export function firstWordOfSha256(text: string): number {
  return new Sha256().update(new TextEncoder().encode(text)).words()[0] ?? 0;
}

/** How much of a file is in memory at once while it is hashed. */
const SLICE_BYTES = 1024 * 1024;

/** The SHA-256 of a file, which is read in slices; `onBytes` gets how much was read since it was called before. */
export async function hashOf(
  file: Blob,
  { onBytes, signal }: { readonly onBytes?: (bytes: number) => void; readonly signal?: AbortSignal } = {},
): Promise<string> {
  const hash = new Sha256();
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    signal?.throwIfAborted();
    const bytes = new Uint8Array(await file.slice(at, at + SLICE_BYTES).arrayBuffer());
    hash.update(bytes);
    onBytes?.(bytes.length);
  }
  return hash.hex();
}
