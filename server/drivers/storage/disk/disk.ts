import * as fs from 'node:fs';
import { opendir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import {
  BlobMissing,
  type BlobStore,
  type StagedBlob,
  type StoredBlob,
} from '../../../../routers/base/ports/storage.js';
import { assertRange, blobFile, isSha256 } from '../keys.js';
import { pump } from '../pump.js';
import { FolderTree, failedWith, syncFolder } from './folders.js';
import { close, open, read, stat, unlink, utimes } from './fs-calls.js';
import { createPartFolder } from './parts.js';
import type { StagedFile } from './staged-file.js';
import { StagingArea } from './staging.js';

/** Bytes per read; larger reads take fewer turns of the event loop. */
const READ_BYTES = 256 * 1024;
const PROBE_BYTES = 64;

/**
 * Blobs as files `DATA_DIR/blobs/ab/<sha256>`, staged in `DATA_DIR/staging` on the same file system. `commit`
 * resolves once the bytes and their name would survive a power failure. A range that extends past the end is cut
 * there. Several processes may share the folder.
 */
export async function createDiskStore({ dataDir }: { readonly dataDir: string }): Promise<BlobStore> {
  const folders = new FolderTree(join(dataDir, 'blobs'));
  const staging = new StagingArea(join(dataDir, 'staging'));
  await folders.ready(folders.root);
  await staging.prepare();
  /** Commits of the same content run one after another, so that none resolves before the file is durable. */
  const committing = new Map<string, Promise<void>>();

  const pathOf = (sha256: string) => blobFile(folders.root, sha256);

  async function store(file: StagedFile): Promise<void> {
    const path = pathOf(file.sha256);
    const folder = dirname(path);
    await Promise.all([folders.ready(folder), file.sync()]);
    await place(file, path, folder);
    await syncFolder(folder);
  }

  async function place(file: StagedFile, path: string, folder: string): Promise<void> {
    try {
      await name(file, path);
    } catch (error) {
      if (!failedWith(error, 'ENOENT')) throw error;
      folders.forget(folder);
      await folders.ready(folder);
      await name(file, path);
    }
  }

  async function commit(file: StagedFile): Promise<void> {
    const before = committing.get(file.sha256) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(() => store(file));
    committing.set(file.sha256, mine);
    try {
      await mine;
    } finally {
      if (committing.get(file.sha256) === mine) committing.delete(file.sha256);
      file.release();
    }
  }

  function staged(file: StagedFile): StagedBlob {
    const { sha256, size, path, content } = file;
    return { sha256, size, path, content, commit: () => commit(file), discard: () => file.discard() };
  }

  return {
    location: 'LOCAL',
    direct: null,
    parts: createPartFolder(join(dataDir, 'uploads'), staging, staged),
    stage: async (source, options) => staged(await staging.stage(source, options)),
    stageFile: async (path) => staged(await staging.stageFile(path)),

    async open(sha256, range) {
      if (range !== undefined) assertRange(range);
      const fd = await ifExists(open(pathOf(sha256), 'r'));
      if (fd === null) throw new BlobMissing(sha256);
      if (range !== undefined && range.start === range.end) {
        await close(fd);
        return Readable.from([]);
      }
      const window = range === undefined ? {} : { start: range.start, end: range.end - 1 };
      return fs.createReadStream('', { fd, highWaterMark: READ_BYTES, ...window });
    },

    async copy(sha256, sink, range) {
      if (range !== undefined) assertRange(range);
      const fd = await ifExists(open(pathOf(sha256), 'r'));
      if (fd === null) throw new BlobMissing(sha256);
      try {
        await pump(fd, range ?? { start: 0, end: fs.fstatSync(fd).size }, sink);
      } finally {
        fs.closeSync(fd);
      }
    },

    async lend(sha256, work) {
      let lent = false;
      try {
        return await staging.lend(pathOf(sha256), (path) => {
          lent = true;
          return work(path);
        });
      } catch (error) {
        throw !lent && failedWith(error, 'ENOENT') ? new BlobMissing(sha256) : error;
      }
    },

    async read(sha256, spare) {
      const fd = await ifExists(open(pathOf(sha256), 'r'));
      if (fd === null) throw new BlobMissing(sha256);
      return readWhole(fd, spare);
    },

    async stat(sha256) {
      const facts = await ifExists(stat(pathOf(sha256)));
      return facts === null ? null : { size: facts.size };
    },

    async remove(sha256) {
      await ifExists(unlink(pathOf(sha256)));
    },

    list: () => walk(folders.root, 1),
    sweepStaging: (olderThanMs) => staging.sweep(olderThanMs),

    async check() {
      const probe = await staging.stage(Readable.from([Buffer.from('writable')]), { maxBytes: PROBE_BYTES });
      try {
        const path = join(folders.root, `.check-${basename(probe.path)}`);
        await probe.sync();
        await name(probe, path);
        await unlink(path);
      } finally {
        await probe.discard();
      }
    },
  };
}

/** Gives a staged file the name of its blob, unless the blob is already stored. */
async function name(file: StagedFile, path: string): Promise<void> {
  if (await file.linkTo(path)) return;
  if (!(await renew(path, file.size))) await file.replace(path);
}

/** Returns whether the blob is already stored, and updates its mtime, because the orphan sweep goes by age. */
async function renew(path: string, size: number): Promise<boolean> {
  const stored = await ifExists(stat(path));
  if (stored?.size !== size) return false;
  const now = new Date();
  return (await ifExists(utimes(path, now, now).then(() => true))) ?? false;
}

/** The blobs `levels` folders below this one; skips files that disappear in the meantime. */
async function* walk(folder: string, levels: number): AsyncGenerator<StoredBlob> {
  const entries = await ifExists(opendir(folder));
  if (entries === null) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (levels > 0) {
      if (entry.isDirectory()) yield* walk(path, levels - 1);
    } else if (entry.isFile() && isSha256(entry.name)) {
      const facts = await ifExists(stat(path));
      if (facts !== null) yield { sha256: entry.name, modifiedAt: facts.mtimeMs };
    }
  }
}

/**
 * Reads an open file to its end and closes it. Only the read itself may wait for the disk and is worth a thread
 * switch.
 */
async function readWhole(fd: number, spare: Buffer | undefined): Promise<Buffer> {
  try {
    const { size } = fs.fstatSync(fd);
    const bytes =
      spare !== undefined && spare.length >= size ? spare.subarray(0, size) : Buffer.allocUnsafeSlow(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await read(fd, bytes, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    fs.closeSync(fd);
  }
}

async function ifExists<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return null;
    throw error;
  }
}
