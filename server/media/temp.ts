import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failedWith, removeOlder } from '../storage/folders.js';

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

/** Removes what a killed process left in a temporary folder, if there is one, longer than `olderThanMs` ago; returns how many. */
export async function sweepTemp(root: string, olderThanMs: number): Promise<number> {
  try {
    return await removeOlder(root, olderThanMs);
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return 0;
    throw error;
  }
}
