import { createHmac, randomBytes } from 'node:crypto';
import type { ItemPasswords, Passwords } from '../../routers/ports/secrets.js';

/** How many right passwords are remembered at once, and for how long. */
const REMEMBERED = { count: 10_000, ms: 5 * 60 * 1000 } as const;

/**
 * Checks passwords of items, and remembers those that were right for a while: who seeks in a film shows the password
 * with every range. What is kept is a keyed digest of the hash and the password, which only a process knows; a changed
 * password has another hash, so that nothing remembered is ever out of date.
 */
export function createItemPasswords(
  passwords: Pick<Passwords, 'verify'>,
  { count, ms }: { readonly count: number; readonly ms: number } = REMEMBERED,
): ItemPasswords {
  const key = randomBytes(32);
  /** Until when something is remembered, the oldest first. */
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
