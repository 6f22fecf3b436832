/**
 * Prints a line that says what is skipped, and why; the runner counts these lines. With CI=true nothing may
 * be skipped, and it throws.
 */
export function skipping(reason: string): void {
  console.log(`# skipped: ${reason}`);
  if (process.env.CI === 'true') throw new Error(`where CI=true nothing is skipped: ${reason}`);
}
