/** Of things that do not wait for each other, and of which a sweep may have thousands. */
const AT_ONCE = 8;

/** Does the same with each of these, several at once. Fails with the first error. */
export async function inLanes<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items].values();
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
