import { randomBytes } from 'node:crypto';
import { updateUser, userByEmail, userByUsername } from '../../../db/account/account.js';
import { importedAs, noteImported } from '../../../db/content/imported.js';
import { asciiAddress, emailInput, usernameInput } from '../../../routers/core/accounts/fields.js';
import type { Services } from '../../../routers/core/context.js';
import { createAccount } from '../../../routers/features/auth/accounts.js';
import { ImportError, type SourceAccount } from './port.js';
import { doubtsAbout } from './tables/doubts.js';

/** What became of an account. */
export interface MappedAccount {
  /** The account here; null in a dry run, if it would be created. */
  readonly id: number | null;
  readonly username: string;
  readonly what: 'known' | 'created' | 'without password';
  /** Why it cannot be used before it is activated; null if it can. */
  readonly pending: string | null;
}

/** The domain of addresses of accounts that come without one; no mail reaches it (RFC 2606). */
const NO_MAIL = 'import.invalid';
const MAX_NAME = 32;

/**
 * The account here that stands for one of another product: the one that an earlier import made, or one with the same
 * address, or without an address the same name, or a new one with the role USER, whatever it was there.
 */
export async function mapAccount(
  app: Services,
  source: string,
  account: SourceAccount,
  dryRun: boolean,
): Promise<MappedAccount> {
  const key = `account ${account.key}`;
  const before = await importedAs(app.db.read, source, key);
  if (before !== null) return { id: before, username: account.username, what: 'known', pending: null };
  const email = emailInput.safeParse(account.email).data ?? null;
  const [doubt] = doubtsAbout(account.rows);
  const pending = account.isConfirmed ? (doubt ?? null) : 'its address was never confirmed';
  // Whoever has not confirmed an address may not be the one who has it here.
  const same = account.isConfirmed ? await sameAccount(app, account.username, email) : null;
  if (same !== null) return { id: same.id, username: same.username, what: 'known', pending: null };
  const username = await freeName(app, account.username);
  const what = account.passwordHash === null ? 'without password' : 'created';
  if (dryRun) return { id: null, username, what, pending };
  const isFree = email !== null && (await userByEmail(app.db.read, asciiAddress(email))) === null;
  // Nobody knows the password of an account without one: an administrator sets it, or its owner by mail.
  const passwordHash =
    account.passwordHash ?? (await app.passwords.hash(randomBytes(32).toString('base64url')));
  const id = await app.db.write(async (trx) => {
    const made = await createAccount(app, trx, {
      username,
      email: isFree ? email : `${username.toLowerCase()}@${NO_MAIL}`,
      passwordHash,
      role: 'USER',
      status: pending === null ? 'ACTIVE' : 'PENDING',
      invitedBy: null,
      apiKey: null,
    });
    if (account.isBanned) await updateUser(trx, made, { role: 'BANNED' });
    await noteImported(trx, { source, key, kind: 'account', itemId: made });
    return made;
  });
  return { id, username, what, pending };
}

/** The account of the same person: an address that was verified here decides, and the name only without one. */
async function sameAccount(app: Services, username: string, email: string | null) {
  if (email === null) return userByUsername(app.db.read, username);
  const holder = await userByEmail(app.db.read, asciiAddress(email));
  if (holder !== null && holder.status !== 'ACTIVE')
    throw new ImportError(`the account ${holder.username} has the address ${email}, but has not verified it`);
  return holder;
}

/** The name in letters that are allowed here, and with a number if somebody else has it. */
async function freeName(app: Services, name: string): Promise<string> {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_.-]/g, '')
    .slice(0, MAX_NAME);
  const base = usernameInput.safeParse(plain).success
    ? plain
    : `user-${plain}`.slice(0, MAX_NAME).replace(/-$/, '');
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? base : `${base.slice(0, MAX_NAME - 6)}-${number}`;
    const taken =
      (await userByUsername(app.db.read, tried)) ??
      (await userByEmail(app.db.read, `${tried.toLowerCase()}@${NO_MAIL}`));
    if (taken === null) return tried;
  }
}
