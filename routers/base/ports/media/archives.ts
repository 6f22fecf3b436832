/** What the domain needs to unpack archives. Implemented in `server/drivers/media/archive/`. */

/** One media file from an archive, as a temporary file that the caller moves or removes. */
export interface ArchiveEntry {
  /** Path inside the archive, `/`-separated, already checked. */
  readonly path: string;
  readonly file: string;
}

/** The contents of an archive. `dispose` removes the remaining temporary files. */
export interface OpenedArchive {
  readonly entries: readonly ArchiveEntry[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  dispose(): Promise<void>;
}

/** Not an archive, damaged, a zip bomb, or with paths outside its folder; `message` may be shown to the caller. */
export class ArchiveRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArchiveRefused';
  }
}

/** The files in an archive, folders left out. */
export interface ArchiveListing {
  readonly entries: { readonly path: string; readonly size: number }[];
  /** Whether there is more than is listed. */
  readonly more: boolean;
}

/** Opens zip, tar, tar.gz and tar.bz2 archives by content, with limits checked before and while extracting. */
export interface Archives {
  open(path: string): Promise<OpenedArchive>;
  /**
   * The names and sizes of what is in an archive, also if it would not be unpacked (links, encrypted files). Throws
   * `ArchiveRefused` if it is damaged or no archive, and `MediaBusy` if too many wait.
   */
  list(path: string): Promise<ArchiveListing>;
}
