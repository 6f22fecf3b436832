import { deleteCodes, isLiveLink, takeLink } from '../../db/code.js';
import type { Queryable } from '../../db/connect.js';
import { deleteSessionsOf } from '../../db/credential.js';
import { deleteOauthStatesOf } from '../../db/oauth-state.js';
import { foldCase, lockUser, type User, updateUser, userByEmail } from '../../db/user.js';
import { audit } from '../audit.js';
import { forgetChatLink } from '../chatapp/link.js';
import type { Context, Services } from '../context.js';
import { fail } from '../errors.js';
import { countAttempt, takeAll } from '../limits.js';
import { accountOf, lockAccount } from '../people.js';
import { isShutOut } from '../roles.js';
import type { AccountContext } from '../trpc.js';
import { queueReset } from './codes.js';
import { loginSubject } from './login.js';
import { hashSecret } from './secrets.js';
import { openSession, setSessionCookie } from './session.js';

/** Checks the caller's password again and returns the account; attempts count as login attempts. */
export async function confirmPassword(ctx: AccountContext, password: string): Promise<User> {
  const { app } = ctx;
  const user = await accountOf(app, ctx.account.id);
  const subject = loginSubject(ctx, user.email);
  const check = () => app.passwords.verify(user.passwordHash, password);
  if (!(await countAttempt(app.limits, [['login', subject]], check))) fail('PASSWORD_WRONG');
  await app.limits.clear('login', subject);
  return user;
}

/** Refuses if the password has changed since it was confirmed. */
export function requireSamePassword(confirmed: User, current: User): void {
  if (current.passwordHash !== confirmed.passwordHash) fail('PASSWORD_WRONG');
}

/** Ends all sign-ins of an account: its sessions, and what `endWaysIn` ends. */
export async function endSignIns(trx: Queryable, userId: number): Promise<void> {
  await deleteSessionsOf(trx, userId);
  await endWaysIn(trx, userId);
}

/** Ends pending ways to sign in: mailed codes and links, and started chat logins. */
export async function endWaysIn(trx: Queryable, userId: number): Promise<void> {
  await deleteCodes(trx, userId);
  await deleteOauthStatesOf(trx, userId);
}

/** Sets a new password and ends every sign-in with the old one. */
async function replacePassword(trx: Queryable, userId: number, passwordHash: string): Promise<void> {
  await updateUser(trx, userId, { passwordHash });
  await endSignIns(trx, userId);
}

/**
 * Changes the caller's password. Every session ends; a caller with a session gets a new one. A linked chat
 * account stays: a user who knows the old password was told about it and can remove it.
 */
export async function changePassword(
  ctx: AccountContext,
  input: { readonly currentPassword: string; readonly newPassword: string },
): Promise<void> {
  const { app } = ctx;
  const user = await confirmPassword(ctx, input.currentPassword);
  const passwordHash = await app.passwords.hash(input.newPassword);
  const bySession = ctx.account.sessionId !== null;
  const token = await app.db.write(async (trx) => {
    requireSamePassword(user, await lockAccount(app, trx, user.id));
    await replacePassword(trx, user.id, passwordHash);
    await audit(ctx, trx, 'password.changed', { subject: user.id });
    return bySession ? openSession(ctx, trx, user.id) : null;
  });
  if (token !== null) setSessionCookie(ctx, token);
}

/**
 * Queues a reset mail. The account lookup happens in a background job, so that neither the response nor its
 * time reveals whether the address has an account.
 */
export async function requestReset(ctx: Context, email: string): Promise<void> {
  const { app } = ctx;
  await takeAll(app.limits, [
    ['codeAddress', `reset|${ctx.network()}`],
    // Limited per caller, so that others who request the same account do not lock out its owner.
    ['mail', `reset|${foldCase(email)}|${ctx.network()}`],
  ]);
  await app.db.write((trx) => app.jobs.add(trx, 'passwordReset', { email }));
  app.jobs.kick();
}

/** Mails a reset link if an account with this address may sign in. */
export async function mailReset(app: Services, email: string): Promise<void> {
  const user = await userByEmail(app.db.read, email);
  if (user === null || isShutOut(user.role)) return;
  await app.db.write((trx) => queueReset(app, trx, user));
}

/**
 * Sets a new password with the link of a reset mail; 400 if the link is wrong, used or expired. Also removes
 * the linked chat account, which an intruder may have linked.
 */
export async function confirmReset(
  ctx: Context,
  input: { readonly code: string; readonly password: string },
): Promise<void> {
  const { app } = ctx;
  await app.limits.take('codeAddress', `reset|${ctx.network()}`);
  const link = hashSecret(input.code);
  if (!(await isLiveLink(app.db.read, 'reset', link, Date.now()))) fail('CODE_INVALID');
  const passwordHash = await app.passwords.hash(input.password);
  const user = await app.db.write(async (trx) => {
    const taken = await takeLink(trx, 'reset', link, Date.now());
    const account = taken === null ? null : await lockUser(app.db, trx, taken.userId);
    if (account === null || foldCase(account.email) !== taken?.emailKey) return fail('CODE_INVALID');
    if (isShutOut(account.role)) fail('ACCOUNT_INACTIVE');
    await replacePassword(trx, account.id, passwordHash);
    await forgetChatLink(ctx, trx, account.id);
    await audit(ctx, trx, 'password.reset', { actor: account.id, subject: account.id });
    return account;
  });
  app.jobs.kick();
  // A user who forgot the password has probably tried some: the new one must work at once.
  await app.limits.clear('login', loginSubject(ctx, user.email));
}
