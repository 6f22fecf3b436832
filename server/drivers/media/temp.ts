import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failedWith, removeOlder } from '../storage/disk/folders.js';

/** The folder for temporary files and folders of a task. */
export class TempFolder {
  #made: Promise<unknown> | null = null;

  constructor(readonly root: string) {}

  /** A unique path in the folder, which is created if missing. */
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

  /** Lets `write` create a new file and returns its path; if it throws, the file is removed. */
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

/** Removes what a killed process left in a temporary folder more than `olderThanMs` ago; returns how many. */
export async function sweepTemp(root: string, olderThanMs: number): Promise<number> {
  try {
    return await removeOlder(root, olderThanMs);
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return 0;
    throw error;
  }
}
