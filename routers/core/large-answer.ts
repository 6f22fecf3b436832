import { setImmediate as nextTurn } from 'node:timers/promises';
import { fail } from '../base/errors.js';
import type { Context } from './context.js';

/** Memory of a process for large responses, from building to the last client's receipt; a quarter for one caller. */
export const ANSWER_MEMORY_BYTES = 256 * 1024 * 1024;

/** Maximum size of all answers of one batch together, in bytes. The first may be larger, as it may be alone. */
const BATCH_BYTES = 32 * 1024 * 1024;
const TOO_MUCH = 'The answers of this batch are too large together, ask for fewer at once';

/** Smaller responses are not counted. */
const SMALL_BYTES = 256 * 1024;

/**
 * Counts the memory of a large response, from before it is built until its caller has received it. 503 while
 * too much is waiting to be received, by this caller or by all.
 */
export function holdAnswer(ctx: Context, bytes: number): void {
  const { batch } = ctx;
  const held = ctx.app.limits.answerMemory.take(bytes, ctx.network());
  // Waiting does not help a batch that itself holds what is missing.
  if (held === null && batch !== null && batch.held + bytes > BATCH_BYTES) fail('TOO_LARGE', TOO_MUCH);
  ctx.onFinished(held ?? fail('UNAVAILABLE', { retryAfter: 1 }));
  if (batch !== null) batch.held += bytes;
}

/** Memory of an answer in a batch, as a multiple of its size: as JSON and as the response. */
const BATCH_FACTOR = 2;

/**
 * Counts an answer of a batch; 413 for one that makes all answers together too large, so that many calls cost no more
 * than a few. Memory that the procedure did not count itself is counted here.
 */
export function countInBatch(ctx: Context, output: unknown): void {
  const { batch } = ctx;
  if (batch === null || output === undefined) return;
  const bytes = Buffer.byteLength(JSON.stringify(output));
  if (batch.answers > 0 && batch.answers + bytes > BATCH_BYTES) fail('TOO_LARGE', TOO_MUCH);
  batch.answers += bytes;
  const uncounted = BATCH_FACTOR * batch.answers - batch.held;
  if (uncounted > SMALL_BYTES) holdAnswer(ctx, uncounted);
}

/**
 * Builds a response of about this many bytes. Large ones are counted as in `holdAnswer` and built one after
 * another, yielding to other work in between: building one may take a tenth of a second of CPU time.
 */
export async function buildAnswer<T>(ctx: Context, bytes: number, build: () => Promise<T>): Promise<T> {
  if (bytes <= SMALL_BYTES) return build();
  return ctx.app.limits.largeAnswers(async () => {
    await nextTurn();
    // Only now, because queued responses use no memory yet.
    holdAnswer(ctx, bytes);
    return build();
  });
}
