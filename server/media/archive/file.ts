/** One regular file inside an archive. */
export interface ArchivedFile {
  readonly path: string;
  readonly size: number;
  /** Its bytes. Can be read at most once, and only before the next file is requested. */
  readonly content: AsyncIterable<Buffer>;
}
