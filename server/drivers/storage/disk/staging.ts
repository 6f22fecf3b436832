import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { BlobTooLarge, type StageOptions } from '../../../../routers/base/ports/storage.js';
import { giveBuffer, takeBuffer } from '../buffer-pool.js';
import { HeldContent } from '../held-content.js';
import { FileWriter } from './file-writer.js';
import { failedWith, removeOlder } from './folders.js';
import {
  close,
  copyFile,
  fstat,
  futimes,
  link,
  mkdir,
  open,
  read,
  rename,
  unlink,
  utimes,
} from './fs-calls.js';
import { stageWhole } from './stage-whole.js';
import { makesNoLink, StagedFile } from './staged-file.js';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;

/** Number of files kept in memory while they are staged: 16 MiB. */
const HELD_FILES = 64;

/** Whether a file in the folder may be a staged one. */
export const isStaged = (name: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);

/** The folder for bytes between their arrival and their commit. Failures leave no files behind. */
export class StagingArea {
  #held = 0;

  constructor(readonly folder: string) {}

  /** Creates the folder, private to this user. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }

  /** A unique path in the folder. */
  freshPath(): string {
    return join(this.folder, randomUUID());
  }

  /**
   * Writes a stream to a file and hashes it. Throws `BlobTooLarge` above `maxBytes`, errors of `count`, and the
   * stream's own error. The source still belongs to the caller: it is left paused and not destroyed, so that an
   * upload that is too large can be answered on its connection.
   */
  async stage(source: Readable, { maxBytes, count }: StageOptions): Promise<StagedFile> {
    const hash = createHash('sha256');
    const file = new FileWriter(this.freshPath());
    const held = this.#hold();
    let size = 0;
    try {
      const chunks: AsyncIterable<Buffer | string> = source.iterator({ destroyOnReturn: false });
      for await (const chunk of chunks) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        size += bytes.length;
        if (size > maxBytes) throw new BlobTooLarge(maxBytes);
        await count?.(bytes.length);
        hash.update(bytes);
        held?.add(bytes);
        await file.write(bytes);
      }
      const sha256 = hash.digest('hex');
      const fd = await file.finish();
      return new StagedFile(file.path, sha256, size, fd, held?.content ?? null, () => held?.end());
    } catch (error) {
      held?.end();
      await file.abandon();
      throw error;
    }
  }

  /** Null if the maximum number is already held. */
  #hold(): HeldContent | null {
    if (this.#held >= HELD_FILES) return null;
    this.#held += 1;
    return new HeldContent(() => {
      this.#held -= 1;
    });
  }

  /** Moves a regular local file in and hashes it; copies it if it is on another file system. */
  async stageFile(source: string): Promise<StagedFile> {
    const path = this.freshPath();
    const fd = await open(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      if (!(await fstat(fd)).isFile()) throw new Error('only a regular file can be staged');
      await rename(source, path);
      // The sweep goes by mtime, and this file may be old.
      await futimes(fd, new Date(), new Date());
      return new StagedFile(path, ...(await hashFile(fd)), fd);
    } catch (error) {
      await close(fd).catch(() => undefined);
      await unlink(path).catch(() => undefined);
      if (!failedWith(error, 'EXDEV')) throw error;
      return await this.#copyIn(source);
    }
  }

  /** Hashes a file on the same file system under a second name here; the first stays as it is. */
  async stageLink(source: string): Promise<StagedFile> {
    const path = this.freshPath();
    await link(source, path).catch((error: unknown) => {
      if (makesNoLink(error)) return copyFile(source, path);
      throw error;
    });
    const fd = await open(path, 'r');
    try {
      // The sweep goes by mtime, which both names share.
      await futimes(fd, new Date(), new Date());
      return new StagedFile(path, ...(await hashFile(fd)), fd);
    } catch (error) {
      await close(fd).catch(() => undefined);
      await unlink(path).catch(() => undefined);
      throw error;
    }
  }

  async #copyIn(path: string): Promise<StagedFile> {
    const copy = await stageWhole(this, fs.createReadStream(path), { maxBytes: Number.POSITIVE_INFINITY });
    await unlink(path).catch(() => undefined);
    return copy;
  }

  /**
   * Gives a file on the same file system a second name here while `work` runs; a copy if hard links are not
   * supported. Throws ENOENT before `work` is called.
   */
  async lend<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
    const lent = this.freshPath();
    // The sweep goes by mtime, which both names share.
    await utimes(path, new Date(), new Date());
    await link(path, lent).catch((error: unknown) => {
      if (makesNoLink(error)) return copyFile(path, lent);
      throw error;
    });
    try {
      return await work(lent);
    } finally {
      await unlink(lent).catch(() => undefined);
    }
  }

  /** Removes files last modified more than `olderThanMs` ago; returns how many. */
  sweep(olderThanMs: number): Promise<number> {
    return removeOlder(this.folder, olderThanMs);
  }
}

async function hashFile(fd: number): Promise<[sha256: string, size: number]> {
  const hash = createHash('sha256');
  const buffer = takeBuffer();
  let size = 0;
  try {
    for (;;) {
      const { bytesRead } = await read(fd, buffer, 0, buffer.length, size);
      if (bytesRead === 0) return [hash.digest('hex'), size];
      hash.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
  } finally {
    giveBuffer(buffer);
  }
}
