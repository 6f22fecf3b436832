import type { Run } from './load.js';

/** Above this load the load generator, not the server, may have been the bottleneck. */
const CLIENT_BOUND = 0.9;

/** The medians of one contender. */
export interface Rate {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
  readonly requests: number;
  readonly clientBusy: number | null;
  readonly clientBound: boolean;
  /** CPU time per request, in microseconds. */
  readonly processorUs: number | null;
  /** The same of what else works for the server. */
  readonly othersUs: number | null;
}

/** Combines the runs of one contender. */
export function rate(runs: readonly Run[]): Rate {
  const clientBusy = medianKnown(runs.map((run) => run.clientBusy));
  return {
    perSecond: median(runs.map((run) => run.perSecond)),
    p50Ms: median(runs.map((run) => run.p50Ms)),
    p99Ms: median(runs.map((run) => run.p99Ms)),
    errors: runs.reduce((sum, run) => sum + run.errors, 0),
    requests: runs.reduce((sum, run) => sum + run.requests, 0),
    clientBusy,
    clientBound: (clientBusy ?? 0) > CLIENT_BOUND,
    processorUs: medianKnown(runs.map((run) => run.processorUs)),
    othersUs: medianKnown(runs.map((run) => run.othersUs)),
  };
}

function medianKnown(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((number) => number !== null);
  return known.length === 0 ? null : median(known);
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}
