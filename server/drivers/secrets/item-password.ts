import { createHmac, randomBytes } from 'node:crypto';
import type { ItemPasswords } from '../../../routers/base/ports/secrets.js';
import { createTurns } from '../../../routers/base/turns.js';
import { argon2id } from './passwords.js';

/** How many correct passwords are remembered, and for how long. */
const REMEMBERED = { count: 10_000, ms: 5 * 60 * 1000 } as const;

/** One hash at a time, so that most processor time is left for sign-in; one network or account has a part of the line. */
const TURNS = { atOnce: 1, waiting: 256, patienceMs: 15_000, perHolder: 64 } as const;

/**
 * Hashes and checks passwords of items and remembers correct ones for a while, because seeking in a video sends the password
 * with every range request. Entries are digests of hash and password, with a key that only this process has. A
 * changed password has a different hash, so entries are never outdated.
 */
export function createItemPasswords({
  count,
  ms,
}: {
  readonly count: number;
  readonly ms: number;
} = REMEMBERED): ItemPasswords {
  const turns = createTurns(TURNS);
  const key = randomBytes(32);
  /** Expiry times by digest, oldest first. */
  const right = new Map<string, number>();

  return {
    hash: (password, holder) => turns(holder, () => argon2id.hash(password)),
    verify: async (hash, password, holder) => {
      const digest = createHmac('sha256', key).update(`${hash}\n${password}`).digest('base64');
      if ((right.get(digest) ?? 0) > performance.now()) return true;
      if (!(await turns(holder, () => argon2id.verify(hash, password)))) return false;
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
