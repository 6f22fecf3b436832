import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const open = promisify(fs.open);
const close = promisify(fs.close);
const fsync = promisify(fs.fsync);
const mkdir = promisify(fs.mkdir);

/** Tells whether a file system call failed with this code, `ENOENT` for instance. */
export function failedWith(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Makes the entries of a folder (new, renamed and removed names) survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const fd = await open(path, 'r');
  try {
    await fsync(fd);
  } finally {
    await close(fd);
  }
}

/**
 * The folders below one root, made when needed. `sync` makes the names in a folder durable, and, once for
 * each folder and process, its own name in the folders above: another process may have made it just now.
 */
export class FolderTree {
  readonly #durable = new Map<string, Promise<void>>();

  constructor(readonly root: string) {}

  /** Makes a folder below the root, open to this user alone; one that exists is no error. */
  async make(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: 0o700 });
  }

  /** Resolves when the names in `path`, and `path` itself, are durable. */
  async sync(path: string): Promise<void> {
    await Promise.all([syncFolder(path), this.#syncName(path)]);
  }

  #syncName(path: string): Promise<void> {
    if (path === this.root) return Promise.resolve();
    const known = this.#durable.get(path);
    if (known !== undefined) return known;
    const synced = this.sync(dirname(path));
    this.#durable.set(path, synced);
    synced.catch(() => this.#durable.delete(path));
    return synced;
  }
}
