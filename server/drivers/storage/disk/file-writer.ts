import { close, open, unlink } from './fs-calls.js';
import { writeAll } from './write-all.js';

/** Bytes collected before they are written; a smaller file takes one write. */
const GATHER_BYTES = 256 * 1024;
/** Maximum chunks collected: many tiny ones must not fill the memory with their overhead. */
const GATHER_CHUNKS = 1024;

/**
 * Writes a new file in a few large pieces; one is written while the next is collected. The file is created with the
 * first piece and private to this user. Call `finish` or `abandon` at the end.
 */
export class FileWriter {
  #fd: number | null = null;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {}

  /** Takes a chunk, which must not be changed afterwards. Waits if the disk is too slow. */
  async write(chunk: Buffer): Promise<void> {
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    if (this.#gatheredBytes < GATHER_BYTES && this.#gathered.length < GATHER_CHUNKS) return;
    await this.#writing;
    this.#writing = this.#flush();
    // The next `await` of it gets the error.
    this.#writing.catch(() => undefined);
  }

  /** Writes the rest and returns the file descriptor, which the caller must close. */
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
