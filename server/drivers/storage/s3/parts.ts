import { createHash, type Hash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  BlobMissing,
  type Part,
  type PartStore,
  type PartWriter,
  type StagedBlob,
} from '../../../../routers/base/ports/storage.js';
import { FileWriter } from '../disk/file-writer.js';
import { StagedFile } from '../disk/staged-file.js';
import type { StagingArea } from '../disk/staging.js';
import { inLanes } from '../lanes.js';
import type { S3Client } from './client.js';
import { headObject, listObjects, openObject, removeObject } from './objects.js';
import { uploadFile } from './upload.js';

/** The prefix of the keys of parts. */
const PARTS = 'uploads/';
/** The size of an object, except for the last; also what may be sent again if the process dies. */
const SLICE_BYTES = 8 * 1024 * 1024;
/** A slow sender's part is replaced by a longer one each time. */
const RHYTHM = { bytes: SLICE_BYTES, ms: 30_000 } as const;

/**
 * Parts as objects of their own, so that any process continues any upload. Multipart uploads of the store would not
 * do: their parts have at least 5 MiB, and a request may bring less. An object is never changed; a short last one is
 * replaced by a longer one, so that there are never many.
 */
export function createPartObjects(
  client: S3Client,
  staging: StagingArea,
  staged: (file: StagedFile) => StagedBlob,
): PartStore {
  const openPart = (key: string) => openObject(client, PARTS + key, key);

  async function* eachOf(parts: readonly Part[]): AsyncGenerator<Buffer> {
    for (const { key } of parts) yield* await openPart(key);
  }

  return {
    rhythm: RHYTHM,

    async open({ start, last }) {
      if (last === null) return new PartObjects(client, staging, start, null);
      const facts = await headObject(client, PARTS + last.key);
      if (facts?.size !== last.size) throw new BlobMissing(last.key);
      return new PartObjects(client, staging, start, last.size < SLICE_BYTES ? last : null);
    },

    async join(parts) {
      const whole = Readable.from(eachOf(parts), { objectMode: false });
      try {
        return staged(await staging.stage(whole, { maxBytes: Number.POSITIVE_INFINITY }));
      } finally {
        whole.destroy();
      }
    },

    async remove(keys) {
      await inLanes(keys, (key) => removeObject(client, PARTS + key));
    },

    async *list() {
      for await (const { key, modifiedAt } of listObjects(client, PARTS))
        yield { key: key.slice(PARTS.length), modifiedAt };
    },
  };
}

/** A slice that is being collected in the staging area. */
interface Slice {
  readonly start: number;
  readonly file: FileWriter;
  readonly hash: Hash;
  size: number;
}

/** Sends what arrives in slices, each from a file, so that memory does not grow with their size. */
class PartObjects implements PartWriter {
  #slice: Slice | null = null;
  #next: number;
  /** A short part that the next slice begins with and replaces. */
  #tail: Part | null;
  /** Sent, but not handed out yet. */
  #sent: Part[] = [];
  /** No record will refer to these once what `sync` returned last is recorded. */
  #replaced: string[] = [];

  constructor(
    private readonly client: S3Client,
    private readonly staging: StagingArea,
    start: number,
    tail: Part | null,
  ) {
    this.#next = start;
    this.#tail = tail;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#slice ??= await this.#begin();
    await add(this.#slice, chunk);
    this.#next += chunk.length;
    if (this.#slice.size >= SLICE_BYTES) await this.#send();
  }

  async sync(): Promise<readonly Part[]> {
    await this.#send();
    const sent = this.#sent;
    this.#sent = [];
    return sent;
  }

  async close(): Promise<void> {
    await this.#slice?.file.abandon();
    this.#slice = null;
    await this.#removeAll(this.#replaced);
  }

  async abandon(): Promise<void> {
    await this.#slice?.file.abandon();
    this.#slice = null;
    await this.#removeAll(this.#sent.map(({ key }) => key));
  }

  async #begin(): Promise<Slice> {
    const tail = this.#tail;
    const slice: Slice = {
      start: tail?.start ?? this.#next,
      file: new FileWriter(this.staging.freshPath()),
      hash: createHash('sha256'),
      size: 0,
    };
    if (tail === null) return slice;
    try {
      for await (const chunk of await openObject(this.client, PARTS + tail.key, tail.key))
        await add(slice, chunk as Buffer);
      return slice;
    } catch (error) {
      await slice.file.abandon();
      throw error;
    }
  }

  /** Sends the slice, and lets the next begin where it ends, or with it if it is short. */
  async #send(): Promise<void> {
    const slice = this.#slice;
    if (slice === null) return;
    this.#slice = null;
    const { path } = slice.file;
    const fd = await slice.file.finish().catch(async (error: unknown) => {
      await slice.file.abandon();
      throw error;
    });
    const file = new StagedFile(path, slice.hash.digest('hex'), slice.size, fd);
    file.release();
    const part = { start: slice.start, size: slice.size, key: randomUUID() };
    try {
      await uploadFile(this.client, PARTS + part.key, file);
    } finally {
      await file.discard();
    }
    if (this.#tail !== null) this.#replaced.push(this.#tail.key);
    this.#tail = part.size < SLICE_BYTES ? part : null;
    this.#sent.push(part);
  }

  /** What cannot be removed now is left to the sweep. */
  async #removeAll(keys: readonly string[]): Promise<void> {
    for (const key of keys) await removeObject(this.client, PARTS + key).catch(() => undefined);
  }
}

async function add(slice: Slice, chunk: Buffer): Promise<void> {
  slice.hash.update(chunk);
  slice.size += chunk.length;
  await slice.file.write(chunk);
}
