import type { Db } from '../engine/connect.js';
import { KIND_STORAGE, type Kind } from './kinds.js';

/** The orders of a list of own items. */
export type Order = 'newest' | 'oldest' | 'name' | 'size' | 'views';

export const DIRECTIONS: Readonly<Record<Order, 'ASC' | 'DESC'>> = {
  newest: 'DESC',
  oldest: 'ASC',
  name: 'ASC',
  size: 'DESC',
  views: 'DESC',
};

/**
 * As many items that a filter finds are looked at and sorted. More are found along the index of an order, which may have all
 * that the filter leaves out before them.
 */
export const MAX_SELECTIVE = 10_000;

/** Items of a kind that stand in one index in an order. */
export interface Run {
  /** SQL condition: which of the kind; null = all. */
  readonly only: string | null;
  /** SQL expression of what they are sorted by; null if they are all equal, and as if it were 0. */
  readonly by: string | null;
  /** What equals are sorted by. */
  readonly tie: 'id' | 'created_at';
  /** The index; null if there is none. */
  readonly index: string | null;
}

/** All items of a kind, in as many parts as there are indexes for an order. */
export function runsOf({ dialect }: Db, kind: Kind, order: Order): readonly Run[] {
  const { table, sorted } = KIND_STORAGE[kind];
  const { times, name, size, hits } = sorted;
  const equal: Run = { only: null, by: null, tie: 'created_at', index: times };
  switch (order) {
    case 'newest':
    case 'oldest':
      return [{ only: null, by: 'created_at', tie: 'id', index: times }];
    case 'name':
      return [{ only: null, by: dialect.folded(name), tie: 'id', index: `${table}_named` }];
    case 'size':
      return [size === null ? equal : { only: null, by: size, tie: 'id', index: `${table}_sized` }];
    case 'views':
      if (hits === null) return [equal];
      if (hits.counted === null) return [{ only: null, by: hits.by, tie: 'created_at', index: null }];
      return [
        { only: hits.counted, by: hits.by, tie: 'created_at', index: `${table}_viewed` },
        { ...equal, only: `NOT (${hits.counted})` },
      ];
  }
}

/** The same as one part, for items that are all looked at anyway. */
export function wholeOf(db: Db, kind: Kind, order: Order): Run {
  const runs = runsOf(db, kind, order);
  const cases = runs.map(({ only, by }) => `WHEN ${only ?? '1 = 1'} THEN ${by ?? '0'}`);
  return { only: null, by: `CASE ${cases.join(' ')} END`, tie: runs[0]?.tie ?? 'id', index: null };
}

/** What a SELECT of a run needs for the order among several. */
export const sortedBy = ({ by, tie }: Run): string => `${by ?? '0'} AS sorted_by, ${tie} AS tied_by`;

/** The order inside of a run. */
export const orderWithin = ({ by, tie }: Run, order: Order): string =>
  [...(by === null ? [] : ['sorted_by']), ...(tie === 'id' ? [] : ['tied_by']), 'id']
    .map((key) => `${key} ${DIRECTIONS[order]}`)
    .join(', ');

/** The order among several runs. */
export const orderCandidates = (order: Order): string =>
  `sorted_by ${DIRECTIONS[order]}, kind, tied_by ${DIRECTIONS[order]}, id ${DIRECTIONS[order]}`;
