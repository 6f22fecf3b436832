import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  keepUploadLock,
  type LockTaken,
  releaseUploadLock,
  takeUploadLock,
} from '../../../db/content/upload/upload-lock.js';
import { fail } from '../../base/errors.js';
import type { Services } from '../../core/context.js';

/** A process that has not renewed its lock for this long is dead. */
const LOCK_MS = 60_000;
/** How often a lock is renewed, and whether another request waits for it is looked up. */
const LOOK_MS = 2_000;
/** How long a request waits for an older one to end before it takes over: in this process, and in another. */
const PATIENCE_MS = 10_000;
/** A request that waits for bytes for this long has probably lost its client. */
const IDLE_MS = 2_000;
const PATIENCE_ELSEWHERE_MS = 4_000;
const TRY_AGAIN_MS = 200;

/** The right of one request to change an upload. */
export interface Hold {
  readonly token: string;
  /** Whether whoever changed it before may still be writing. */
  readonly taken: LockTaken;
}

/** What a request that changes an upload is told, and asked. */
interface Sender {
  /** Makes its work end soon. */
  readonly end: () => void;
  /** For how long it has waited for bytes, in milliseconds. */
  readonly idleMs: () => number;
}

/** A request that changes an upload now. */
interface Holder extends Sender {
  readonly over: Promise<unknown>;
}

/** The requests of this process that change uploads, by row id. */
const holders = new WeakMap<Services, Map<number, Holder>>();
function holdersIn(app: Services): Map<number, Holder> {
  const known = holders.get(app) ?? new Map<number, Holder>();
  holders.set(app, known);
  return known;
}

/**
 * Changes an upload alone, over all processes. A newer request ends an older one that waits for bytes, because its client has
 * usually lost its connection, and continues where that got to; one whose bytes are arriving has some seconds to finish, unless
 * it is to be ended at once. One that does not end in time loses its right, and whatever it does afterwards is not
 * recorded. 423 if yet another request was faster.
 */
export async function holding<T>(
  app: Services,
  uploadId: number,
  sender: Sender,
  work: (hold: Hold) => Promise<T>,
  overtaking: 'at once' | 'when idle' = 'when idle',
): Promise<T> {
  const here = holdersIn(app);
  const token = randomUUID();
  const before = here.get(uploadId);
  const task = (async () => {
    if (before !== undefined) await overtake(before, overtaking === 'at once' ? 0 : PATIENCE_MS);
    const taken = await takeLock(app, uploadId, token);
    const stop = keep(app, uploadId, token, sender);
    try {
      return await work({ token, taken });
    } finally {
      stop();
      await app.db.write((trx) => releaseUploadLock(trx, uploadId, token)).catch(() => undefined);
    }
  })();
  const holder = { end: sender.end, idleMs: sender.idleMs, over: task.catch(() => undefined) };
  here.set(uploadId, holder);
  try {
    return await task;
  } finally {
    if (here.get(uploadId) === holder) here.delete(uploadId);
  }
}

/** Ends an older request of this process: once it is idle, or after some time whatever it does. */
async function overtake(before: Holder, patienceMs: number): Promise<void> {
  let isEnded = false;
  const over = before.over.then(() => {
    isEnded = true;
  });
  const until = performance.now() + patienceMs;
  while (!isEnded && before.idleMs() < IDLE_MS && performance.now() < until)
    await Promise.race([over, delay(TRY_AGAIN_MS, undefined, { ref: false })]);
  if (isEnded) return;
  before.end();
  await Promise.race([over, delay(PATIENCE_MS, undefined, { ref: false })]);
}

/** Asks a request of another process to end; takes the lock from it if it does not answer, as a dead one. */
async function takeLock(app: Services, id: number, token: string): Promise<LockTaken> {
  const attempt = (force: boolean) => {
    const at = Date.now();
    return app.db.write((trx) => takeUploadLock(app.db, trx, { id, token, at, until: at + LOCK_MS, force }));
  };
  for (let until = performance.now() + PATIENCE_ELSEWHERE_MS; performance.now() < until; ) {
    const taken = await attempt(false);
    if (taken !== null) return taken;
    await delay(TRY_AGAIN_MS);
  }
  return (await attempt(true)) ?? fail('NOT_FOUND');
}

/** Renews a lock until it is stopped. Ends its sender if another request has taken it, or waits for it while no bytes arrive. */
function keep(app: Services, id: number, token: string, { end, idleMs }: Sender): () => void {
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      const state = await app.db.write((trx) => keepUploadLock(trx, id, token, Date.now() + LOCK_MS));
      if (state === 'lost' || (state === 'wanted' && idleMs() >= IDLE_MS)) end();
    } catch (error) {
      app.log.warn({ err: error }, 'the lock of an upload could not be renewed');
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  return () => clearInterval(timer);
}
