import * as fs from 'node:fs';
import { opendir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../../db/error-code.js';
import { fsync, mkdir, stat } from './fs-calls.js';

/** Tells whether a file system call failed with this code, `ENOENT` for instance. */
export function failedWith(error: unknown, code: string): boolean {
  return codeOf(error) === code;
}

/**
 * Makes the names in a folder (new, changed and removed ones) survive a power cut. The folder was just used, so to open
 * it waits for no disk and is not worth a change of thread.
 */
export async function syncFolder(path: string): Promise<void> {
  const fd = fs.openSync(path, 'r');
  try {
    await fsync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Makes a folder for this user alone, and those above it where they are missing, under names that survive a power cut. One
 * by one: where nothing can be made at all, as below /proc, Node's own recursion never ends.
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  const parent = dirname(folder);
  const made = await makeOne(folder).catch(async (error: unknown) => {
    if (!failedWith(error, 'ENOENT') || parent === folder) throw error;
    await makeFolder(parent);
    return makeOne(folder);
  });
  if (made) await syncFolder(parent);
}

/** False when the folder is there already. */
async function makeOne(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (failedWith(error, 'EEXIST') && (await stat(folder)).isDirectory()) return false;
    throw error;
  }
}

/** Removes the files and folders in a folder that were last written more than `olderThanMs` ago; returns how many. */
export async function removeOlder(folder: string, olderThanMs: number): Promise<number> {
  const limit = Date.now() - olderThanMs;
  let removed = 0;
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    const facts = await stat(path).catch(() => null);
    if (facts === null || facts.mtimeMs > limit) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/** The folders below one root, each made at its first use. */
export class FolderTree {
  readonly #ready = new Map<string, Promise<void>>();

  constructor(readonly root: string) {}

  /**
   * Resolves when the folder exists and its name, and those of the folders above it, are durable. A folder
   * that exists is synced once all the same: another process may have made it just now.
   */
  ready(path: string): Promise<void> {
    const known = this.#ready.get(path);
    if (known !== undefined) return known;
    const made = this.#make(path);
    this.#ready.set(path, made);
    made.catch(() => this.forget(path));
    return made;
  }

  /** Makes `ready` look again: somebody removed the folder. */
  forget(path: string): void {
    this.#ready.delete(path);
    if (path !== this.root) this.forget(dirname(path));
  }

  async #make(path: string): Promise<void> {
    const parent = dirname(path);
    if (path === this.root) {
      await mkdir(path, { recursive: true, mode: 0o700 });
    } else {
      await this.ready(parent);
      await mkdir(path, 0o700).catch((error) => {
        if (!failedWith(error, 'EEXIST')) throw error;
      });
    }
    await syncFolder(parent);
  }
}
