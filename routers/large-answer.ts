import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from './context.js';
import { fail } from './errors.js';

/** Memory of a process for large responses, from building to the last client's receipt; a quarter for one caller. */
export const ANSWER_MEMORY_BYTES = 256 * 1024 * 1024;

/** Smaller responses are not counted. */
const SMALL_BYTES = 256 * 1024;

/**
 * Counts the memory of a large response, from before it is built until its caller has received it. 503 while
 * too much is waiting to be received, by this caller or by all.
 */
export function holdAnswer(ctx: Context, bytes: number): void {
  const held = ctx.app.answerMemory.take(bytes, ctx.network());
  ctx.whenOver(held ?? fail('UNAVAILABLE', { retryAfter: 1 }));
}

/**
 * Builds a response of about this many bytes. Large ones are counted as in `holdAnswer` and built one after
 * another, yielding to other work in between: building one may take a tenth of a second of CPU time.
 */
export async function buildAnswer<T>(ctx: Context, bytes: number, build: () => Promise<T>): Promise<T> {
  if (bytes <= SMALL_BYTES) return build();
  return ctx.app.largeAnswerLimit(async () => {
    await nextTurn();
    // Only now, because queued responses use no memory yet.
    holdAnswer(ctx, bytes);
    return build();
  });
}
