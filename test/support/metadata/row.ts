import type { Telltale } from './telltales.js';

/**
 * One case of the metadata matrix: a file of one format with telltales in one carrier. To cover a format, add a table of
 * rows next to this file and list it in `index.ts`; everything else is checked by `checkRow`.
 */
export interface Row {
  /** The format and the way the telltale is carried, for the name of the test. */
  readonly format: string;
  readonly carrier: string;
  /** The type that the content has for Holdall, before and after. */
  readonly extension: string;
  /** The planted file; null if a tool to make it is missing (the maker says which). */
  readonly make: () => Buffer | null | Promise<Buffer | null>;
  /** What `strip` removes; everything planted unless stated. Raw photographs keep all but the place. */
  readonly strip?: readonly Telltale[];
  /** What `location` removes; the place unless stated. */
  readonly location?: readonly Telltale[];
  /** Something to see or hear that must be the same before and after; null if a tool is missing. */
  readonly same?: (path: string) => Promise<string | null>;
  /** Other metadata may remain in this format, and its uploader is told. */
  readonly partly?: boolean;
  /** The file may also be refused, because it is damaged. */
  readonly refusable?: boolean;
}
