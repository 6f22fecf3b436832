import type { Run } from './load.js';
import type { Result } from './measure.js';

/** The duration of each run, and the number of runs per contender. */
export interface Pace {
  readonly seconds: number;
  readonly rounds: number;
}

/** Before the first round each contender runs this long, unmeasured. */
export const WARM_UP_SECONDS = 1;

/**
 * The same for tasks of a few hundred requests per second: their code is compiled only after thousands of
 * calls.
 */
export const LONG_WARM_UP_SECONDS = 10;

/** Puts load on one server for about this many seconds, and returns the result. */
export type Contender = (seconds: number) => Promise<Run>;

/** The targets of Holdall against a reference. Values without a target are only shown. */
export interface Aims {
  /** Holdall's rate divided by the reference's, minimum. */
  readonly rate?: number;
  /** The reference's CPU time per request divided by Holdall's, minimum. */
  readonly processor?: number;
  /** Holdall's p99 divided by the reference's, maximum. */
  readonly p99?: number;
}

/** Under load the p99 may be at most this many times that of the reference. */
export const P99_AIM = 3;

/** A reference for the same task. */
export interface Reference {
  readonly label: string;
  readonly contender: Contender;
  readonly aims: Aims;
}

/** Holdall and its references for one task. */
export interface Case {
  readonly subject: Contender;
  readonly references: readonly Reference[];
  /** Defaults to `WARM_UP_SECONDS`. */
  readonly warmUpSeconds?: number;
  /**
   * For a task that Holdall counts: the current count, and how many requests may be cut at the end of a run.
   */
  readonly visits?: { counted(): Promise<number>; readonly connections: number };
  /** The load generator runs on the processors of the servers: only CPU time can be compared. */
  readonly crowded?: boolean;
}

/** A case that is prepared when its turn comes. */
export interface Plan {
  readonly name: string;
  prepare(pace: Pace): Promise<Case>;
}

/** The requirements of a case, besides time. */
export interface Memory {
  readonly startMs: number;
  readonly idleMiB: number | null;
  readonly idleAimMiB: number;
  readonly peakMiB: number | null;
  /** Half a minute after the last case. */
  readonly afterMiB: number | null;
}

/** The environment in which a stage is set up. */
export interface Place {
  /** For its files; removed at the end. */
  readonly folder: string;
  /** Registers something to stop at the end, even if the setup fails; last in, first out. */
  atEnd(stop: () => Promise<unknown>): void;
}

/** Running servers with the cases that use them. */
export interface Stage {
  readonly plans: readonly Plan[];
  /** Null if not applicable. */
  memory(): Promise<Memory | null>;
  /** Further lines for people; none by default. */
  summary?(results: readonly Result[]): readonly string[];
  /** The output of the Holdall servers. */
  output(): string;
}
