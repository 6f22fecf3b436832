import type { User } from '../../../db/account/account.js';
import { proveSession, sessionProvenAt } from '../../../db/account/session.js';
import { fail } from '../../base/errors.js';
import { accountOf, lockAccount } from '../../core/accounts/people.js';
import type { AccountContext } from '../../core/context.js';
import { requireMainCredential } from '../../core/scopes.js';
import { confirmPassword, requireSamePassword } from './password.js';

/** How long a sign-in or a confirmed password proves that the holder is there. */
const FRESH_MS = 10 * 60 * 1000;

/**
 * Requires proof that the holder of the account is there, and not somebody at an unattended device or with a stolen
 * key: the password, or a session that is less than ten minutes old or was confirmed since.
 */
export async function requireProof(ctx: AccountContext, password: string | null | undefined): Promise<User> {
  const { app, account } = ctx;
  requireMainCredential(account);
  if (typeof password === 'string' && password !== '') return confirmPassword(ctx, password);
  if (!(await isProven(ctx))) fail('PROOF_REQUIRED');
  return accountOf(app, account.id);
}

/** Whether the session of the caller is proof enough, so that the password need not be asked for. */
export async function isProven({ app, account }: AccountContext): Promise<boolean> {
  const provenAt = account.sessionId === null ? null : await sessionProvenAt(app.db.read, account.sessionId);
  return provenAt !== null && Date.now() - provenAt <= FRESH_MS;
}

/** Refuses if the account was given another password since `requireProof`. */
export const requireStillProven = requireSamePassword;

/** Confirms the caller's session with the password, for what needs proof. */
export async function confirmSession(ctx: AccountContext, password: string): Promise<void> {
  const { app, account } = ctx;
  const { sessionId } = account;
  if (sessionId === null)
    fail('INVALID', 'Only a session can be confirmed; send the password with the request');
  const user = await confirmPassword(ctx, password);
  await app.db.write(async (trx) => {
    requireSamePassword(user, await lockAccount(app, trx, account.id));
    if (!(await proveSession(trx, sessionId, Date.now()))) fail('UNAUTHENTICATED');
  });
}
