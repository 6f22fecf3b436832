import type { Measured } from './load.js';

/**
 * Does `work` for each item with constant concurrency `limit`, and returns the duration. An error ends it.
 */
export async function timed<T>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<Measured> {
  const left = items.values();
  const took: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: limit }, async () => {
      for (const item of left) {
        const began = performance.now();
        await work(item);
        took.push(performance.now() - began);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.ceil(share * took.length) - 1] ?? 0;
  return {
    requests: items.length,
    perSecond: items.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    errors: 0,
  };
}
