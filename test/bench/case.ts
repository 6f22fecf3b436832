import type { Run } from './load.js';

/** How long each run takes, and how many of them each contender has. */
export interface Pace {
  readonly seconds: number;
  readonly rounds: number;
}

/** Before the first round each contender runs this long, unmeasured. */
export const WARM_UP_SECONDS = 1;

/** As long for tasks of a few hundred requests a second: their code is compiled only after thousands of calls. */
export const LONG_WARM_UP_SECONDS = 10;

/** Puts work on one server for about so many seconds, and answers what that has shown. */
export type Contender = (seconds: number) => Promise<Run>;

/** What Holdall shall reach against a reference. What has no aim is only shown. */
export interface Aims {
  /** Holdall's rate over the other's, at least. */
  readonly rate?: number;
  /** The other's processor time for one request over Holdall's, at least. */
  readonly processor?: number;
  /** Holdall's p99 over the other's, at most. */
  readonly p99?: number;
}

/** Under load nobody waits longer than this many times what the reference lets them wait. */
export const P99_AIM = 3;

/** Somebody else at the same task. */
export interface Reference {
  readonly label: string;
  readonly contender: Contender;
  readonly aims: Aims;
}

/** Holdall and what it is compared with at one task. */
export interface Case {
  readonly subject: Contender;
  readonly references: readonly Reference[];
  /** `WARM_UP_SECONDS` where it is left out. */
  readonly warmUpSeconds?: number;
  /** For a task that Holdall counts: the count so far, and how many requests may be cut at the end of a run. */
  readonly visits?: { counted(): Promise<number>; readonly connections: number };
  /** The load generator runs on the processors of the servers: only processor time can be compared. */
  readonly crowded?: boolean;
}

/** A case that is prepared when it is its turn. */
export interface Plan {
  readonly name: string;
  prepare(pace: Pace): Promise<Case>;
}

/** What the process takes, besides time. */
export interface Memory {
  readonly startMs: number;
  readonly idleMiB: number | null;
  readonly idleAimMiB: number;
  readonly peakMiB: number | null;
}

/** Where a stage is set up. */
export interface Place {
  /** For its files; removed at the end. */
  readonly folder: string;
  /** Has something stopped at the end, also when the stage never comes about; the last one first. */
  atEnd(stop: () => Promise<unknown>): void;
}

/** Running servers with the cases that are played on them. */
export interface Stage {
  readonly plans: readonly Plan[];
  /** Null where it is not the matter. */
  memory(): Memory | null;
  /** What the Holdall servers have printed. */
  output(): string;
}
