import type { Dialect } from '../engine/dialect.js';
import { KIND_STORAGE, type Kind, type OwnedKind, tableOf } from './kinds.js';

/** Where a walk through what an account has of a kind has got to. */
export interface Reached {
  /** When that was created, or its row id, whichever the kind is walked by. */
  readonly by: number;
  readonly id: number;
}

/** Before the first one; within the range of row ids. */
export const BEGINNING: Reached = { by: -(2 ** 31), id: 0 };

/** The column that an index on the owner has next, and that index. */
const wayOf = (kind: OwnedKind): { readonly by: 'created_at' | 'id'; readonly index: string } =>
  kind === 'collection'
    ? { by: 'id', index: 'playlists_owner_id_id_index' }
    : { by: 'created_at', index: KIND_STORAGE[kind satisfies Kind].sorted.times };

/**
 * The parts of a statement that reads what an account has of a kind, from where a walk has got to on, the oldest first.
 * `from` is walked along an index: in another order, each batch would sort all that the account has. `onwards` comes last,
 * and binds `by` and `id` of `Reached` and how many.
 */
export function walk(dialect: Dialect, kind: OwnedKind) {
  const { by, index } = wayOf(kind);
  const table = tableOf(kind);
  return {
    from: dialect.through(table, index),
    by,
    onwards: `(${table}.${by}, ${table}.id) > (?, ?) ORDER BY ${table}.${by}, ${table}.id LIMIT ?`,
  };
}
