import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from './context.js';
import { fail } from './errors.js';

/** Large answers of a process, from being built until the last client has taken them; a quarter of it for one caller. */
export const ANSWER_MEMORY_BYTES = 256 * 1024 * 1024;

/** Answers below this need no place in it. */
const SMALL_BYTES = 256 * 1024;

/**
 * Counts the memory of a large answer until its caller has taken it, before it is built. 503 while too much has not been
 * taken, by this caller or by all.
 */
export function holdAnswer(ctx: Context, bytes: number): void {
  const held = ctx.app.answerMemory.take(bytes, ctx.network);
  ctx.whenOver(held ?? fail('UNAVAILABLE', { retryAfter: 1 }));
}

/**
 * Builds an answer that takes about so many bytes. Large ones count as with `holdAnswer` and are built one after the
 * other, with a turn for everybody else between two of them: building one may take a tenth of a second of the processor.
 */
export async function buildAnswer<T>(ctx: Context, bytes: number, build: () => Promise<T>): Promise<T> {
  if (bytes <= SMALL_BYTES) return build();
  return ctx.app.largeAnswerLimit(async () => {
    await nextTurn();
    // Only now: what waits for its turn takes no memory yet.
    holdAnswer(ctx, bytes);
    return build();
  });
}
