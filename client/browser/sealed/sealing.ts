/** Seals in the browser. Loaded once something is sealed. */
import type { PartsSource } from '../../src/parts/task.js';
import { armored, openName, type SealedFor, type SealedName, seal } from '../../src/sealed.js';
import { t } from '../speech.js';
import { KeptAhead, keptFor } from './kept.js';
import { wordsOf } from './words.js';

/** Larger files are kept until they have arrived; a smaller one is sealed again sooner than it is kept. */
const KEPT_FROM_BYTES = 16 * 1024 * 1024;

/** What is sent of a file, and what its link ends with. */
export interface SealedFile {
  readonly source: PartsSource;
  readonly sealedName: string;
  /** The key behind its #; empty if it has none of its own. */
  readonly fragment: string;
  /** Whether it can be sent again from any place. */
  readonly goesBack: boolean;
  /** Removes what this browser keeps of it. */
  forget(): void;
}

const sealing = async (content: Blob, name: SealedName, whom: SealedFor) => {
  try {
    return await seal(content.stream(), name, whom);
  } catch (error) {
    throw new Error(wordsOf(error));
  }
};
const fragmentOf = (identity: string | null): string => (identity === null ? '' : `#${identity}`);

/**
 * Seals a file while it is sent. A large one that was sealed in the same way before, and did not arrive, is what it was
 * then: it goes on where it was.
 */
export async function sealFile(file: File, whom: SealedFor, description?: string): Promise<SealedFile> {
  const asked = JSON.stringify([
    ...[file.name, file.size, file.lastModified, file.type, description ?? ''],
    whom.to ?? (whom.passphrase === undefined ? 'key' : 'passphrase'),
  ]);
  const isKept = file.size > KEPT_FROM_BYTES;
  const kept = isKept ? await keptFor(asked).catch(() => null) : null;
  if (kept !== null && (await isFor(kept.sealedName, whom)))
    return { ...kept, fragment: fragmentOf(kept.identity), goesBack: true };
  const name = {
    ...{ name: file.name, size: file.size },
    ...(file.type === '' ? {} : { type: file.type }),
    ...(description ? { description } : {}),
  };
  const { content, sealedName, identity, sizeOf } = await sealing(file, name, whom);
  const size = sizeOf(file.size);
  const ahead = isKept ? await KeptAhead.of(asked, content, { size, sealedName, identity }) : null;
  const source = ahead ?? new Ciphertext(content, size);
  return {
    ...{ source, sealedName, fragment: fragmentOf(identity), goesBack: ahead !== null },
    forget: () => ahead?.forget(),
  };
}

/** Whether something was sealed with this passphrase, if it is one that is asked for. */
const isFor = (sealedName: string, { passphrase }: SealedFor): Promise<boolean> =>
  passphrase === undefined
    ? Promise.resolve(true)
    : openName(sealedName, { passphrase }).then(
        () => true,
        () => false,
      );

/** Seals a text, as pastes have it. */
export async function sealText(text: string, name: SealedName, whom: SealedFor) {
  const { content, sealedName, identity } = await sealing(new Blob([text]), name, whom);
  const file = new Uint8Array(await new Response(content as ReadableStream).arrayBuffer());
  return { text: armored(file), sealedName, fragment: fragmentOf(identity) };
}

/** An age file that is made while it is sent: forwards only, and no more of it in memory than the part under way. */
class Ciphertext implements PartsSource {
  readonly type = 'application/age';
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #held: Uint8Array[] = [];
  /** Where what is held begins and ends. */
  #from = 0;
  #to = 0;

  constructor(
    content: ReadableStream<Uint8Array>,
    readonly size: number,
  ) {
    this.#reader = content.getReader();
  }

  async slice(from: number, to: number): Promise<Blob> {
    if (from < this.#from) throw new Error(t('The server has forgotten this upload, send the file again'));
    while (this.#to < Math.min(to, this.size)) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error(t('The file cannot be read'));
      this.#held.push(value);
      this.#to += value.length;
    }
    for (
      let [first] = this.#held;
      first !== undefined && this.#from + first.length <= from;
      [first] = this.#held
    ) {
      this.#from += first.length;
      this.#held.shift();
    }
    return new Blob(this.#held as BlobPart[]).slice(from - this.#from, to - this.#from);
  }
}
