import type { Limit, Limits } from '../base/ports/limits.js';

/** A limit and the subject it is counted for. */
export type Count = readonly [limit: Limit, subject: string];

/**
 * Takes a point of several limits, in this order. Put the limit by the caller's address first, so that a
 * caller refused there cannot create counts under arbitrary names. If one refuses, the points taken before
 * are refunded.
 */
export async function takeAll(limits: Limits, counts: readonly Count[]): Promise<void> {
  for (const [index, count] of counts.entries()) {
    try {
      await limits.take(...count);
    } catch (error) {
      await refundAll(limits, counts.slice(0, index));
      throw error;
    }
  }
}

/** Runs a counted attempt. If it fails with an error, such as a busy server, it is refunded. */
export async function countAttempt<T>(
  limits: Limits,
  counts: readonly Count[],
  work: () => Promise<T>,
): Promise<T> {
  await takeAll(limits, counts);
  try {
    return await work();
  } catch (error) {
    await refundAll(limits, counts);
    throw error;
  }
}

/** Refunds a point of each limit. */
export async function refundAll(limits: Limits, counts: readonly Count[]): Promise<void> {
  for (const count of counts) await limits.refund(...count);
}
