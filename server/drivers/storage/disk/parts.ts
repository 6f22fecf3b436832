import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  BlobMissing,
  type Part,
  type PartStore,
  type PartWriter,
  type StagedBlob,
} from '../../../../routers/base/ports/storage.js';
import { inLanes } from '../lanes.js';
import { failedWith, makeFolder, syncFolder } from './folders.js';
import { close, fdatasync, open, stat, truncate, unlink } from './fs-calls.js';
import type { StagedFile } from './staged-file.js';
import type { StagingArea } from './staging.js';
import { writeAll } from './write-all.js';

/** An fsync per this many bytes costs little beside writing them. */
const RHYTHM = { bytes: 8 * 1024 * 1024, ms: 5_000 } as const;
/** Bytes collected before they are written. */
const GATHER_BYTES = 256 * 1024;
/** Many tiny chunks must not fill the memory with their overhead. */
const GATHER_CHUNKS = 1024;

/**
 * Parts as files in one folder, on the file system of the staging area. An upload that is continued in order has one
 * part, however many requests it takes: the file grows, and becomes the blob without being copied.
 */
export function createPartFolder(
  folder: string,
  staging: StagingArea,
  staged: (file: StagedFile) => StagedBlob,
): PartStore {
  const pathOf = (key: string): string => join(folder, key);

  return {
    rhythm: RHYTHM,

    async open({ start, last, settled }) {
      // Not at the start: a folder for backups has no uploads.
      await makeFolder(folder);
      if (last !== null) await requireWhole(pathOf(last.key), last);
      if (last === null || !settled) return new PartFile(folder, { start, size: 0, key: randomUUID() });
      // What was written after the last record is not part of the upload.
      await truncate(pathOf(last.key), last.size);
      return new PartFile(folder, last);
    },

    async join(parts) {
      for (const part of parts) await requireWhole(pathOf(part.key), part);
      const [only, ...more] = parts;
      if (only !== undefined && more.length === 0) {
        await truncate(pathOf(only.key), only.size);
        return staged(await staging.stageLink(pathOf(only.key)));
      }
      const whole = Readable.from(eachOf(parts, pathOf), { objectMode: false });
      try {
        return staged(await staging.stage(whole, { maxBytes: Number.POSITIVE_INFINITY }));
      } finally {
        whole.destroy();
      }
    },

    async remove(keys) {
      await inLanes(keys, (key) => unlink(pathOf(key)).catch(unlessMissing));
    },

    async *list() {
      const entries = await opendir(folder).catch(unlessMissing);
      for await (const entry of entries ?? []) {
        const facts = await stat(pathOf(entry.name)).catch(unlessMissing);
        if (facts) yield { key: entry.name, modifiedAt: facts.mtimeMs };
      }
    },
  };
}

function unlessMissing(error: unknown): void {
  if (!failedWith(error, 'ENOENT')) throw error;
}

/** Throws `BlobMissing` unless the file has all bytes of the part. */
async function requireWhole(path: string, { key, size }: Part): Promise<void> {
  const facts = await stat(path).catch(unlessMissing);
  if (!facts || facts.size < size) throw new BlobMissing(key);
}

async function* eachOf(parts: readonly Part[], pathOf: (key: string) => string): AsyncGenerator<Buffer> {
  for (const { key, size } of parts)
    yield* createReadStream(pathOf(key), { end: size - 1, highWaterMark: GATHER_BYTES });
}

/** A part that is being written. Its file is created with the first bytes and private to this user. */
class PartFile implements PartWriter {
  #fd: number | null = null;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #written: number;
  #synced: number;
  readonly #isNew: boolean;
  readonly #path: string;

  constructor(
    private readonly folder: string,
    private readonly part: Part,
  ) {
    this.#path = join(folder, part.key);
    this.#isNew = part.size === 0;
    this.#written = part.size;
    this.#synced = part.size;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    if (this.#gatheredBytes >= GATHER_BYTES || this.#gathered.length >= GATHER_CHUNKS) await this.#flush();
  }

  async sync(): Promise<readonly Part[]> {
    await this.#flush();
    if (this.#fd === null || this.#written === this.#synced) return [];
    await fdatasync(this.#fd);
    if (this.#isNew && this.#synced === 0) await syncFolder(this.folder);
    this.#synced = this.#written;
    return [{ ...this.part, size: this.#written }];
  }

  async close(): Promise<void> {
    const fd = this.#fd;
    this.#fd = null;
    if (fd !== null) await close(fd).catch(() => undefined);
  }

  async abandon(): Promise<void> {
    const begun = this.#fd !== null;
    await this.close();
    if (!begun) return;
    const freed = this.#synced === 0 ? unlink(this.#path) : truncate(this.#path, this.#synced);
    await freed.catch(() => undefined);
  }

  async #flush(): Promise<void> {
    if (this.#gatheredBytes === 0) return;
    const chunks = this.#gathered;
    const bytes = this.#gatheredBytes;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#fd ??= await open(this.#path, this.#isNew ? 'ax' : 'a', 0o600);
    await writeAll(this.#fd, chunks);
    this.#written += bytes;
  }
}
