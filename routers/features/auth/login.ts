import { z } from 'zod';
import { foldCase, lockUser, replacePasswordHash, type User } from '../../../db/account/account.js';
import { secondFactorOf } from '../../../db/account/second-factor.js';
import { fail } from '../../base/errors.js';
import { isShutOut } from '../../base/roles.js';
import { codeInput } from '../../core/accounts/fields.js';
import { byName } from '../../core/accounts/find.js';
import { audit } from '../../core/audit.js';
import type { Context } from '../../core/context.js';
import { type Count, countAttempt } from '../../core/rate-limits.js';
import { pendingUser, plainCode, requireSecondStep, setPendingCookie } from './second-step.js';
import { type SessionOrigin, startSession } from './session.js';
import { makeVerifyToken, setVerifyCookie } from './verify.js';
import { requireOffered } from './ways.js';

/** Credentials of a sign-in. */
export const loginInput = z.object({
  /** The address or the username. */
  email: z.string().max(254),
  password: z.string().max(200),
  /** The code of the second factor, if the account has one. */
  code: codeInput.nullish(),
});
type LoginInput = z.output<typeof loginInput>;

/** Signs in with the password. */
export async function signIn(ctx: Context, input: LoginInput): Promise<User> {
  requireOffered(ctx.app, 'password');
  return enter(ctx, await checkPassword(ctx, input), input.code ?? null);
}

/**
 * The account that a program names, by its password alone: 403 where a second factor is needed, which the program
 * cannot ask for.
 */
export async function proveByPassword(
  ctx: Context,
  input: Pick<LoginInput, 'email' | 'password'>,
): Promise<User> {
  requireOffered(ctx.app, 'password');
  const user = await checkPassword(ctx, input);
  await requireStanding(ctx, user);
  const factor = await secondFactorOf(ctx.app.db.read, user.id);
  if (factor !== null && factor.confirmedAt !== null)
    fail(
      'LOGIN_CODE_REQUIRED',
      'This account has a second factor: make a key under Settings, API keys, and enter that',
    );
  return user;
}

/** Completes a login that lacked only the code of the second factor. */
export async function finishSignIn(ctx: Context, code: string): Promise<User> {
  const pending = await pendingUser(ctx);
  // An empty code must not extend the pending login.
  if (plainCode(code) === '') fail('LOGIN_CODE_REQUIRED');
  const user = await enter(ctx, pending, code);
  setPendingCookie(ctx, null);
  return user;
}

/**
 * Completes a login after the first factor: checks the account's status and the second factor, then starts a
 * session. Each step refuses with its own message. `complete`: what was shown stands for both factors.
 */
export async function enter(
  ctx: Context,
  user: User,
  code: string | null,
  { complete = false, ...origin }: SessionOrigin & { readonly complete?: boolean } = {},
): Promise<User> {
  await requireStanding(ctx, user);
  if (!complete) await requireSecondStep(ctx, user, code);
  await startSession(ctx, user, origin);
  return user;
}

/** The rate limit key of wrong passwords: per account and network, so that an attacker cannot lock out the owner. */
export const loginSubject = (ctx: Context, email: string): string =>
  `${foldCase(email.trim())}|${ctx.network()}`;

/**
 * The account with this address or username, and this password. An unknown one and a wrong password get the same error
 * in the same time.
 */
async function checkPassword(ctx: Context, input: Pick<LoginInput, 'email' | 'password'>): Promise<User> {
  const { app } = ctx;
  const user = await byName(app, input.email.trim());
  // The same for the address and the name, so that there are not twice as many tries.
  const subject = loginSubject(ctx, user?.email ?? input.email);
  const counts: readonly Count[] = [
    ['loginAddress', ctx.network()],
    ['login', subject],
  ];
  const { passwords } = app;
  const { valid } = await countAttempt(app.limits.rates, counts, async () => ({
    valid: await (user === null
      ? passwords.verifyNothing(input.password)
      : passwords.verify(user.passwordHash, input.password)),
  }));
  if (user === null || !valid) {
    // Written for unknown addresses, too, so that the response time does not reveal them.
    await app.db.write((trx) => audit(ctx, trx, 'login.failed', { subject: user?.id ?? null }));
    return fail('LOGIN_FAILED');
  }
  await app.limits.rates.clear('login', subject);
  await app.limits.rates.refund('loginAddress', ctx.network());
  return passwords.isForeign(user.passwordHash) ? hashAnew(ctx, user, input.password) : user;
}

/** Replaces a hash that came from another product, unless the password has been changed meanwhile. */
async function hashAnew({ app }: Context, user: User, password: string): Promise<User> {
  const passwordHash = await app.passwords.hash(password);
  const replaced = await app.db.write((trx) =>
    replacePasswordHash(trx, user.id, { from: user.passwordHash, to: passwordHash }),
  );
  return replaced ? { ...user, passwordHash } : user;
}

/** Refuses banned accounts; a pending account gets a new `verify_token` with the refusal (contract §5). */
async function requireStanding(ctx: Context, user: User): Promise<void> {
  if (user.role === 'BANNED') fail('ACCOUNT_BANNED');
  if (isShutOut(user.role)) fail('ACCOUNT_INACTIVE');
  if (user.status === 'ACTIVE') return;
  if (user.status === 'WAITING') fail('LOGIN_WAITING');
  const { db } = ctx.app;
  const token = await db.write(async (trx) => {
    if ((await lockUser(db, trx, user.id)) === null) fail('LOGIN_FAILED');
    return makeVerifyToken(trx, user.id);
  });
  setVerifyCookie(ctx, token);
  fail('LOGIN_PENDING');
}
