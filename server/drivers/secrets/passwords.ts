import type { Passwords } from '../../../routers/base/ports/secrets.js';
import { createConcurrencyLimit } from '../../../routers/base/turns.js';

/**
 * Concurrent hashes of account passwords: each uses a CPU core for about 20 ms and 19 MiB of memory. Passwords of items
 * have turns of their own (`item-password.ts`), so that sign-in never waits for them.
 */
const AT_ONCE = 2;
/** Maximum queued callers; further ones are refused as busy. */
const WAITING = 200;

/** A valid hash that no known password matches, for accounts that do not exist. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$c29tZXJhbmRvbXNhbHQ$J6m5Zq3oNHzUC3D0yXlJ8Yf2Q0m0rK4fG1b7m2cYx1o';

const argon2 = () => import('@node-rs/argon2');
// The library's defaults are set explicitly, so that an update cannot weaken them.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes as many other products make them. */
const isBcrypt = (hash: string): boolean => /^\$2[aby]\$/.test(hash);

/** The hash itself, argon2id with m=19 MiB, t=2, p=1, off the event loop; its callers limit how many run. */
export const argon2id = {
  hash: async (password: string): Promise<string> => (await argon2()).hash(password, options),
  /** Also for hashes that came from another product. */
  verify: async (hash: string, password: string): Promise<boolean> =>
    isBcrypt(hash)
      ? (await import('@node-rs/bcrypt')).verify(password, hash)
      : (await argon2()).verify(hash, password),
};

/** Passwords of accounts, with limited concurrency. */
export function createPasswords(): Passwords {
  const gate = createConcurrencyLimit({ atOnce: AT_ONCE, waiting: WAITING });
  return {
    hash: (password) => gate(() => argon2id.hash(password)),
    isForeign: (hash) => !hash.startsWith('$argon2id$'),
    verify: (hash, password) => gate(() => argon2id.verify(hash, password)),
    verifyNothing: (password) =>
      gate(async (): Promise<false> => {
        await argon2id.verify(NOBODY, password);
        return false;
      }),
  };
}
