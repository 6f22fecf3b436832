import type { Case } from './cases.js';
import { load, type Request, type Run } from './load.js';

/** Past this share the load generator, not the server, may have set the pace. */
const CLIENT_BOUND = 0.9;

/** How long and how often. */
export interface Pace {
  readonly seconds: number;
  readonly rounds: number;
}

/** The medians of one contender. */
export interface Rate {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
  readonly requests: number;
  readonly clientBusy: number | null;
  readonly clientBound: boolean;
  /** Processor time for one request, in microseconds. */
  readonly processorUs: number | null;
}

/** Holdall against one reference. */
export interface Comparison extends Rate {
  readonly label: string;
  readonly aim: number | null;
  /** Holdall's median rate over the reference's. */
  readonly ratio: number;
  /** The reference's processor time for one request over Holdall's: the ratio as a quiet machine would show it. */
  readonly processorRatio: number | null;
  /** The lowest and the highest ratio of a single round. */
  readonly spread: readonly [number, number];
}

/** A measured case. */
export interface Result {
  readonly name: string;
  readonly subject: Rate;
  readonly references: readonly Comparison[];
  /** Requests that Holdall answered in all, and how many connections were cut while one was under way at most. */
  readonly answered: number;
  readonly underWay: number;
}

/**
 * Measures one case: all contenders in turn, in every round, the order turned around each time, so that
 * whatever else happens on the machine falls on all of them.
 */
export async function measure(task: Case, { seconds, rounds }: Pace): Promise<Result> {
  const contenders: readonly Request[] = [task.subject, ...task.references.map(({ request }) => request)];
  let answered = 0;
  for (const contender of contenders) {
    const { requests } = await load(contender, 1);
    if (contender === task.subject) answered += requests;
    await task.after?.();
  }
  const runs: Run[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = contenders.map((contender, index) => ({ contender, index }));
    for (const { contender, index } of round % 2 === 0 ? order : order.reverse()) {
      runs[index]?.push(await load(contender, seconds));
      await task.after?.();
    }
  }
  const [own = [], ...others] = runs;
  const subject = rate(own);
  return {
    name: task.name,
    subject,
    answered: answered + subject.requests,
    underWay: task.subject.connections * (own.length + 1),
    references: task.references.map(({ label, aim }, index) => {
      const theirs = others[index] ?? [];
      const ratios = own.map((run, round) => run.perSecond / (theirs[round]?.perSecond ?? Number.NaN));
      const reference = rate(theirs);
      return {
        label,
        aim,
        ...reference,
        ratio: subject.perSecond / reference.perSecond,
        processorRatio:
          subject.processorUs === null || reference.processorUs === null
            ? null
            : reference.processorUs / subject.processorUs,
        spread: [Math.min(...ratios), Math.max(...ratios)],
      };
    }),
  };
}

function rate(runs: readonly Run[]): Rate {
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
  };
}

function medianKnown(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((number) => number !== null);
  return known.length === 0 ? null : median(known);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}
