import { ACTIONS, type Actor } from './actions.js';
import { Unexpected } from './client.js';

const WORKERS = 12;

/**
 * Puts mixed load on a server until it dies. The ledger records only what was acknowledged; requests in
 * progress at the end may or may not have taken effect. Rejects if the server gives a wrong answer.
 */
export async function runLoad(actor: Actor): Promise<void> {
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (;;) {
        try {
          await actAtRandom(actor);
          actor.ledger.acknowledged += 1;
        } catch (error) {
          if (isPutOff(error)) continue;
          if (error instanceof Unexpected || error instanceof RangeError) throw error;
          return;
        }
      }
    }),
  );
}

/**
 * Bytes whose removal was interrupted when a process died are locked for some minutes (ADR 6): retry later.
 */
const isPutOff = (error: unknown): boolean =>
  error instanceof Unexpected &&
  error.answer.status === 503 &&
  error.message.startsWith('POST /image/upload');

const TOTAL = ACTIONS.reduce((sum, [share]) => sum + share, 0);

/** Makes one of the requests, chosen by its share of the load. */
export async function actAtRandom(actor: Actor): Promise<void> {
  let left = actor.random.between(0, TOTAL);
  const chosen = ACTIONS.find(([share]) => {
    left -= share;
    return left < 0;
  });
  if (chosen === undefined) throw new Error('there are no actions');
  await chosen[1](actor);
}
