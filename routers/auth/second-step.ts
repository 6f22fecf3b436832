import { type SecondFactor, secondFactorOf, takeRecoveryCode, takeStep } from '../../db/second-factor.js';
import type { User } from '../../db/user.js';
import { audit } from '../audit.js';
import type { Context, Services } from '../context.js';
import { fail } from '../errors.js';
import { type Count, countAttempt, refundAll } from '../limits.js';
import { isDigits, stepOf } from './authenticator.js';

/** How long somebody who has shown the first factor may take to show the second. */
const PENDING_SECONDS = 10 * 60;

/** Codes as people type them: in groups, in any case. */
export const plainCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase();

/** What stands for a recovery code in the database; only this installation can make it. */
export const hashRecoveryCode = (app: Services, userId: number, code: string): string =>
  app.secrets.sign(`recovery:${userId}:${plainCode(code)}`);

/**
 * The second step of a login: nothing for an account without a second factor. Without a code it is refused with
 * LOGIN_CODE_REQUIRED, and a cookie lets `pendingUser` go on from here.
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
 * Whether this is a code of the factor, of the device or for recovery, which is used up then. Tries are limited for each
 * account and address; digits, which can be guessed, for each account, too. Codes for recovery are counted apart, so that
 * whoever knows the password and guesses does not shut the holder out.
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
  const counts: readonly Count[] = digits
    ? [
        ['code', `factor|${userId}|${ctx.network}`],
        ['codeGuess', String(userId)],
      ]
    : [['code', `recovery|${userId}|${ctx.network}`]];
  const taken = await countAttempt(app.limits, counts, () =>
    digits ? takeDigits(app, userId, factor, typed) : takeRecovery(ctx, userId, typed),
  );
  if (taken) await refundAll(app.limits, counts);
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

/** Hands the cookie `sign_in` to the client; null takes it away. */
export function setPendingCookie(ctx: Context, token: string | null): void {
  ctx.outgoingCookies.push({
    name: 'sign_in',
    value: token,
    maxAgeSeconds: token === null ? 0 : PENDING_SECONDS,
  });
}

/** Proof of the first factor: for whom, and until when. A new password invalidates it. */
function pendingToken(app: Services, user: User): string {
  const expiresAt = Date.now() + PENDING_SECONDS * 1000;
  return `${user.id}.${expiresAt}.${app.secrets.sign(pendingSubject(user, expiresAt))}`;
}

const pendingSubject = (user: User, expiresAt: number): string =>
  `sign-in:${user.id}:${expiresAt}:${user.passwordHash}`;

/** The account behind the cookie `sign_in`: only the second step is missing. 401 without one. */
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
