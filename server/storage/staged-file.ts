import * as fs from 'node:fs';
import { failedWith } from './folders.js';
import { close, copyFile, fdatasync, link, open, rename, unlink } from './fs-calls.js';

/** How a file system says that it makes no hard links, or not this one. */
const NO_LINK = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
/** Whether the file system makes no link, so that a copy has to do. */
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
    /** The bytes, where they are held in memory; `onDiscard` is told when they need not be any more. */
    readonly content: Buffer | null = null,
    private readonly onDiscard: () => void = () => undefined,
  ) {
    this.#fd = fd;
  }

  /** Makes the bytes durable, under no name that lasts yet. */
  async sync(): Promise<void> {
    this.#fd ??= await open(this.path, 'r');
    await fdatasync(this.#fd);
  }

  /**
   * Gives the file a second name on the same file system. False where that cannot be: the name is taken, or the
   * file system makes no links.
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

  /** As `linkTo`, in the place of whatever has that name. Where there are no links it gets a durable copy. */
  async replace(target: string): Promise<void> {
    const draft = `${this.path}.named`;
    try {
      await link(this.path, draft).catch((error: unknown) => {
        if (makesNoLink(error)) return this.#copyTo(draft);
        throw error;
      });
      await rename(draft, target);
    } finally {
      // Renaming a link over another one to the same file leaves both.
      await unlink(draft).catch(() => undefined);
    }
  }

  /** Closes the file, which keeps its name; many files may be staged at once. */
  release(): void {
    const fd = this.#fd;
    this.#fd = null;
    // It writes nothing, so it is not worth a change of thread.
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

/** Whatever closing says, the file is as it is: what had to be durable was synced before. */
function closeQuietly(fd: number): void {
  try {
    fs.closeSync(fd);
  } catch {}
}
