import { Readable } from 'node:stream';
import type { BlobStore, StagedBlob, StoredBlob } from '../../../../routers/base/ports/storage.js';
import { stageWhole } from '../disk/stage-whole.js';
import type { StagedFile } from '../disk/staged-file.js';
import { StagingArea } from '../disk/staging.js';
import { assertRange, BLOBS, blobKey, isSha256 } from '../keys.js';
import { S3Client, type S3Location } from './client.js';
import { createDirectTransfer } from './direct.js';
import {
  headObject,
  listObjects,
  openForOutside,
  openObject,
  readObject,
  removeObject,
  touchObject,
} from './objects.js';
import { createPartObjects } from './parts.js';
import { requirePermissions } from './permissions.js';
import { sweepUploads, uploadFile } from './upload.js';

const PROBE_BYTES = 64;
const MAX_COPY_BYTES = 5 * 1024 ** 3;
/** A commit updates the date of a stored object older than this, because the orphan sweep goes by age. */
const RENEW_AFTER_MS = 10 * 60_000;

/** A bucket, and a local folder for staging. */
interface S3StoreOptions extends S3Location {
  readonly stagingDir: string;
  /** Begins the keys of files that a front end stores itself; null for none. */
  readonly adoptPrefix?: string | null;
}

/**
 * Blobs as objects `blobs/<sha256>` on any S3-compatible server. Bytes are staged on the local disk, where media work
 * needs them, and sent at `commit`; the server verifies their SHA-256. Failures and timeouts of the server throw
 * `BlobStoreUnavailable` in limited time.
 */
export async function createS3Store({
  stagingDir,
  adoptPrefix = null,
  ...location
}: S3StoreOptions): Promise<BlobStore> {
  const client = new S3Client(location);
  const staging = new StagingArea(stagingDir);
  await staging.prepare();
  /** Permissions change rarely, and each request costs money. */
  let permitted = false;

  async function commit(file: StagedFile): Promise<void> {
    const key = blobKey(file.sha256);
    file.release();
    if (!(await renew(client, key, file.size))) await send(client, key, file);
  }

  function staged(file: StagedFile): StagedBlob {
    const { sha256, size, path, content } = file;
    return { sha256, size, path, content, commit: () => commit(file), discard: () => file.discard() };
  }

  return {
    location: 'S3',
    direct: createDirectTransfer(client, blobKey, adoptPrefix),
    parts: createPartObjects(client, staging, staged),
    stage: async (source, options) => staged(await staging.stage(source, options)),
    stageFile: async (path) => staged(await staging.stageFile(path)),

    async open(sha256, range) {
      if (range !== undefined) assertRange(range);
      return openForOutside(client, blobKey(sha256), sha256, range);
    },

    async copy(sha256, sink, range) {
      if (range !== undefined) assertRange(range);
      for await (const piece of await openForOutside(client, blobKey(sha256), sha256, range))
        await sink(piece);
    },

    async lend(sha256, work) {
      const source = await openObject(client, blobKey(sha256), sha256);
      const copy = await stageWhole(staging, source, { maxBytes: Number.POSITIVE_INFINITY });
      try {
        return await work(copy.path);
      } finally {
        await copy.discard();
      }
    },

    async read(sha256) {
      return readObject(client, blobKey(sha256), sha256);
    },

    async stat(sha256) {
      const facts = await headObject(client, blobKey(sha256));
      return facts === null ? null : { size: facts.size };
    },

    remove: async (sha256) => removeObject(client, blobKey(sha256)),

    async *list(): AsyncGenerator<StoredBlob> {
      for await (const { key, modifiedAt } of listObjects(client, BLOBS)) {
        const sha256 = key.slice(BLOBS.length);
        if (isSha256(sha256)) yield { sha256, modifiedAt };
      }
    },

    async sweepStaging(olderThanMs) {
      const removed = await staging.sweep(olderThanMs);
      return removed + (await sweepUploads(client, BLOBS, Date.now() - olderThanMs));
    },

    async check() {
      const probe = await staging.stage(Readable.from([Buffer.from('writable')]), { maxBytes: PROBE_BYTES });
      try {
        await requirePermissions(client, probe, !permitted);
        permitted = true;
      } finally {
        await probe.discard();
      }
    },
  };
}

/** Returns whether the blob is already stored, and makes sure that it does not look like an old orphan. */
async function renew(client: S3Client, key: string, size: number): Promise<boolean> {
  const stored = await headObject(client, key);
  if (stored?.size !== size) return false;
  if (Date.now() - stored.modifiedAt < RENEW_AFTER_MS) return true;
  return size <= MAX_COPY_BYTES && (await touchObject(client, key));
}

async function send(client: S3Client, key: string, file: StagedFile): Promise<void> {
  try {
    await uploadFile(client, key, file);
  } catch (error) {
    // The upload may have succeeded although the response was lost.
    const stored = await headObject(client, key).catch(() => null);
    if (stored?.size !== file.size) throw error;
  }
}
