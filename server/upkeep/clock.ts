import {
  lastTurn,
  noteExpected,
  noteTime,
  redateVisits,
  shiftDeadlines,
  takeTimeBack,
} from '../../db/clock.js';
import type { Db } from '../../db/connect.js';
import { takeCollectedBack } from '../../db/mail-token.js';
import type { Logger } from '../logger.js';

/** Clocks are set by less than that every day; it harms nothing. */
const TOLERANCE_MS = 60_000;
const LOOK_MS = 1_000;
/** The database learns the time this often, for the next start. */
const NOTE_MS = 5 * 60_000;

/** Watches the clock of this machine. */
export interface ClockWatch {
  /** Notes the time and looks no more. */
  stop(): Promise<void>;
}

/**
 * Sees to it that a clock that goes back by more than a minute, while the process runs or before it started,
 * neither keeps anything waiting for the time it went back by nor lets a secret live again. Resolves once what
 * happened before the start is settled.
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
  // The time on the wall less the time since the start: it changes when somebody sets the clock.
  const offset = (): number => Date.now() - performance.now();
  let usual = offset();
  const stepBack = (): number => usual - offset();
  /** The last time anybody took the time back, as known before any step that is not settled here. */
  let turn = '';
  let notedAt = performance.now();

  const note = async (): Promise<void> => {
    notedAt = performance.now();
    const last = await db.write(async (trx) => {
      await noteTime(trx, Date.now());
      return lastTurn(trx);
    });
    // Somebody else may have settled meanwhile what is only seen here by the next look.
    if (stepBack() <= TOLERANCE_MS) turn = last;
  };
  const look = async (): Promise<void> => {
    const wentBack = stepBack();
    if (wentBack > TOLERANCE_MS) await settle(wentBack);
    // Only now: what could not be settled is seen again by the next look.
    usual -= wentBack;
    const wentForward = wentBack < -TOLERANCE_MS;
    if (wentForward) log.warn({ seconds: Math.round(-wentBack / 1000) }, 'the system clock went forward');
    // After a step forward the clock may go back before the next note.
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
