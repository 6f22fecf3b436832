/** What the domain needs to keep bytes. `server/storage/` supplies it, on disk or in an object store. */
import type { Readable } from 'node:stream';

/** A half-open byte range: `start` is the first byte, `end` the first byte not sent. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Bytes on their way into a store. `discard` ends a staged blob, committed or not; it may be called again, so
 * that callers can put it into `finally`. Until then `commit` may be repeated, and tried again after a failure.
 */
export interface StagedBlob {
  /** SHA-256 of all bytes, lower-case hex. */
  readonly sha256: string;
  /** Number of bytes. */
  readonly size: number;
  /** A local file that holds the bytes until `discard`, for probing and media work; never write to it. */
  readonly path: string;
  /** The bytes themselves until `discard`, where they are few and memory for them was left when they came; else null. */
  readonly content: Buffer | null;
  /** Makes the bytes durable under their hash; what is stored already is not stored again. */
  commit(): Promise<void>;
  /** Frees the staged bytes, not those that were committed; never throws. */
  discard(): Promise<void>;
}

/** The time-limited URL of a presigned request, with what must be sent along. */
export interface PresignedUrl {
  readonly url: string;
  readonly expiresAt: number;
}

/** How a presigned GET must answer. */
export interface PresignGetOptions {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly expiresInSeconds: number;
}

/** What a presigned PUT accepts. */
export interface PresignPutOptions {
  readonly contentType: string;
  readonly size: number;
  readonly expiresInSeconds: number;
}

/** One object of the store as the orphan sweep sees it. */
export interface StoredBlob {
  readonly sha256: string;
  /** Epoch milliseconds of the last write. */
  readonly modifiedAt: number;
}

/** Takes a piece; resolves once it does not read it any more. */
export type Sink = (piece: Buffer) => Promise<void>;

/** What may be staged of a stream. */
export interface StageOptions {
  readonly maxBytes: number;
  /** Told of each piece before it is written; what it throws ends the staging. */
  readonly count?: (bytes: number) => Promise<void>;
}

/**
 * Content-addressed storage of immutable bytes. Every driver passes `test/suites/blob-store.ts`.
 * `sha256` arguments are lower-case hex; anything else is a programming error and throws.
 */
export interface BlobStore {
  /** Name on the wire: `LOCAL` or `S3`. */
  readonly location: 'LOCAL' | 'S3';
  /**
   * Takes a stream into the staging area, hashing and counting on the way.
   * Throws `BlobTooLarge` past `maxBytes`, and the stream's own error when it fails; both leave nothing behind.
   */
  stage(source: Readable, options: StageOptions): Promise<StagedBlob>;
  /** Takes an existing local file (moved, not copied, where the driver can) into the staging area. */
  stageFile(path: string): Promise<StagedBlob>;
  /** Opens bytes for reading; throws `BlobMissing` (before any byte) when they are not stored. */
  open(sha256: string, range?: ByteRange): Promise<Readable>;
  /**
   * Hands bytes over piece by piece, for those who only pass them on: each piece once `sink` is done with the one
   * before, whose memory may be used again then. Throws `BlobMissing` before any piece.
   */
  copy(sha256: string, sink: Sink, range?: ByteRange): Promise<void>;
  /**
   * Lends bytes as a local file while `work` runs, even when they are removed meanwhile; never write to it.
   * Throws `BlobMissing` before any work.
   */
  lend<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T>;
  /**
   * Reads a whole blob; throws `BlobMissing`. For small blobs only. Memory that is to spare and large enough may be
   * used for it; the answer then lies in it.
   */
  read(sha256: string, spare?: Buffer): Promise<Buffer>;
  /** Size in bytes, or null when not stored. */
  stat(sha256: string): Promise<{ readonly size: number } | null>;
  /** Removes a blob; removing one that is not stored is not an error. */
  remove(sha256: string): Promise<void>;
  /** Every stored blob, for the orphan sweep. */
  list(): AsyncIterable<StoredBlob>;
  /** Removes staged leftovers older than `olderThanMs`; returns how many. */
  sweepStaging(olderThanMs: number): Promise<number>;
  /** Throws when the store cannot be written to; for `/status` and for start. */
  check(): Promise<void>;
  /** Presigned direct transfer, where the store has it; null on stores without. */
  readonly direct: DirectTransfer | null;
}

/** The whole bytes of a blob in memory. */
export interface HeldBytes {
  readonly bytes: Buffer;
  /**
   * Call it once, when the answer is over; `taken` when it is sure that nobody reads the bytes any more, for their memory
   * may be used again. Null where nobody waits for it.
   */
  readonly done: ((taken: boolean) => void) | null;
}

/** Direct transfer between a caller and the store, under reserved keys that are not content-addressed. */
export interface DirectTransfer {
  presignPut(key: string, options: PresignPutOptions): Promise<PresignedUrl>;
  presignGet(sha256: string, options: PresignGetOptions): Promise<PresignedUrl>;
  /** Opens a reserved object for reading; throws `BlobMissing`. */
  openReserved(key: string): Promise<Readable>;
  removeReserved(key: string): Promise<void>;
  listReserved(): AsyncIterable<{ readonly key: string; readonly modifiedAt: number }>;
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

/** The store does not answer, or answers that it cannot serve now; the same call may succeed later. */
export class BlobStoreUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`the blob store is unavailable: ${reason}`, options);
    this.name = 'BlobStoreUnavailable';
  }
}
