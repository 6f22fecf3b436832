import * as fs from 'node:fs';
import { failedWith } from './folders.js';
import { close, copyFile, fdatasync, link, open, rename, unlink } from './fs-calls.js';

/** Error codes for a file system that does not support hard links, or not this one. */
const NO_LINK = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
/** Whether a hard link is not possible, so that a copy is needed. */
export const makesNoLink = (error: unknown): boolean => NO_LINK.some((code) => failedWith(error, code));

/** A hashed file in the staging folder, which keeps its name there until `discard`. */
export class StagedFile {
  #fd: number | null;
  #discarded = false;

  constructor(
    readonly path: string,
    readonly sha256: string,
    readonly size: number,
    fd: number,
    /** The bytes, if they are in memory; `onDiscard` is called when they can be released. */
    readonly content: Buffer | null = null,
    private readonly onDiscard: () => void = () => undefined,
  ) {
    this.#fd = fd;
  }

  /** Makes the bytes durable; the name is still temporary. */
  async sync(): Promise<void> {
    this.#fd ??= await open(this.path, 'r');
    await fdatasync(this.#fd);
  }

  /**
   * Gives the file a second name on the same file system. False if that is not possible: the name exists, or hard
   * links are not supported.
   */
  async linkTo(target: string): Promise<boolean> {
    return link(this.path, target).then(
      () => true,
      (error: unknown) => {
        if (failedWith(error, 'EEXIST') || makesNoLink(error)) return false;
        throw error;
      },
    );
  }

  /** Like `linkTo`, but replaces an existing file. Without hard links it makes a durable copy. */
  async replace(target: string): Promise<void> {
    const draft = `${this.path}.named`;
    try {
      await link(this.path, draft).catch((error: unknown) => {
        if (makesNoLink(error)) return this.#copyTo(draft);
        throw error;
      });
      await rename(draft, target);
    } finally {
      // `rename` of a hard link over another one to the same file keeps both names.
      await unlink(draft).catch(() => undefined);
    }
  }

  /** Closes the file but keeps its name; many files may be staged at once. */
  release(): void {
    const fd = this.#fd;
    this.#fd = null;
    // Nothing is written, so this is not worth a thread switch.
    if (fd !== null) closeQuietly(fd);
  }

  /** Removes the staged name; never throws. */
  async discard(): Promise<void> {
    this.release();
    if (this.#discarded) return;
    this.#discarded = true;
    this.onDiscard();
    await unlink(this.path).catch(() => undefined);
  }

  async #copyTo(draft: string): Promise<void> {
    await copyFile(this.path, draft);
    const fd = await open(draft, 'r');
    try {
      await fdatasync(fd);
    } finally {
      await close(fd);
    }
  }
}

/** Errors while closing do not matter: anything that had to be durable was synced before. */
function closeQuietly(fd: number): void {
  try {
    fs.closeSync(fd);
  } catch {}
}
