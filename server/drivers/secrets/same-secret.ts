import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares secrets in a time that does not depend on their content or length. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
