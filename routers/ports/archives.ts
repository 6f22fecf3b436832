/** What the domain needs to take archives apart. `server/media/archive/` supplies it. */

/** One media file taken out of an archive, as a temporary file the caller moves or removes. */
export interface ArchiveEntry {
  /** Path inside the archive, `/`-separated, already checked. */
  readonly path: string;
  readonly file: string;
}

/** What came out of an archive. `dispose` removes the temporary files that are left. */
export interface OpenedArchive {
  readonly entries: readonly ArchiveEntry[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  dispose(): Promise<void>;
}

/** The archive is none, damaged, a bomb, or tries to leave its folder; `message` may be shown to the caller. */
export class ArchiveRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArchiveRefused';
  }
}

/** Opens zip, tar, tar.gz and tar.bz2 archives by content, guarded before and while extracting. */
export interface Archives {
  open(path: string): Promise<OpenedArchive>;
}
