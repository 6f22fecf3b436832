import type { Aims } from './case.js';

/** The result for one target. */
export interface Verdict {
  readonly of: 'ratio' | 'by cpu' | 'p99';
  /** For people: ">= 0.5". */
  readonly aim: string;
  /** Null if the system does not report it. */
  readonly reached: number | null;
  readonly met: boolean;
}

/** The results of a comparison. */
export interface Reached {
  readonly ratio: number;
  readonly processorRatio: number | null;
  readonly p99Ratio: number;
}

/** Compares the results with the targets. An unknown value meets none. */
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
