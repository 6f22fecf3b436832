import type { Limit, Limits } from './ports/limits.js';

/** A limit and the subject that it counts. */
export type Count = readonly [limit: Limit, subject: string];

/**
 * Takes a point of several limits, in this order. The limit by the caller's address comes first, so that a caller who is
 * refused there adds no counts under names of their choice. When one refuses, the points of those before are refunded.
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

/** Runs an attempt that is counted. One that fails with an error, because the server is busy for instance, is not. */
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
