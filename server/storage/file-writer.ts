import { close, open, unlink } from './fs-calls.js';
import { writeAll } from './write-all.js';

/** Bytes gathered before they are written; a smaller file costs one write. */
const GATHER_BYTES = 256 * 1024;
/** Chunks gathered at most: a source of tiny ones must not fill the memory with their frames. */
const GATHER_CHUNKS = 1024;

/**
 * Writes a new file in few large pieces, one on its way to the disk while the next is gathered. The file is
 * made with the first piece, for this user alone. Ends with `finish` or `abandon`.
 */
export class FileWriter {
  #fd: number | null = null;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {}

  /** Takes a chunk, which must not change any more. Waits for the disk when it falls behind. */
  async write(chunk: Buffer): Promise<void> {
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    if (this.#gatheredBytes < GATHER_BYTES && this.#gathered.length < GATHER_CHUNKS) return;
    await this.#writing;
    this.#writing = this.#flush();
    // Whoever waits for it next gets the error.
    this.#writing.catch(() => undefined);
  }

  /** Writes what is left; returns the handle of the file, which is the caller's from now on. */
  async finish(): Promise<number> {
    await this.#writing;
    await this.#flush();
    const fd = this.#fd ?? (await open(this.path, 'wx', 0o600));
    this.#fd = null;
    return fd;
  }

  /** Removes the file; never throws. Does nothing after `finish`. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined);
    if (this.#fd === null) return;
    await close(this.#fd).catch(() => undefined);
    await unlink(this.path).catch(() => undefined);
  }

  async #flush(): Promise<void> {
    const chunks = this.#gathered;
    if (this.#gatheredBytes === 0) return;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#fd ??= await open(this.path, 'wx', 0o600);
    await writeAll(this.#fd, chunks);
  }
}
