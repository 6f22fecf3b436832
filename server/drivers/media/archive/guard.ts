import { rule } from '../../../../routers/base/language/rules.js';
import { ArchiveRefused } from '../../../../routers/base/ports/media/archives.js';
import { isLeftBehind } from '../../../../routers/base/text/left-behind.js';

/** The limits of an archive. */
export interface ArchiveLimits {
  /** Number of entries of any kind, including folders, but not what file managers leave. */
  readonly entries: number;
  /** Bytes of one file. */
  readonly entryBytes: number;
  /** Bytes of all files together. */
  readonly totalBytes: number;
  /** Maximum ratio of unpacked to packed size, for content over 16 MiB. */
  readonly ratio: number;
}

const UNSUSPICIOUS_BYTES = 16 * 1024 * 1024;
const MAX_NAME = 1024;
/** A Finder archive has two of them per file; more than this many per allowed entry are an attack. */
const JUNK_RATIO = 10;

/** What is said of an archive with more entries than it may have. */
export const tooMany = ({ entries }: ArchiveLimits): string =>
  rule('the archive has more than {entries} entries', { entries });

/** Checks one archive against its limits while it is read. Every check throws `ArchiveRefused`. */
export class ArchiveGuard {
  #entries = 0;
  #junk = 0;
  #bytes = 0;
  readonly #allowance: number;

  constructor(
    private readonly limits: ArchiveLimits,
    archiveBytes: number,
  ) {
    this.#allowance = Math.min(limits.totalBytes, Math.max(UNSUSPICIOUS_BYTES, limits.ratio * archiveBytes));
  }

  /** Counts one more entry; what a file manager left has a limit of its own. */
  entry(path: string): void {
    const over = isLeftBehind(path)
      ? ++this.#junk > JUNK_RATIO * this.limits.entries
      : ++this.#entries > this.limits.entries;
    if (over) this.refuse(tooMany(this.limits));
  }

  /** Checks the size that an entry declares. */
  claims(bytes: number): void {
    if (bytes > this.limits.entryBytes) this.refuse('a file in the archive is too large');
    this.fits(bytes);
  }

  /** Checks the known total size. */
  fits(bytes: number): void {
    if (bytes > this.#allowance) this.refuse('the archive unpacks to too much data');
  }

  /** Counts bytes that were actually unpacked. */
  count(bytes: number): void {
    this.#bytes += bytes;
    this.fits(this.#bytes);
  }

  /**
   * An entry's path as it is shown: `/`-separated and relative; "" if nothing of it can be used. No file is named
   * after it, so it may repeat and contain anything; but an archive that points outside itself is refused.
   */
  path(raw: string): string {
    const segments = raw.replaceAll('\\', '/').split('/');
    if (/^(?:[/\\]|[A-Za-z]:[/\\])/.test(raw) || segments.includes('..'))
      this.unusual('a path in the archive points outside of it');
    return segments
      .map((segment) => segment.toWellFormed().replace(/\p{Cc}/gu, ''))
      .filter((segment) => segment !== '.' && segment !== '')
      .join('/')
      .slice(-MAX_NAME)
      .toWellFormed();
  }

  /** Notes what is not unpacked although it can be read: links, devices, paths that lead outside. */
  unusual(reason: string): void {
    this.refuse(reason);
  }

  refuse(reason: string): never {
    throw new ArchiveRefused(reason);
  }
}
