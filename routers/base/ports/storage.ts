/** What the domain needs to store bytes. Implemented in `server/storage/`, on disk or in an object store. */
import type { Readable } from 'node:stream';

/** A half-open byte range: `start` is the first byte, `end` the first byte not sent. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Bytes in the staging area of a store. `discard` frees a staged blob, committed or not; it may be called
 * repeatedly, so that callers can use `finally`. Before it, `commit` may be repeated, also after a failure.
 */
export interface StagedBlob {
  /** SHA-256 of all bytes, lower-case hex. */
  readonly sha256: string;
  /** Number of bytes. */
  readonly size: number;
  /** A local file with the bytes until `discard`, for probing and media work; never write to it. */
  readonly path: string;
  /** The bytes until `discard`, if they are few and there was enough memory when they arrived; otherwise null. */
  readonly content: Buffer | null;
  /** Makes the bytes durable under their hash; bytes already stored are not stored again. */
  commit(): Promise<void>;
  /** Frees the staged bytes, but not committed ones; never throws. */
  discard(): Promise<void>;
}

interface PresignedUrl {
  readonly url: string;
  readonly expiresAt: number;
}

interface PresignGetOptions {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly expiresInSeconds: number;
}

interface PresignPutOptions {
  /** "" accepts any. */
  readonly contentType: string;
  /** Null if it is not known: any. */
  readonly size: number | null;
  readonly expiresInSeconds: number;
}

/** One stored object, for the orphan sweep. */
export interface StoredBlob {
  readonly sha256: string;
  /** Epoch milliseconds of the last write. */
  readonly modifiedAt: number;
}

/** Receives a chunk; resolves when it no longer reads it. */
export type Sink = (piece: Buffer) => Promise<void>;

/** Limits for staging a stream. */
export interface StageOptions {
  readonly maxBytes: number;
  /** Called for each chunk before it is written; an error it throws ends the staging. */
  readonly count?: (bytes: number) => Promise<void>;
}

/**
 * Content-addressed storage of immutable bytes. Every driver passes `test/suites/blob-store.ts`. `sha256`
 * arguments are lower-case hex; anything else is a programming error and throws.
 */
export interface BlobStore {
  /** Name in the API: `LOCAL` or `S3`. */
  readonly location: 'LOCAL' | 'S3';
  /**
   * Writes a stream to the staging area, hashing and counting its bytes. Throws `BlobTooLarge` above
   * `maxBytes`, and the stream's own error if it fails; both leave nothing behind.
   */
  stage(source: Readable, options: StageOptions): Promise<StagedBlob>;
  /** Moves an existing local file to the staging area; copies it if the driver cannot move it. */
  stageFile(path: string): Promise<StagedBlob>;
  /** Opens bytes for reading; throws `BlobMissing` (before any byte) if they are not stored. */
  open(sha256: string, range?: ByteRange): Promise<Readable>;
  /**
   * Passes bytes to `sink` in chunks, for callers that only forward them. Each chunk follows when `sink` is
   * done with the previous one, whose memory may then be reused. Throws `BlobMissing` before any chunk.
   */
  copy(sha256: string, sink: Sink, range?: ByteRange): Promise<void>;
  /**
   * Provides the bytes as a local file while `work` runs, even if they are removed meanwhile; never write to
   * it. Throws `BlobMissing` before any work.
   */
  lend<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T>;
  /**
   * Reads a whole blob; throws `BlobMissing`. For small blobs only. If `spare` is large enough, the result
   * may be stored in it.
   */
  read(sha256: string, spare?: Buffer): Promise<Buffer>;
  /** Size in bytes, or null if not stored. */
  stat(sha256: string): Promise<{ readonly size: number } | null>;
  /** Removes a blob; removing one that is not stored is not an error. */
  remove(sha256: string): Promise<void>;
  /** Every stored blob, for the orphan sweep. */
  list(): AsyncIterable<StoredBlob>;
  /** Removes leftovers in the staging area older than `olderThanMs`; returns how many. */
  sweepStaging(olderThanMs: number): Promise<number>;
  /** Throws if the store is not writable; for `/status` and for the start. */
  check(): Promise<void>;
  /** Presigned direct transfer; null on stores without it. */
  readonly direct: DirectTransfer | null;
  /** The bytes of uploads that arrive in several requests. */
  readonly parts: PartStore;
}

/** A stretch of an unfinished upload. */
export interface Part {
  /** Where it begins in the upload. */
  readonly start: number;
  readonly size: number;
  /** Its name in the store, unique among all parts. */
  readonly key: string;
}

/** Where the next bytes of an upload go. */
export interface PartPlace {
  /** Where they begin in the upload. */
  readonly start: number;
  /** The part that ends there; null at the beginning of the upload. */
  readonly last: Part | null;
  /** Whether nobody else can still be writing to `last`, so that it may be continued in place. */
  readonly settled: boolean;
}

/**
 * Bytes of uploads that arrive in several requests, durable before an upload is complete. What the caller records (the
 * parts that `sync` returns) is what counts: bytes beyond a recorded part are ignored. Every driver passes
 * `test/suites/part-store.ts`.
 */
export interface PartStore {
  /** After how many bytes, and milliseconds, a writer should be synced: both ways it costs something. */
  readonly rhythm: { readonly bytes: number; readonly ms: number };
  /** Continues an upload. Throws `BlobMissing` if the bytes of the last part are gone. */
  open(place: PartPlace): Promise<PartWriter>;
  /** The bytes of complete parts as one staged blob; throws `BlobMissing` if some are gone. The parts stay. */
  join(parts: readonly Part[]): Promise<StagedBlob>;
  /** Removes the bytes of parts; not an error for those that are gone. */
  remove(keys: readonly string[]): Promise<void>;
  /** Every stored part, for the sweep. */
  list(): AsyncIterable<{ readonly key: string; readonly modifiedAt: number }>;
}

/** Receives the bytes of one request of an upload, in order. Call `close` or `abandon` at the end. */
export interface PartWriter {
  /** Takes a chunk, which must not be changed afterwards. Waits if the store is too slow. */
  write(chunk: Uint8Array): Promise<void>;
  /** Makes everything so far durable, and returns the parts that are new or have grown since the last call. */
  sync(): Promise<readonly Part[]>;
  /** Ends the writing, after what `sync` returned was recorded: frees parts that were replaced by it. Never throws. */
  close(): Promise<void>;
  /** Ends the writing and frees what was written since the last `sync`; never throws. */
  abandon(): Promise<void>;
}

/** All bytes of a blob in memory. */
export interface HeldBytes {
  readonly bytes: Buffer;
  /**
   * Call it once when the response is over; `taken` if nobody reads the bytes any more, so that their memory
   * may be reused. Null if it need not be called.
   */
  readonly done: ((taken: boolean) => void) | null;
}

/** Direct transfer between a client and the store, under reserved keys that are not content-addressed. */
export interface DirectTransfer {
  presignPut(key: string, options: PresignPutOptions): Promise<PresignedUrl>;
  presignGet(sha256: string, options: PresignGetOptions): Promise<PresignedUrl>;
  /** Opens a reserved object for reading; throws `BlobMissing`. */
  openReserved(key: string): Promise<Readable>;
  removeReserved(key: string): Promise<void>;
  listReserved(): AsyncIterable<{ readonly key: string; readonly modifiedAt: number }>;
  /** Files that a front end stores in the bucket itself; null unless that is configured. */
  readonly adoption: Adoption | null;
}

/** Objects that a front end put into the bucket with its own credentials, named by the id of the item they become. */
export interface Adoption {
  /** Size and time of the last write (epoch milliseconds) of the object for this id; null if there is none. */
  find(uniqueId: string): Promise<{ readonly size: number; readonly modifiedAt: number } | null>;
  /** Opens the object for reading; throws `BlobMissing`. */
  open(uniqueId: string): Promise<Readable>;
  remove(uniqueId: string): Promise<void>;
}

/** More bytes arrived than the caller allowed. */
export class BlobTooLarge extends Error {
  constructor(readonly maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.name = 'BlobTooLarge';
  }
}

/** The named blob is not in the store. */
export class BlobMissing extends Error {
  constructor(readonly sha256: string) {
    super(`no blob ${sha256}`);
    this.name = 'BlobMissing';
  }
}

/** The store does not respond or cannot serve requests now; the same call may succeed later. */
export class BlobStoreUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`the blob store is unavailable: ${reason}`, options);
    this.name = 'BlobStoreUnavailable';
  }
}
