/** What a scanner says of a file: nothing found, or the name of what it is. */
export type Verdict = { readonly clean: true } | { readonly clean: false; readonly name: string };

/** Nobody looked at a file: the scanner is away, too slow, or takes no file of this size. */
export class ScannerUnreachable extends Error {}

/** The scanner has looked, or will not: it says neither that a file is clean nor what it is, and will not later. */
export class ScannerUnsure extends ScannerUnreachable {}

/** Looks for malware in files before they are kept. */
export interface Scanner {
  /** Whether a file that nobody could look at is refused. */
  readonly required: boolean;
  /** Looks at a file; throws `ScannerUnreachable` if it could not, or not before `signal` ends the patience with it. */
  scan(path: string, signal?: AbortSignal): Promise<Verdict>;
}
