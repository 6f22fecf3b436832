import { realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Row } from './tables/tables.js';

/** What a product that people move from is to an import. Every module in `sources/` implements it. */

/** An account of the other product. */
export interface SourceAccount {
  /** What its items refer to. */
  readonly key: string;
  readonly username: string;
  readonly email: string | null;
  /** Bcrypt or Argon2 in its usual text form; null if there is none, or of another kind. */
  readonly passwordHash: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly isBanned: boolean;
  /** Whether it could be used there: its address was confirmed, where that is asked for. */
  readonly isConfirmed: boolean;
  /** The rows that it was read from. */
  readonly rows: readonly (Row | undefined)[];
}

/** What every item of the other product has. */
interface SourceCommon {
  /** Identifies it within its product, whatever happens to it: a repeated import knows it by this. */
  readonly key: string;
  /** The account that it belongs to; null for none. */
  readonly owner: string | null;
  /** The id that it should have here; null for any. */
  readonly id: string | null;
  /** Paths, without a slash in front, under which its content was published. */
  readonly addresses: readonly string[];
  /** The same of pages that showed it. */
  readonly pages: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly passwordHash: string | null;
  readonly isPublic: boolean;
  /** Why it comes private, where who may see it there cannot be said here; null if it can. */
  readonly restriction: string | null;
  /** What of it does not come, in words, for example `redirect rules`. */
  readonly without: readonly string[];
  readonly tags: readonly string[];
  /** The rows that it was read from, and those that say who may see it: what is not understood in them closes it. */
  readonly rows: readonly (Row | undefined)[];
}

/** What items have of which their product says nothing. */
export const PLAIN = {
  id: null,
  addresses: [],
  pages: [],
  expiresAt: null,
  passwordHash: null,
  isPublic: true,
  restriction: null,
  without: [],
  tags: [],
  rows: [],
} as const satisfies Partial<SourceCommon>;

/** A file. */
export interface SourceFile extends SourceCommon {
  readonly kind: 'image';
  /** Its bytes, or the path of the file that has them; as bytes if its name may be in any charset. */
  readonly bytes: string | Buffer | { readonly path: Buffer };
  readonly name: string | null;
  readonly description: string | null;
  readonly views: number;
  readonly maxViews: number | null;
}

/** A text of another product. */
export interface SourcePaste extends SourceCommon {
  readonly kind: 'paste';
  readonly title: string | null;
  readonly content: string;
  readonly language: string | null;
  /** Several texts with names, instead of `content`. */
  readonly files?: readonly {
    readonly name: string;
    readonly text: string;
    readonly language: string | null;
  }[];
  /** Whether the first visit deletes it. */
  readonly burn: boolean;
}

/** A short link of another product. */
export interface SourceLink extends SourceCommon {
  readonly kind: 'url';
  readonly target: string;
  readonly visits: number;
  readonly maxUses: number | null;
  readonly note: string | null;
  readonly forwardQuery: boolean;
  /** The host that it was on, which is no more than said in its note where it cannot be one of the account; null for the usual one. */
  readonly host?: { readonly name: string; readonly fallbackUrl: string | null } | null;
  /** As the API takes them; what cannot be read is left out and named. */
  readonly rules?: readonly unknown[];
}

/** Several files under one address. They come before it. */
export interface SourceCollection extends Omit<SourceCommon, 'tags'> {
  readonly kind: 'collection';
  readonly title: string;
  readonly description: string | null;
  /** The keys of its files. */
  readonly files: readonly string[];
  readonly views: number;
  readonly maxViews: number | null;
}

interface SourceRefusal {
  readonly kind: 'refused';
  /** What it would be. */
  readonly of: 'image' | 'paste' | 'url' | 'collection';
  readonly key: string;
  /** What differs from item to item stands behind a colon. */
  readonly reason: string;
}

/** What cannot come, and why. */
export const refused = (of: SourceRefusal['of'], key: string, reason: string): SourceRefusal => ({
  kind: 'refused',
  of,
  key,
  reason,
});

/** What an installation of another product has. */
export type SourceItem = SourceFile | SourcePaste | SourceLink | SourceCollection | SourceRefusal;

/** An opened installation of the other product. */
export interface Source {
  accounts(): AsyncIterable<SourceAccount>;
  /** Every item, one after another: the whole is never in memory. */
  items(): AsyncIterable<SourceItem>;
  /** What it has besides, and does not come: names of tables, numbers of files. Complete when all items were read. */
  leftOut(): readonly string[];
  close(): Promise<void>;
}

/** Where the other product keeps what. */
export interface SourceOptions {
  /** Its database: a file of SQLite, an SQL dump, or a `postgres://` address; null if none is given. */
  readonly database: string | null;
  /** The folder with its files; null if none is given. */
  readonly files: string | null;
  /** A file with the links to its items, which hold keys; null if none is given. */
  readonly links: string | null;
  /** What its tables have that is not known, and says nothing about who may see something: `Table` or `Table.column`. */
  readonly ignored: readonly string[];
  /** What the names of its tables begin with; null for what is usual. */
  readonly prefix: string | null;
  /** Whether files come that are hidden, or that file managers and programs have left. */
  readonly hidden: boolean;
  /** Paths of its addresses that differ from its usual ones, by what they lead to. */
  readonly paths: Readonly<Record<string, string>>;
}

/** Whether an option has to be given, or has no meaning. */
type Need = boolean | 'optional';

/** A product that people move from. */
export interface Product {
  /** Which of the options belong to it. */
  readonly needs: {
    readonly database: Need;
    readonly files: Need;
    readonly links?: Need;
    readonly prefix?: Need;
    readonly hidden?: Need;
  };
  /** Its usual paths, by what they lead to. */
  readonly paths: Readonly<Record<string, string>>;
  open(options: SourceOptions): Promise<Source>;
}

/** The import cannot run; the message may be shown. */
export class ImportError extends Error {}

/** An address below a path of a product: `/u/` and `a.png` are `u/a.png`. */
export const addressBelow = (path: string, name: string): string =>
  [...path.split('/'), ...name.split('/')].filter((part) => part !== '').join('/');

/** Why a file is refused that `fileBelow` has no path for. */
export const OUTSIDE = 'its name leads out of the folder';

/** The path of a file in a folder; null if the names, which come from the other product, or links lead out of it. */
export function fileBelow(folder: string, ...names: readonly string[]): string | null {
  const root = resolve(folder);
  const path = resolve(root, join('/', ...names).slice(1));
  const isBelow =
    !names.some((name) => name.split(/[/\\]/).includes('..')) && path.startsWith(`${root}${sep}`);
  return isBelow && !isLedOut(root, path) ? path : null;
}

/** Whether a link on the way to a file leads out of the folder, which may be a link itself; what is missing leads nowhere. */
function isLedOut(root: string, path: string): boolean {
  try {
    return !realpathSync(path).startsWith(`${realpathSync(root)}${sep}`);
  } catch {
    return false;
  }
}
