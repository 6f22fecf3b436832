import type { HashedFile } from './plan.js';

/** A file that was not stored, and why. */
export interface FailedFile {
  readonly file: HashedFile;
  readonly why: string;
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
  /** It goes on in so many milliseconds. */
  readonly onWait?: (ms: number, why: string) => void;
}
