import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from './error-code.js';
import type { Write } from './write.js';

/** How long a unit is repeated, in milliseconds: less than anybody waits for an answer. */
const PATIENCE_MS = 8_000;
/** The longest pause; each is of random length, and they become longer. */
const FIRST_MS = 5;
const LONGEST_MS = 200;

/**
 * As `write`, for databases that give back (`40001`) whatever touches the same rows at once: a unit is repeated after a pause
 * until it is done, or nobody waits for it any more.
 */
export function patiently(write: Write): Write {
  return async (unit) => {
    const end = performance.now() + PATIENCE_MS;
    for (let pause = FIRST_MS; ; pause = Math.min(2 * pause, LONGEST_MS)) {
      try {
        return await write(unit);
      } catch (error) {
        if (codeOf(error) !== '40001' || performance.now() > end) throw error;
        await delay(pause * Math.random());
      }
    }
  };
}
