import { channel, tracingChannel } from 'node:diagnostics_channel';
import type { Db } from '../../../db/engine/connect.js';
import {
  claimJob,
  failJob,
  finishJob,
  insertJob,
  type Job,
  keepJobs,
  postponeJob,
} from '../../../db/system/job.js';
import type { JobKind, JobPayloads, Jobs } from '../../../routers/base/ports/jobs.js';
import type { Secrets } from '../../../routers/base/ports/secrets.js';
import { cutText } from '../../../routers/base/text/cut.js';
import type { Logger } from '../logger.js';
import { createLane, type Lane } from './lane.js';
import { LANE_OF, LANES, type LaneName } from './lanes.js';

/** How often a job has been tried. */
interface Run {
  /** If it fails now, it is not tried again. */
  readonly isLast: boolean;
}

/**
 * Runs one job. If it throws, the job is retried with back-off; `GiveUp` fails it for good, `Postponed` does not
 * count as an attempt.
 */
export type Handler<K extends JobKind> = (payload: JobPayloads[K], run: Run) => Promise<void>;

/** A handler for each kind. */
export type Handlers = { readonly [K in JobKind]: Handler<K> };

/** The job can never succeed; do not try again. */
export class GiveUp extends Error {}

/** The job cannot be tried before this moment (epoch milliseconds). */
export class Postponed extends Error {
  constructor(readonly until: number) {
    super('postponed');
  }
}

/** The queue and its worker. */
export interface JobQueue extends Jobs {
  start(handlers: Handlers): void;
  /** Takes no new work and waits for what is running. */
  stop(): Promise<void>;
  /** Waits until no due job is left; for tests and drains. */
  settle(): Promise<void>;
}

/** A worker that has not renewed a lock within this time counts as dead, and the job runs again. */
const LOCK_MS = 5 * 60 * 1000;
/** The same for jobs that somebody waits for; if two workers run one, only one of them can record its result. */
const SHORT_LOCK_MS = 20_000;
const HAS_SHORT_LOCK: ReadonlySet<string> = new Set<JobKind>(['upload']);
/** How often a lock is renewed within its lifetime, so that short database outages are tolerated. */
const RENEWALS = 5;
const POLL_MS = 2_000;
/** Delay after each failure; the last value repeats until the attempts are used up. */
const BACKOFF_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000, 60 * 60_000];
const MAX_ATTEMPTS = 30;
/** A job that runs, and the headers that name the work that added it. */
interface TracedJob {
  readonly kind: string;
  readonly cause: Readonly<Record<string, string>> | undefined;
}

/** Tells of each job that runs, to whoever traces it. */
export const runs = tracingChannel<unknown, TracedJob>('holdall.job');

/** Asks whoever traces for the headers that name the current work; a subscriber puts them in. */
export const causes = channel('holdall.cause');

/** In a stored payload: the work that added the job. */
const CAUSE = ' cause';

function causeNow(): { readonly [CAUSE]?: Readonly<Record<string, string>> } {
  if (!causes.hasSubscribers) return {};
  const cause = {};
  causes.publish(cause);
  return { [CAUSE]: cause };
}

const MAX_ERROR_LENGTH = 500;

/**
 * Runs jobs from the database, several at once. Payloads are encrypted at rest and erased when done. A job stays with
 * this worker as long as the process lives, however long it takes; another worker may take it `lockMs` after the
 * process dies.
 */
export function createJobQueue(db: Db, secrets: Secrets, log: Logger, lockMs = LOCK_MS): JobQueue {
  let lanes: readonly (Lane & { readonly kinds: readonly string[] })[] = [];
  /** Kinds added since the last full poll, and between that and the poll before it. */
  let lately = new Set<string>();
  let before = new Set<string>();
  let poll: NodeJS.Timeout | undefined;
  let renewals: readonly NodeJS.Timeout[] = [];
  let renewing: Promise<void> = Promise.resolve();
  const running = new Set<Job>();

  /** Throws if the job's result cannot be stored; the job then runs again once its lock expires. */
  async function run(job: Job, all: Handlers): Promise<void> {
    running.add(job);
    const isLast = job.attempts >= MAX_ATTEMPTS;
    try {
      const { [CAUSE]: cause, ...payload } = JSON.parse(secrets.decrypt(job.payload));
      const handle = () => (all[job.kind as JobKind] as Handler<JobKind>)(payload, { isLast });
      await (runs.hasSubscribers ? runs.tracePromise(handle, { kind: job.kind, cause }) : handle());
      await db.write((trx) => finishJob(trx, job.id));
    } catch (error) {
      if (error instanceof Postponed) {
        await db.write((trx) => postponeJob(trx, job, error.until));
        return;
      }
      const over = error instanceof GiveUp || isLast;
      const at = Date.now();
      const wait = BACKOFF_MS[Math.min(job.attempts, BACKOFF_MS.length) - 1] ?? 0;
      log[over ? 'error' : 'warn'](
        { err: error, job: job.id, kind: job.kind, attempts: job.attempts },
        'a job failed',
      );
      const text = cutText(error instanceof Error ? error.message : String(error), MAX_ERROR_LENGTH);
      await db.write((trx) => failJob(trx, job, text, at, over ? null : at + wait));
    } finally {
      running.delete(job);
    }
  }

  const lockOf = (kind: string): number =>
    HAS_SHORT_LOCK.has(kind) ? Math.min(SHORT_LOCK_MS, lockMs) : lockMs;

  async function renew(short: boolean): Promise<void> {
    const jobs = [...running].filter(({ kind }) => HAS_SHORT_LOCK.has(kind) === short);
    const [first] = jobs;
    if (first === undefined) return;
    await db.write((trx) => keepJobs(db, trx, jobs, Date.now() + lockOf(first.kind)));
  }

  const openLane = (name: LaneName, all: Handlers) => {
    const kinds = Object.keys(LANE_OF).filter((kind) => LANE_OF[kind as JobKind] === name);
    const lane = createLane<Job>(LANES[name], log, {
      claim: () => {
        const at = Date.now();
        const lockedUntil = at + lockOf(kinds[0] ?? '');
        const own = [...running].map(({ id }) => id);
        return db.write((trx) => claimJob(db, trx, { kinds, running: own, at, lockedUntil }));
      },
      run: (job) => run(job, all),
    });
    return { kinds, ...lane };
  };

  /** Kicks only lanes with recently added kinds; otherwise every upload would query all lanes. */
  const kick = (): void => {
    for (const lane of lanes)
      if (lane.kinds.some((kind) => lately.has(kind) || before.has(kind))) lane.kick();
  };

  const kickAll = (): void => {
    before = lately;
    lately = new Set();
    for (const lane of lanes) lane.kick();
  };

  return {
    add: (trx, kind, payload, options = {}) => {
      const createdAt = Date.now();
      lately.add(kind);
      return insertJob(trx, {
        kind,
        payload: secrets.encrypt(JSON.stringify({ ...payload, ...causeNow() })),
        uniqueKey: options.uniqueKey ?? null,
        createdAt,
        runAt: options.runAt ?? createdAt,
      });
    },
    kick,
    start: (all) => {
      lanes = Object.keys(LANES).map((name) => openLane(name as LaneName, all));
      poll = setInterval(kickAll, POLL_MS).unref();
      renewals = [true, false].map((short) =>
        setInterval(
          () => {
            renewing = Promise.all([renewing, renew(short)]).then(
              () => undefined,
              (error: unknown) => log.warn({ err: error }, 'locks of jobs could not be renewed'),
            );
          },
          (short ? Math.min(SHORT_LOCK_MS, lockMs) : lockMs) / RENEWALS,
        ).unref(),
      );
      kickAll();
    },
    stop: async () => {
      clearInterval(poll);
      await Promise.all(lanes.map((lane) => lane.stop()));
      for (const renewal of renewals) clearInterval(renewal);
      await renewing;
    },
    settle: async () => {
      // A job of one lane may queue jobs for another.
      do await Promise.all(lanes.map((lane) => lane.settle()));
      while (lanes.some((lane) => lane.isBusy()));
    },
  };
}
