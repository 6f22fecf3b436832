import type { HoldallError } from '../error.js';
import type { HashedFile } from './plan.js';

/** A file that was not stored, and why. */
export interface FailedFile {
  readonly file: HashedFile;
  readonly why: string;
  readonly error: HoldallError;
}

/** How far a folder is. */
export interface FolderProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly doneFiles: number;
  readonly totalFiles: number;
}

/** What is told while a folder is sent. */
export interface FolderEvents {
  readonly onProgress?: (progress: FolderProgress) => void;
  /** It goes on in so many milliseconds; `why` is what the error says. */
  readonly onWait?: (ms: number, why: string, error: unknown) => void;
}
