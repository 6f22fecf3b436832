import * as fs from 'node:fs';
import { opendir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../../../../db/engine/error-code.js';
import { fsync, mkdir, stat } from './fs-calls.js';

/** Whether a file system call failed with this code, such as `ENOENT`. */
export function failedWith(error: unknown, code: string): boolean {
  return codeOf(error) === code;
}

/**
 * Makes changes to the names in a folder (created, renamed, removed) survive a power failure. The folder was just
 * used, so opening it does not wait for the disk and is not worth a thread switch.
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
 * Creates a folder that is private to this user, and missing parents, with names that survive a power failure. One at
 * a time, because Node's own recursion never ends where nothing can be created, such as below /proc.
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

/** Returns false if the folder already exists. */
async function makeOne(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (failedWith(error, 'EEXIST') && (await stat(folder)).isDirectory()) return false;
    throw error;
  }
}

/** Removes files and folders in a folder that were last modified more than `olderThanMs` ago; returns how many. */
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

/** The folders below a root, each created on first use. */
export class FolderTree {
  readonly #ready = new Map<string, Promise<void>>();

  constructor(readonly root: string) {}

  /**
   * Resolves when the folder exists and its name and those of its parents are durable. An existing folder is also
   * synced once, because another process may have just created it.
   */
  ready(path: string): Promise<void> {
    const known = this.#ready.get(path);
    if (known !== undefined) return known;
    const made = this.#make(path);
    this.#ready.set(path, made);
    made.catch(() => this.forget(path));
    return made;
  }

  /** Makes `ready` check again, because the folder was removed. */
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
