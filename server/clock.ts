import { keepDistances, noteTime, takeTimeBack } from '../db/clock.js';
import type { Db } from '../db/connect.js';
import type { Logger } from './logger.js';

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
  const settle = async (expected: number): Promise<void> => {
    const at = Date.now();
    const before = await db.write(async (trx) => {
      const noted = await takeTimeBack(trx, at, TOLERANCE_MS);
      if (noted !== null) await keepDistances(trx, Math.max(noted, expected), at);
      return noted;
    });
    if (before !== null) log.warn({ before: new Date(before).toISOString() }, 'the clock has gone back');
  };
  const note = () => db.write((trx) => noteTime(trx, Date.now()));
  const complain = (error: unknown) => log.warn({ err: error }, 'the time could not be noted');

  await settle(Date.now());
  await note();
  // The time on the wall less the time since the start: it changes when somebody sets the clock.
  const offset = (): number => Date.now() - performance.now();
  let usual = offset();
  const look = setInterval(() => {
    const wentBack = usual - offset();
    usual = offset();
    if (wentBack > TOLERANCE_MS) settle(Date.now() + wentBack).catch(complain);
    else if (wentBack < -TOLERANCE_MS) {
      log.warn({ seconds: Math.round(-wentBack / 1000) }, 'the clock has gone forward');
      // It may go back before the next note.
      note().catch(complain);
    }
  }, LOOK_MS).unref();
  const noting = setInterval(() => note().catch(complain), NOTE_MS).unref();
  return {
    stop: async () => {
      clearInterval(look);
      clearInterval(noting);
      await note().catch(complain);
    },
  };
}
