import { createHmac, randomBytes } from 'node:crypto';
import type { ItemPasswords, Passwords } from '../../routers/ports/secrets.js';

/** How many correct passwords are remembered, and for how long. */
const REMEMBERED = { count: 10_000, ms: 5 * 60 * 1000 } as const;

/**
 * Checks passwords of items and remembers correct ones for a while, because seeking in a video sends the password
 * with every range request. Entries are digests of hash and password, with a key that only this process has. A
 * changed password has a different hash, so entries are never outdated.
 */
export function createItemPasswords(
  passwords: Pick<Passwords, 'verify'>,
  { count, ms }: { readonly count: number; readonly ms: number } = REMEMBERED,
): ItemPasswords {
  const key = randomBytes(32);
  /** Expiry times by digest, oldest first. */
  const right = new Map<string, number>();

  return {
    verify: async (hash, password) => {
      const digest = createHmac('sha256', key).update(`${hash}\n${password}`).digest('base64');
      if ((right.get(digest) ?? 0) > performance.now()) return true;
      if (!(await passwords.verify(hash, password))) return false;
      right.delete(digest);
      right.set(digest, performance.now() + ms);
      for (const oldest of right.keys()) {
        if (right.size <= count) break;
        right.delete(oldest);
      }
      return true;
    },
  };
}
