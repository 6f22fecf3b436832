import type { Db } from '../../engine/connect.js';
import { KIND_STORAGE, type Kind } from '../kinds.js';

/** The orders of a list of own items. */
export type Order =
  | 'newest'
  | 'oldest'
  | 'name'
  | 'nameDown'
  | 'size'
  | 'views'
  | 'viewsUp'
  | 'id'
  | 'idDown';

/** Which way each order runs along its column. */
export const DIRECTIONS: Readonly<Record<Order, 'ASC' | 'DESC'>> = {
  newest: 'DESC',
  oldest: 'ASC',
  name: 'ASC',
  nameDown: 'DESC',
  size: 'DESC',
  views: 'DESC',
  viewsUp: 'ASC',
  id: 'ASC',
  idDown: 'DESC',
};

/**
 * As many items that a filter finds are looked at and sorted. More are found along the index of an order, which may have all
 * that the filter leaves out before them.
 */
export const MAX_SELECTIVE = 10_000;

/** How the items of a kind stand in an order. */
interface Run {
  /** SQL expression of what they are sorted by; null if they are all equal, and as if it were 0. */
  readonly by: string | null;
  /** What equals are sorted by. */
  readonly tie: 'id' | 'created_at';
  /** The index; null if there is none. */
  readonly index: string | null;
}

/** How all items of a kind stand in an order. */
export function runOf({ dialect }: Db, kind: Kind, order: Order): Run {
  const { table, sorted } = KIND_STORAGE[kind];
  const { times, name, size, hits } = sorted;
  switch (order) {
    case 'newest':
    case 'oldest':
      return { by: 'created_at', tie: 'id', index: times };
    case 'name':
    case 'nameDown':
      return { by: dialect.folded(name), tie: 'id', index: `${table}_named` };
    case 'size':
      return size === null
        ? { by: null, tie: 'created_at', index: times }
        : { by: size, tie: 'id', index: `${table}_sized` };
    case 'id':
    case 'idDown':
      return { by: 'lookup_id', tie: 'id', index: null };
    case 'views':
    case 'viewsUp':
      return { by: hits.by, tie: 'created_at', index: hits.isIndexed ? `${table}_viewed` : null };
  }
}

/** What a SELECT of a run needs for the order among several. */
export const sortedBy = ({ by, tie }: Run): string => `${by ?? '0'} AS sorted_by, ${tie} AS tied_by`;

/** The order in which an index has a run; null if that is the order among several. */
export const orderWithin = ({ by, tie, index }: Run, order: Order): string | null =>
  by !== null && tie === 'id' && index !== null
    ? null
    : [...(by === null ? [] : ['sorted_by']), 'tied_by', 'id']
        .map((key) => `${key} ${DIRECTIONS[order]}`)
        .join(', ');

/** The order among several runs. */
export const orderCandidates = (order: Order): string =>
  `sorted_by ${DIRECTIONS[order]}, tied_by ${DIRECTIONS[order]}, id ${DIRECTIONS[order]}, kind`;
