import { judge, type Verdict } from './aims.js';
import { type Case, type Pace, WARM_UP_SECONDS } from './case.js';
import type { Run } from './load.js';
import { type Rate, rate } from './rate.js';

/** Holdall against one reference. */
export interface Comparison extends Rate {
  readonly label: string;
  /** Holdall's median rate divided by the reference's. */
  readonly ratio: number;
  /** The reference's CPU time per request divided by Holdall's: the ratio to expect on a quiet machine. */
  readonly processorRatio: number | null;
  /** Holdall's p99 divided by the reference's. */
  readonly p99Ratio: number;
  /** The lowest and the highest ratio of a single round. */
  readonly spread: readonly [number, number];
  readonly verdicts: readonly Verdict[];
}

/**
 * Visits counted and answers received: exact if all answers were counted, and nothing else but requests cut
 * at the ends.
 */
export interface Visits {
  readonly answered: number;
  readonly counted: number;
  /** The maximum number of requests in progress when a run ended. */
  readonly underWay: number;
  readonly exact: boolean;
}

/** A measured case. */
export interface Result {
  readonly name: string;
  readonly subject: Rate;
  readonly references: readonly Comparison[];
  readonly visits: Visits | null;
  readonly crowded: boolean;
}

/**
 * Measures one case: all contenders in turn, in every round, in reversed order each time, so that
 * disturbances on the machine affect all of them.
 */
export async function measure(name: string, task: Case, { seconds, rounds }: Pace): Promise<Result> {
  const contenders = [task.subject, ...task.references.map(({ contender }) => contender)];
  const { warmUpSeconds = WARM_UP_SECONDS } = task;
  const before = (await task.visits?.counted()) ?? 0;
  let answered = 0;
  const runs: Run[][] = contenders.map(() => []);
  for (let round = -1; round < rounds; round += 1) {
    const order = contenders.map((contender, index) => ({ contender, index }));
    for (const { contender, index } of round % 2 === 0 ? order : order.reverse()) {
      const run = await contender(round < 0 ? warmUpSeconds : seconds);
      if (index === 0) answered += run.requests;
      if (round >= 0) runs[index]?.push(run);
    }
  }
  const [own = [], ...others] = runs;
  return {
    name,
    subject: rate(own),
    references: task.references.map(({ label, aims }, index) => {
      const compared = compare(own, others[index] ?? []);
      return { label, ...compared, verdicts: judge(aims, compared) };
    }),
    visits:
      task.visits === undefined
        ? null
        : exactness(answered, (await task.visits.counted()) - before, task.visits.connections * (rounds + 1)),
    crowded: task.crowded ?? false,
  };
}

function compare(own: readonly Run[], theirs: readonly Run[]): Omit<Comparison, 'label' | 'verdicts'> {
  const subject = rate(own);
  const reference = rate(theirs);
  const ratios = own.map((run, round) => run.perSecond / (theirs[round]?.perSecond ?? Number.NaN));
  return {
    ...reference,
    ratio: subject.perSecond / reference.perSecond,
    processorRatio:
      subject.processorUs === null || reference.processorUs === null
        ? null
        : reference.processorUs / subject.processorUs,
    p99Ratio: subject.p99Ms / reference.p99Ms,
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

const exactness = (answered: number, counted: number, underWay: number): Visits => ({
  answered,
  counted,
  underWay,
  exact: counted >= answered && counted <= answered + underWay,
});
