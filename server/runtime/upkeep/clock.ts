import type { Db } from '../../../db/engine/connect.js';
import { takeCollectedBack } from '../../../db/mail/mail-token.js';
import {
  lastTurn,
  noteExpected,
  noteTime,
  redateVisits,
  shiftDeadlines,
  takeTimeBack,
} from '../../../db/system/clock.js';
import type { Logger } from '../logger.js';

/** Clock corrections up to this size are normal and harmless. */
const TOLERANCE_MS = 60_000;
const LOOK_MS = 1_000;
/** How often the time is stored in the database, for the next start. */
const NOTE_MS = 5 * 60_000;

/** Watches the system clock. */
interface ClockWatch {
  /** Stores the time and stops watching. */
  stop(): Promise<void>;
}

/**
 * Handles a system clock that goes back by more than a minute, while the process runs or before it started: nothing
 * has to wait for that time to pass again, and no secret becomes valid again. Resolves once changes before the start
 * are handled.
 */
export async function watchClock(db: Db, log: Logger): Promise<ClockWatch> {
  const settle = async (wentBack: number): Promise<void> => {
    const at = Date.now();
    const before = await db.write(async (trx) => {
      if (wentBack > 0) await noteExpected(trx, at + wentBack, turn);
      const noted = await takeTimeBack(trx, at, TOLERANCE_MS);
      if (noted !== null) {
        await shiftDeadlines(trx, noted, at);
        await takeCollectedBack(trx, at);
        await redateVisits(trx, at, TOLERANCE_MS);
      }
      return noted;
    });
    if (before !== null) log.warn({ before: new Date(before).toISOString() }, 'the system clock went back');
  };
  // Wall clock minus monotonic clock: changes only if somebody sets the clock.
  const offset = (): number => Date.now() - performance.now();
  let usual = offset();
  const stepBack = (): number => usual - offset();
  /**
   * The database's marker of the last handled step back, as read before any step that this process has not handled.
   */
  let turn = '';
  let notedAt = performance.now();

  const note = async (): Promise<void> => {
    notedAt = performance.now();
    const last = await db.write(async (trx) => {
      await noteTime(trx, Date.now());
      return lastTurn(trx);
    });
    // Another process may have handled a step that this one notices only at its next check.
    if (stepBack() <= TOLERANCE_MS) turn = last;
  };
  const look = async (): Promise<void> => {
    const wentBack = stepBack();
    if (wentBack > TOLERANCE_MS) await settle(wentBack);
    // Only after success: the next check retries a step that could not be handled.
    usual -= wentBack;
    const wentForward = wentBack < -TOLERANCE_MS;
    if (wentForward) log.warn({ seconds: Math.round(-wentBack / 1000) }, 'the system clock went forward');
    // After a step forward, the clock may go back before the next regular note.
    if (Math.abs(wentBack) > TOLERANCE_MS || performance.now() - notedAt >= NOTE_MS) await note();
  };
  const complain = (error: unknown) => log.warn({ err: error }, 'the time could not be recorded');

  await settle(0);
  await note();
  let looking: Promise<void> | null = null;
  const looks = setInterval(() => {
    looking ??= look()
      .catch(complain)
      .finally(() => {
        looking = null;
      });
  }, LOOK_MS).unref();
  return {
    stop: async () => {
      clearInterval(looks);
      await looking;
      await note().catch(complain);
    },
  };
}
