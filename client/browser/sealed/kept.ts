/**
 * The ciphertext of large files, kept by the browser until it has arrived: after a pause, a lost connection or a reload
 * the same file goes on where it was. It is made ahead of what is sent. Beside it is only the key that its link needs, if
 * one was made, and what was asked for, to be found by.
 */
import { createStore, delMany, get, keys, set } from 'idb-keyval';
import type { PartsSource } from '../../src/parts/task.js';
import { t } from '../speech.js';
import { newReceipt } from '../upload/kept.js';

/** What is kept of a file besides its parts, once they are whole. */
interface Whole {
  readonly parts: number;
  readonly size: number;
  readonly sealedName: string;
  readonly identity: string | null;
}
/** What is too old goes with all its parts, so both are in one store: a part by its number, what is whole by what was asked for. */
type Key = [begunAt: number, sealing: string, part: number | string];

/** Bytes that are kept at once. */
const PART_BYTES = 16 * 1024 * 1024;
/** A server forgets an upload a day after its last byte. */
const KEPT_MS = 24 * 60 * 60 * 1000;

const open = () => createStore('holdall-sealed', 'parts');

async function keysOf(isMeant: (key: Key) => boolean): Promise<Key[]> {
  return (await keys<Key>(open())).filter(isMeant);
}

async function forget(isMeant: (key: Key) => boolean): Promise<void> {
  await keysOf(isMeant)
    .then((found) => delMany(found, open()))
    .catch(() => undefined);
}

const isOld = ([begunAt]: Key): boolean => begunAt < Date.now() - KEPT_MS;

/** A file that was sealed to its end before, by what was asked for; null if there is none. */
export async function keptFor(asked: string) {
  await forget(isOld);
  const last = (await keysOf(([, , part]) => part === asked)).at(-1);
  const whole = last === undefined ? undefined : await get<Whole>(last, open());
  if (last === undefined || whole === undefined) return null;
  const [begunAt, sealing] = last;
  const parts = await Promise.all(
    Array.from({ length: whole.parts }, (_, part) => get<Blob>([begunAt, sealing, part], open())),
  );
  const blob = new Blob(parts.filter((part) => part !== undefined));
  if (blob.size !== whole.size) return null;
  const source: PartsSource = {
    ...{ size: blob.size, type: 'application/age' },
    slice: (from, to) => blob.slice(from, to),
  };
  return { ...whole, source, forget: () => void forget(([, of]) => of === sealing) };
}

/** A file that is sealed and kept ahead of what is sent. */
export class KeptAhead implements PartsSource {
  readonly type = 'application/age';
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #at: readonly [begunAt: number, sealing: string] = [Date.now(), newReceipt()];
  readonly #parts: Blob[] = [];
  #end = 0;
  /** The part that is being kept; each waits for the one before. */
  #last: Promise<void> = Promise.resolve();
  #isEnded = false;

  /** Null where the browser has no room for it, or keeps nothing. */
  static async of(
    asked: string,
    content: ReadableStream<Uint8Array>,
    whole: Omit<Whole, 'parts'>,
  ): Promise<KeptAhead | null> {
    const { quota, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
    if (quota !== undefined && quota - usage < 1.2 * whole.size) return null;
    const isOpen = await keysOf(() => false).catch(() => null);
    return isOpen === null ? null : new KeptAhead(asked, content, whole);
  }

  private constructor(
    private readonly asked: string,
    content: ReadableStream<Uint8Array>,
    private readonly whole: Omit<Whole, 'parts'>,
  ) {
    this.#reader = content.getReader();
    // What fails is said to who asks for the part.
    void this.#goAhead().catch(() => undefined);
  }

  get size(): number {
    return this.whole.size;
  }

  async slice(from: number, to: number): Promise<Blob> {
    while (this.#end < Math.min(to, this.size)) await this.#next();
    return new Blob(this.#parts).slice(from, to);
  }

  forget(): void {
    this.#isEnded = true;
    void this.#last.catch(() => undefined).then(() => forget(([, of]) => of === this.#at[1]));
  }

  async #goAhead(): Promise<void> {
    while (this.#end < this.size && !this.#isEnded) await this.#next();
  }

  #next(): Promise<void> {
    this.#last = this.#last.then(() => this.#keep());
    return this.#last;
  }

  async #keep(): Promise<void> {
    if (this.#end >= this.size || this.#isEnded) return;
    const chunks: Uint8Array[] = [];
    for (let bytes = 0; bytes < PART_BYTES; ) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      chunks.push(value);
      bytes += value.length;
    }
    if (chunks.length === 0) throw new Error(t('The file cannot be read'));
    const key = (part: number | string): Key => [...this.#at, part];
    const part = key(this.#parts.length);
    await set(part, new Blob(chunks as BlobPart[]), open()).catch((cause: unknown) => {
      const text = t('There is not enough room in the storage of this browser: use “holdall upload --seal”');
      throw new Error(text, { cause });
    });
    // The one that was kept is in a file, and not in memory.
    const kept = (await get<Blob>(part, open())) ?? new Blob();
    this.#parts.push(kept);
    this.#end += kept.size;
    if (this.#end === this.size)
      await set(key(this.asked), { ...this.whole, parts: this.#parts.length }, open());
  }
}
