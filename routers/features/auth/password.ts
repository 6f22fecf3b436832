import { z } from 'zod';
import { foldCase, lockUser, type User, updateUser, userByEmail } from '../../../db/account/account.js';
import { addressOfLink, isLiveLink, takeLink } from '../../../db/account/code.js';
import { fail } from '../../base/errors.js';
import { acceptedLanguage } from '../../base/language/languages.js';
import type { JobPayloads } from '../../base/ports/jobs.js';
import { isShutOut } from '../../base/roles.js';
import { accountOf, lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { requireOutgoing } from '../../core/outgoing.js';
import { countAttempt, takeAll } from '../../core/rate-limits.js';
import { requireMainCredential } from '../../core/scopes.js';
import { hashSecret } from '../../core/secrets.js';
import { queueReset } from './codes.js';
import { type EndedAccess, endAccess, endSignIns } from './ending.js';
import { giveNewKey } from './key.js';
import { loginSubject } from './login.js';
import { openSession, setSessionCookie } from './session.js';
import { requireOffered } from './ways.js';

/** Checks the caller's password again and returns the account; attempts count as login attempts. */
export async function confirmPassword(ctx: AccountContext, password: string): Promise<User> {
  const { app } = ctx;
  const user = await accountOf(app, ctx.account.id);
  const subject = loginSubject(ctx, user.email);
  const check = () => app.passwords.verify(user.passwordHash, password);
  if (!(await countAttempt(app.limits.rates, [['login', subject]], check))) fail('PASSWORD_WRONG');
  await app.limits.rates.clear('login', subject);
  return user;
}

/** Refuses if the password has changed since it was confirmed. */
export function requireSamePassword(confirmed: User, current: User): void {
  if (current.passwordHash !== confirmed.passwordHash) fail('PASSWORD_WRONG');
}

/** What a changed password is answered with: the new API key, if one was wanted. */
export const changedPassword = z.object({ apiKey: z.string().optional() });

/**
 * Changes the caller's password. Every session ends; a caller with a session gets a new one. On request the API key
 * is replaced, too, and returned. A linked chat account stays: a user who knows the old password was told about it and
 * can remove it.
 */
export async function changePassword(
  ctx: AccountContext,
  input: { readonly currentPassword: string; readonly newPassword: string; readonly replaceKey: boolean },
): Promise<z.output<typeof changedPassword>> {
  const { app } = ctx;
  if (input.replaceKey) requireMainCredential(ctx.account);
  const user = await confirmPassword(ctx, input.currentPassword);
  const passwordHash = await app.passwords.hash(input.newPassword);
  const bySession = ctx.account.sessionId !== null;
  const { token, apiKey } = await app.db.write(async (trx) => {
    requireSamePassword(user, await lockAccount(app, trx, user.id));
    await updateUser(trx, user.id, { passwordHash });
    const sessions = await endSignIns(trx, user.id);
    await audit(ctx, trx, 'password.changed', { subject: user.id, info: { sessions } });
    await notifyHolder(app, trx, user, { what: 'passwordChanged' });
    const apiKey = input.replaceKey ? await giveNewKey(app, trx, user.id) : null;
    if (apiKey !== null) await audit(ctx, trx, 'key.replaced', { subject: user.id });
    return { token: bySession ? await openSession(ctx, trx, user.id) : null, apiKey };
  });
  app.jobs.kick();
  if (token !== null) setSessionCookie(ctx, token);
  return apiKey === null ? {} : { apiKey };
}

/**
 * Queues a reset mail. The account lookup happens in a background job, so that neither the response nor its
 * time reveals whether the address has an account.
 */
export async function requestReset(ctx: Context, email: string): Promise<void> {
  const { app } = ctx;
  requireOffered(app, 'password');
  requireOutgoing(app);
  await takeAll(app.limits.rates, [
    ['codeAddress', `reset|${ctx.network()}`],
    // Limited per caller, so that others who request the same account do not lock out its owner.
    ['mail', `reset|${foldCase(email)}|${ctx.network()}`],
  ]);
  await app.db.write((trx) =>
    app.jobs.add(trx, 'passwordReset', { email, language: acceptedLanguage(ctx.acceptLanguage) }),
  );
  app.jobs.kick();
}

/** Mails a reset link if an account with this address may sign in. `language`: that of who asked for it. */
export async function mailReset(
  app: Services,
  { email, language }: JobPayloads['passwordReset'],
): Promise<void> {
  const user = await userByEmail(app.db.read, email);
  if (user === null || isShutOut(user.role)) return;
  await app.db.write((trx) => queueReset(app, trx, user, language ?? null));
}

/** The address of the account that the link of a reset mail is for; null if the link does not work. */
export async function resetAddress(ctx: Context, code: string): Promise<string | null> {
  const { db } = ctx.app;
  return addressOfLink(db.read, 'reset', hashSecret(code), Date.now());
}

/**
 * Sets a new password with the link of a reset mail; 400 if the link is wrong, used or expired. Ends everything that
 * an intruder may have or may have added (`endAccess`), and returns it.
 */
export async function confirmReset(
  ctx: Context,
  input: { readonly code: string; readonly password: string },
): Promise<EndedAccess> {
  const { app } = ctx;
  await app.limits.rates.take('codeAddress', `reset|${ctx.network()}`);
  const link = hashSecret(input.code);
  if (!(await isLiveLink(app.db.read, 'reset', link, Date.now()))) fail('CODE_INVALID');
  const passwordHash = await app.passwords.hash(input.password);
  const { user, ended } = await app.db.write(async (trx) => {
    const taken = await takeLink(trx, 'reset', link, Date.now());
    const account = taken === null ? null : await lockUser(app.db, trx, taken.userId);
    if (account === null || foldCase(account.email) !== taken?.emailKey) return fail('CODE_INVALID');
    if (isShutOut(account.role)) fail('ACCOUNT_INACTIVE');
    await updateUser(trx, account.id, { passwordHash });
    const over = await endAccess(ctx, trx, account.id);
    await audit(ctx, trx, 'password.reset', { actor: account.id, subject: account.id, info: over });
    await notifyHolder(app, trx, account, { what: 'passwordSet' });
    return { user: account, ended: over };
  });
  app.jobs.kick();
  // A user who forgot the password has probably tried some: the new one must work at once.
  await app.limits.rates.clear('login', loginSubject(ctx, user.email));
  return ended;
}
