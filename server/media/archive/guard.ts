import { ArchiveRefused } from '../../../routers/ports/archives.js';

/** The limits of an archive. */
export interface ArchiveLimits {
  /** Number of entries of any kind, including folders. */
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
const MAX_SEGMENT_BYTES = 255;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Maps names that some file systems treat as the same to one name. */
const fold = (path: string) => path.normalize('NFC').toLowerCase();

/** Checks one archive against its limits while it is read. Every check throws `ArchiveRefused`. */
export class ArchiveGuard {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  #entries = 0;
  #bytes = 0;
  readonly #allowance: number;

  constructor(
    private readonly limits: ArchiveLimits,
    archiveBytes: number,
  ) {
    this.#allowance = Math.min(limits.totalBytes, Math.max(UNSUSPICIOUS_BYTES, limits.ratio * archiveBytes));
  }

  /** Counts one more entry. */
  entry(): void {
    if (++this.#entries > this.limits.entries)
      this.refuse(`the archive has more than ${this.limits.entries} entries`);
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

  /** Checks the name of a folder: it may repeat, but must not lead outside the target folder. */
  folder(raw: string): void {
    for (const path of this.#parents(`${this.#clean(raw)}/`)) this.#addFolder(path);
  }

  /** Returns the name of a file as a clean relative path. Names must be unique, ignoring case. */
  file(raw: string): string {
    const path = this.#clean(raw);
    const key = fold(path);
    if (key === '') this.refuse('a name in the archive cannot be used');
    if (this.#files.has(key) || this.#folders.has(key))
      this.refuse('two entries of the archive have the same name');
    this.#files.add(key);
    for (const parent of this.#parents(path)) this.#addFolder(parent);
    return path;
  }

  #addFolder(path: string): void {
    const key = fold(path);
    if (this.#files.has(key)) this.refuse('two entries of the archive have the same name');
    this.#folders.add(key);
  }

  #parents(path: string): string[] {
    return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
  }

  #clean(raw: string): string {
    const segments = raw.replaceAll('\\', '/').split('/');
    const outside = /^([/\\]|[A-Za-z]:)/.test(raw) || segments.includes('..');
    if (outside) this.refuse('a path in the archive points outside of it');
    const long =
      raw.length > MAX_NAME || segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES);
    if (long || CONTROL.test(raw)) this.refuse('a name in the archive cannot be used');
    return segments.filter((segment) => segment !== '.' && segment !== '').join('/');
  }

  refuse(reason: string): never {
    throw new ArchiveRefused(reason);
  }
}
