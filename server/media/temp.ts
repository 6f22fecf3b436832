import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder for files and folders that live as long as one piece of work. */
export class TempFolder {
  #made: Promise<unknown> | null = null;

  constructor(readonly root: string) {}

  /** A name nobody else uses, in a folder that exists. */
  async path(extension: string): Promise<string> {
    this.#made ??= mkdir(this.root, { recursive: true, mode: 0o700 });
    try {
      await this.#made;
    } catch (error) {
      this.#made = null;
      throw error;
    }
    return join(this.root, `${randomUUID()}.${extension}`);
  }

  /** Lets `write` fill a new file and returns its path; when it throws, nothing stays behind. */
  async fill(extension: string, write: (path: string) => Promise<void>): Promise<string> {
    const path = await this.path(extension);
    try {
      await write(path);
      return path;
    } catch (error) {
      await rm(path, { force: true, recursive: true });
      throw error;
    }
  }
}

/** Removes what a killed process left in a temporary folder longer than `olderThanMs` ago; returns how many. */
export async function sweepTemp(root: string, olderThanMs: number): Promise<number> {
  const before = Date.now() - olderThanMs;
  let removed = 0;
  for (const name of await readdir(root).catch(() => [])) {
    const path = join(root, name);
    const age = await stat(path).catch(() => null);
    if (age === null || age.mtimeMs > before) continue;
    await rm(path, { force: true, recursive: true });
    removed++;
  }
  return removed;
}
