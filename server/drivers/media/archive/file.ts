/** One regular file inside an archive. */
export interface ArchivedFile {
  /** As it is shown; it may repeat, and is "" if its name cannot be used. */
  readonly path: string;
  /** Whether a file manager left it. */
  readonly isJunk: boolean;
  readonly size: number;
  /** Its bytes. Can be read at most once, and only before the next file is requested. */
  readonly content: AsyncIterable<Buffer>;
}
