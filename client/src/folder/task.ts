import type { UploadMemory } from '../memory.js';
import type { UploadTarget } from '../target.js';

/** A file of a folder. */
export interface FolderFile {
  /** Where it is in the folder, as `a/b.txt`. */
  readonly path: string;
  readonly size: number;
  /** Its bytes; opened only while they are read. */
  open(): Promise<Blob>;
}

/** A folder that becomes a collection. */
export interface FolderTask {
  readonly target: UploadTarget;
  readonly title: string;
  readonly files: readonly FolderFile[];
  /** The fields of each file, as an upload has them, without an id. */
  readonly fields: FolderFields;
  /** The id of the collection. */
  readonly uniqueId?: string;
  /** The largest file that the server takes, in bytes. */
  readonly maxFileBytes?: number;
  /** Where it remembers how to continue; null for nowhere. */
  readonly memory: UploadMemory | null;
  /** Computes the SHA-256 of a file; in the same thread unless something else is given. */
  readonly hash?: (
    file: Blob,
    how: { readonly onBytes: (bytes: number) => void; readonly signal?: AbortSignal },
  ) => Promise<string>;
}

/** What every file of the folder gets; the collection gets what it has of these, too. */
export interface FolderFields {
  readonly private?: boolean;
  readonly password?: string;
  readonly desc?: string;
  readonly expiresAt?: string;
  readonly maxViews?: number;
  readonly tags?: readonly string[];
}

/** The most files that a collection can have. */
export const MAX_FOLDER_FILES = 5_000;

/** The folder has more files than that. */
export class TooManyFiles extends Error {
  constructor() {
    super(`A folder can have at most ${MAX_FOLDER_FILES} files: choose the folders in it one by one`);
  }
}

/** The longest path of a file in a collection, in characters, and how deep it may be. */
export const MAX_PATH_LENGTH = 1_000;
/** Folders inside each other that are followed. */
export const MAX_DEPTH = 32;
