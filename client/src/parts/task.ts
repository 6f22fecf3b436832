import type { UploadMemory } from '../memory.js';
import type { ImageRecord } from '../router.js';
import type { UploadTarget } from '../target.js';

/** What is sent in parts: a file, or something that is made while it is sent and can only go forwards. */
export interface PartsSource {
  /** Bytes. */
  readonly size: number;
  readonly type: string;
  slice(from: number, to: number): Blob | Promise<Blob>;
}

/** A file to send in parts. */
export interface PartsTask {
  readonly target: UploadTarget;
  readonly file: PartsSource;
  readonly name: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The request link that the file answers, and what its guest shows; without it the file is one of the caller. */
  readonly answers?: { readonly request: string; readonly ticket: string | null };
  readonly memory: UploadMemory | null;
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void;
  /** The connection or the server is away; it is tried again in so many milliseconds. */
  readonly onPause?: (ms: number) => void;
  readonly signal?: AbortSignal;
  /** How long it may make no progress; ten minutes by default. */
  readonly patienceMs?: number;
  /** How a server without resumable uploads gets the file. */
  readonly otherwise?: () => Promise<ImageRecord>;
}

/** Ends the upload: what it continued is gone. */
export class Gone extends Error {}
/** The server does not know resumable uploads. */
export class Unknown extends Error {}

/** Statuses after which the same request may succeed. */
export const isPassing = (status: number): boolean =>
  [408, 409, 423, 429, 460].includes(status) || (status >= 500 && status !== 501 && status !== 507);
/** Statuses after which an upload cannot be continued. */
export const isFinal = (status: number): boolean => status >= 400 && !isPassing(status) && status !== 401;

/** Tells the caller how much was sent. */
export const tell = ({ file, onProgress }: PartsTask, sent: number): void =>
  onProgress?.({ sent: Math.min(sent, file.size), total: file.size });

/** The signal of a task, if it has one. */
export const signalOf = ({ signal }: PartsTask) => (signal === undefined ? {} : { signal });
