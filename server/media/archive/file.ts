/** One regular file inside an archive. */
export interface ArchivedFile {
  readonly path: string;
  readonly size: number;
  /** Its bytes, to be read at most once and before the next file is asked for. */
  readonly content: AsyncIterable<Buffer>;
}
