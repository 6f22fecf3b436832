import type { User } from '../../../db/account/account.js';
import {
  type SecondFactor,
  secondFactorOf,
  takeRecoveryCode,
  takeStep,
} from '../../../db/account/second-factor.js';
import { hasSessionFrom } from '../../../db/account/session.js';
import { fail } from '../../base/errors.js';
import { audit } from '../../core/audit.js';
import type { Context, Services } from '../../core/context.js';
import { type Count, countAttempt, refundAll } from '../../core/rate-limits.js';
import { isDigits, stepOf } from './authenticator.js';

/** How long the second factor may take after the first. */
const PENDING_SECONDS = 10 * 60;

/** Normalises codes, which users may type in groups and in any case. */
export const plainCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase();

/** The stored hash of a recovery code, keyed with the secret of the installation. */
export const hashRecoveryCode = (app: Services, userId: number, code: string): string =>
  app.secrets.sign(`recovery:${userId}:${plainCode(code)}`);

/**
 * The second step of a login; does nothing for an account without a second factor. If the code is missing,
 * refuses with LOGIN_CODE_REQUIRED and sets a cookie with which `pendingUser` continues.
 */
export async function requireSecondStep(ctx: Context, user: User, code: string | null): Promise<void> {
  const { app } = ctx;
  const factor = await secondFactorOf(app.db.read, user.id);
  if (factor === null || factor.confirmedAt === null) return;
  if (code === null || plainCode(code) === '') {
    setPendingCookie(ctx, pendingToken(app, user));
    fail('LOGIN_CODE_REQUIRED');
  }
  if (await takeFactorCode(ctx, user.id, factor, code)) return;
  await app.db.write((trx) => audit(ctx, trx, 'login.failed', { subject: user.id }));
  fail('LOGIN_CODE_WRONG');
}

/**
 * Checks a code of the factor, from the device or for recovery, and uses it up. Attempts are limited per
 * account and network; six digits, which can be guessed, also per account over all networks without a session
 * of it. So an attacker who knows the password cannot lock out an owner who is signed in somewhere or has a
 * recovery code.
 */
export async function takeFactorCode(
  ctx: Context,
  userId: number,
  factor: SecondFactor,
  code: string,
): Promise<boolean> {
  const { app } = ctx;
  const typed = plainCode(code);
  const digits = isDigits(typed);
  const counts: Count[] = [['code', `${digits ? 'factor' : 'recovery'}|${userId}|${ctx.network()}`]];
  if (digits && !(await hasSessionFrom(app.db.read, userId, ctx.address)))
    counts.push(['codeGuess', String(userId)]);
  const taken = await countAttempt(app.limits.rates, counts, () =>
    digits ? takeDigits(app, userId, factor, typed) : takeRecovery(ctx, userId, typed),
  );
  if (taken) await refundAll(app.limits.rates, counts);
  return taken;
}

async function takeDigits(
  app: Services,
  userId: number,
  factor: SecondFactor,
  digits: string,
): Promise<boolean> {
  const step = await stepOf(app.secrets.decrypt(factor.secretCipher), digits, Date.now());
  return step !== null && app.db.write((trx) => takeStep(trx, userId, step));
}

function takeRecovery(ctx: Context, userId: number, code: string): Promise<boolean> {
  const hash = hashRecoveryCode(ctx.app, userId, code);
  return ctx.app.db.write(async (trx) => {
    if (!(await takeRecoveryCode(trx, userId, hash))) return false;
    await audit(ctx, trx, 'factor.recovered', { actor: userId, subject: userId });
    return true;
  });
}

/** Sets the cookie `sign_in`; null clears it. */
export function setPendingCookie(ctx: Context, token: string | null): void {
  ctx.outgoingCookies.push({
    name: 'sign_in',
    value: token,
    maxAgeSeconds: token === null ? 0 : PENDING_SECONDS,
  });
}

/** Proof of the first factor, with account and expiry. A new password invalidates it. */
function pendingToken(app: Services, user: User): string {
  const expiresAt = Date.now() + PENDING_SECONDS * 1000;
  return `${user.id}.${expiresAt}.${app.secrets.sign(pendingSubject(user, expiresAt))}`;
}

const pendingSubject = (user: User, expiresAt: number): string =>
  `sign-in:${user.id}:${expiresAt}:${user.passwordHash}`;

/** The account of the cookie `sign_in`, which lacks only the second step. 401 without one. */
export async function pendingUser(ctx: Context): Promise<User> {
  const { app } = ctx;
  const [, id, until, signature = ''] =
    /^(\d{1,15})\.(\d{1,15})\.([0-9a-f]{64})$/.exec(ctx.cookie('sign_in') ?? '') ?? [];
  const expiresAt = Number(until);
  const user = id === undefined || expiresAt <= Date.now() ? null : await app.load.user(Number(id));
  if (user === null || !app.secrets.verifySignature(pendingSubject(user, expiresAt), signature))
    return fail('SIGN_IN_OVER');
  return user;
}
