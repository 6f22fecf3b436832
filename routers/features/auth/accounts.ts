import {
  foldCase,
  insertUser,
  type UserStatus,
  userByEmail,
  userByUsername,
} from '../../../db/account/account.js';
import { insertMainKey } from '../../../db/account/main-key.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { mailboxHolders } from '../../../db/mail/mailbox.js';
import { fail } from '../../base/errors.js';
import type { Role } from '../../base/roles.js';
import type { Services } from '../../core/context.js';
import { hashApiKey, newApiKey } from '../../core/secrets.js';

/** A new account; its password is already hashed. */
interface AccountDraft {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly status: UserStatus;
  readonly invitedBy: number | null;
  /** Null generates a random one. */
  readonly apiKey: string | null;
}

/**
 * Runs a unit that gives an account its name or address. Concurrent requests for the same one violate a
 * unique index, which aborts a PostgreSQL transaction, so the lookup of what was taken happens outside of it.
 */
export async function writeUnique<T>(
  app: Services,
  wanted: { readonly username?: string | undefined },
  unit: (trx: Queryable) => Promise<T>,
): Promise<T> {
  try {
    return await app.db.write(unit);
  } catch (error) {
    if (!app.db.dialect.isUniqueViolation(error)) throw error;
    const { username } = wanted;
    const named = username !== undefined && (await userByUsername(app.db.read, username)) !== null;
    return fail(named ? 'USERNAME_TAKEN' : 'EMAIL_TAKEN', { cause: error });
  }
}

/**
 * Refuses an address that another account has, or that is a mailbox here of somebody else: who reads its mail could
 * reset the password. `userId` is the account that wants it; null if it does not exist yet.
 */
export async function requireFreeAddress(
  trx: Queryable,
  email: string,
  userId: number | null,
): Promise<void> {
  if ((await userByEmail(trx, email)) !== null) fail('EMAIL_TAKEN');
  const holders = await mailboxHolders(trx, foldCase(email));
  if (holders.some((holder) => holder !== userId))
    fail('EMAIL_TAKEN', 'This address is a mailbox of this service');
}

/**
 * Inserts an account with its main API key in the given transaction; returns its id. Refuses a taken name or
 * address; the unique indexes decide between concurrent registrations (`writeUnique`).
 */
export async function createAccount(app: Services, trx: Queryable, draft: AccountDraft): Promise<number> {
  if ((await userByUsername(trx, draft.username)) !== null) fail('USERNAME_TAKEN');
  await requireFreeAddress(trx, draft.email, null);
  const createdAt = Date.now();
  const userId = await insertUser(trx, { ...draft, createdAt });
  const key = (draft.apiKey ?? newApiKey()).trim().toLowerCase();
  await insertMainKey(trx, { userId, hash: hashApiKey(key), cipher: app.secrets.encrypt(key), createdAt });
  return userId;
}
