import type { Kind } from '../content/kinds.js';
import type { Db } from '../engine/connect.js';
import type { Statement } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { Term } from './terms.js';

/** What the index knows of an item. Texts are folded, see `words.ts`. */
export interface Entry {
  readonly kind: Kind;
  readonly id: number;
  readonly ownerId: number;
  /** What everybody who may list the item finds it by. */
  readonly shown: string;
  /** What only its owner finds it by. */
  readonly own: string;
  /** Row ids of its tags: a tag with another name is still the same one. */
  readonly tagIds: readonly number[];
}

/** A term, and the tags of the account whose names it occurs in; without words it is one of these tags. */
export interface TaggedTerm extends Term {
  readonly tagIds: readonly number[];
}

/** What is asked of the index. */
export interface Ask {
  readonly terms: readonly TaggedTerm[];
  /** The items of one account only; null = all. */
  readonly ownerId: number | null;
  /** Whether that account itself asks: its protected texts, notes and tags count, too. */
  readonly own: boolean;
  /** Whether one of the terms is a tag of that account that few of its items have. */
  readonly isRareTag: boolean;
  /** What is looked for among a few items only: a SELECT of their row ids; null = all. */
  readonly candidates: Statement | null;
  /** How many of the newest it finds. */
  readonly limit: number;
}

/**
 * The newest items of a kind that a search finds and looks at; what a common word finds beyond them is neither shown
 * nor counted. This bounds the cost of a search, however much is stored.
 */
export const MAX_FOUND = 5_000;

/** As `MAX_FOUND`, of which a further filter leaves a part. */
export const MAX_SIFTED = 20_000;

/** Items of a kind among which all that a search finds is shown, because they are so few. */
export const MAX_CANDIDATES = 10_000;

/** The full-text index of one kind of database. */
export interface TextIndex {
  /** Writes entries in place of those of the same items, in the transaction that changes these. */
  put(trx: Queryable, entries: readonly Entry[], mayExist: boolean): Promise<void>;
  /** Forgets items. */
  remove(trx: Queryable, kind: Kind, ids: readonly number[]): Promise<void>;
  /** Forgets everything. */
  clear(trx: Queryable): Promise<void>;
  /** Drops some of the words that are left of what was forgotten; true once none is. */
  drop(trx: Queryable): Promise<boolean>;
  /** A SELECT of the numbers of a JSON array; binds one JSON text. */
  readonly numbers: string;
  /** Ends a SELECT of the rows of items: a change of one waits until its entry is written. */
  readonly locks: 'FOR UPDATE' | '';
  /** A SELECT of the row ids of a kind, as `id`, that the index finds. There is at least one term. */
  finds(kind: Kind, ask: Ask): Statement;
  /** Throws if the index itself is damaged. */
  verify(db: Db): Promise<void>;
}
