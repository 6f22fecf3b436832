/**
 * Runs `work` for each item in order, `limit` of them at once; returns the results in order. Fails with the
 * first error after the running ones have finished.
 */
export async function mapLimit<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += limit) {
    const batch = await Promise.allSettled(items.slice(start, start + limit).map(work));
    for (const outcome of batch) {
      if (outcome.status === 'rejected') throw outcome.reason;
      results.push(outcome.value);
    }
  }
  return results;
}
