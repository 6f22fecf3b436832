/**
 * Lets something happen just before the next call of a method, and so brings about an order of things that chance
 * brings about rarely. The method itself stays what it is.
 */
// biome-ignore lint/suspicious/noExplicitAny: methods of every shape
export function justBefore(target: any, method: string, happen: () => Promise<unknown>): void {
  const original = target[method];
  target[method] = async (...args: unknown[]) => {
    target[method] = original;
    await happen();
    return original.apply(target, args);
  };
}
