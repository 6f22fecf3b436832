import type { Db } from '../../db/connect.js';
import { claimJobs, failJob, finishJob, insertJob, type Job, postponeJob } from '../../db/job.js';
import type { JobKind, JobPayloads, Jobs, Secrets } from '../../routers/context.js';
import type { Logger } from '../logger.js';
import { createLane, type Lane } from './lane.js';

/** Does one job; a throw queues it again with back-off. `GiveUp` ends it for good, `Postponed` counts for nothing. */
export type Handler<K extends JobKind> = (payload: JobPayloads[K]) => Promise<void>;

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

/** The queue with its worker. */
export interface JobQueue extends Jobs {
  start(handlers: Handlers): void;
  /** Takes no new work and waits for what is running. */
  stop(): Promise<void>;
  /** Waits until nothing that is due is left; for tests and for drains. */
  settle(): Promise<void>;
}

/** Jobs run at once in each lane. */
const AT_ONCE = 4;
/** Kinds that wait for strangers' servers run in a lane of their own, so that nothing else waits with them. */
const FOREIGN: readonly JobKind[] = ['webhook'];
/** Kinds that decode media: many uploads make many of them, and mail must not wait for a gallery. */
const MEDIA: readonly JobKind[] = ['poster', 'thumbhash'];
const MEDIA_AT_ONCE = 2;
/** A worker that has not finished by then is taken for dead, and its job runs again. */
const LOCK_MS = 5 * 60 * 1000;
const POLL_MS = 2_000;
/** Waiting after each failure; the last value repeats until the attempts are used up. */
const BACKOFF_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000, 60 * 60_000];
const MAX_ATTEMPTS = 30;
const ERROR_LIMIT = 500;

/** Runs jobs from the database, a few at once. Payloads are encrypted at rest and erased when done. */
export function createJobQueue(db: Db, secrets: Secrets, log: Logger): JobQueue {
  let lanes: readonly (Lane & { readonly kinds: readonly string[] })[] = [];
  /** Kinds added since the last look at all lanes, and since the one before. */
  let lately = new Set<string>();
  let before = new Set<string>();
  let timer: NodeJS.Timeout | null = null;

  async function run(job: Job, all: Handlers): Promise<void> {
    try {
      const payload = JSON.parse(secrets.decrypt(job.payload));
      await (all[job.kind as JobKind] as Handler<JobKind>)(payload);
      await db.write((trx) => finishJob(trx, job.id));
    } catch (error) {
      if (error instanceof Postponed) {
        await db.write((trx) => postponeJob(trx, job.id, error.until));
        return;
      }
      const over = error instanceof GiveUp || job.attempts >= MAX_ATTEMPTS;
      const at = Date.now();
      const wait = BACKOFF_MS[Math.min(job.attempts, BACKOFF_MS.length) - 1] ?? 0;
      log[over ? 'error' : 'warn'](
        { err: error, job: job.id, kind: job.kind, attempts: job.attempts },
        'a job failed',
      );
      const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LIMIT);
      await db.write((trx) => failJob(trx, job.id, text, at, over ? null : at + wait));
    }
  }

  const laneOf = (kinds: readonly string[], claims: { loops: number; limit: number }, all: Handlers) => ({
    kinds,
    ...createLane<Job>(claims.loops, log, {
      claim: () => {
        const at = Date.now();
        return db.write((trx) =>
          claimJobs(db, trx, { kinds, at, lockedUntil: at + LOCK_MS, limit: claims.limit }),
        );
      },
      run: (job) => run(job, all),
    }),
  });

  /** Only lanes whose kinds were added lately have something to find; an upload in vain would ask all of them. */
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
        payload: secrets.encrypt(JSON.stringify(payload)),
        uniqueKey: options.uniqueKey ?? null,
        createdAt,
        runAt: options.runAt ?? createdAt,
      });
    },
    kick,
    start: (all) => {
      const apart: readonly string[] = [...FOREIGN, ...MEDIA];
      const own = Object.keys(all).filter((kind) => !apart.includes(kind));
      lanes = [
        laneOf(own, { loops: 1, limit: AT_ONCE }, all),
        // One by one: a call that hangs holds up no other.
        laneOf(FOREIGN, { loops: AT_ONCE, limit: 1 }, all),
        laneOf(MEDIA, { loops: 1, limit: MEDIA_AT_ONCE }, all),
      ];
      timer = setInterval(kickAll, POLL_MS).unref();
      kickAll();
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer);
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
    settle: async () => {
      // What one lane does may be work for another.
      do await Promise.all(lanes.map((lane) => lane.settle()));
      while (lanes.some((lane) => lane.isBusy()));
    },
  };
}
