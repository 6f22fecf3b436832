import type { Aims } from './case.js';

/** What became of one aim. */
export interface Verdict {
  readonly of: 'ratio' | 'by cpu' | 'p99';
  /** In words for people: ">= 0.5". */
  readonly aim: string;
  /** Null where the system does not tell. */
  readonly reached: number | null;
  readonly met: boolean;
}

/** What a comparison has reached. */
export interface Reached {
  readonly ratio: number;
  readonly processorRatio: number | null;
  readonly p99Ratio: number;
}

/** Holds what was reached against the aims. What is not known meets none. */
export function judge({ rate, processor, p99 }: Aims, reached: Reached): Verdict[] {
  return [
    ...(rate === undefined ? [] : [atLeast('ratio', rate, reached.ratio)]),
    ...(processor === undefined ? [] : [atLeast('by cpu', processor, reached.processorRatio)]),
    ...(p99 === undefined
      ? []
      : [{ of: 'p99' as const, aim: `<= ${p99}`, reached: reached.p99Ratio, met: reached.p99Ratio <= p99 }]),
  ];
}

const atLeast = (of: Verdict['of'], aim: number, reached: number | null): Verdict => ({
  of,
  aim: `>= ${aim}`,
  reached,
  met: reached !== null && reached >= aim,
});
