import type { Limit, Limits } from './ports/limits.js';

/** One limit, and whom or what it counts. */
export type Count = readonly [limit: Limit, subject: string];

/**
 * Takes a point of several limits, in this order: where one counts the caller's address it stands first, so that whoever
 * is refused there adds nothing under names of their own choosing. What one refuses is given back to those before it.
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

/** Does what is counted as a try. One that comes to nothing, because the server is busy for instance, counts for nothing. */
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

/** Gives back a point of each limit. */
export async function refundAll(limits: Limits, counts: readonly Count[]): Promise<void> {
  for (const count of counts) await limits.refund(...count);
}
