import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { User } from '../../../db/account/account.js';
import {
  confirmSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  putRecoveryCodes,
  putSecondFactor,
  secondFactorOf,
} from '../../../db/account/second-factor.js';
import { deleteSessionsOf } from '../../../db/account/session.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import { codeInput } from '../../core/accounts/fields.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Services } from '../../core/context.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { authenticatorUri, newAuthenticatorSecret, stepOf } from './authenticator.js';
import { confirmPassword, requireSamePassword } from './password.js';
import { hashRecoveryCode, takeFactorCode } from './second-step.js';

const RECOVERY_CODES = 10;
/** 80 random bits per code. */
const RECOVERY_BYTES = 10;

/** Whether an account has a second factor, and how many recovery codes are left. */
export const secondFactorState = z.object({ enabled: z.boolean(), recoveryCodes: z.int() });

/** The secret for an authenticator app, as text and as the URI for a QR code. */
export const newSecondFactor = z.object({ secret: z.string(), uri: z.string() });

/** Codes that are shown only once; each allows one login without the device. */
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Whether the caller has a second factor. */
export async function describeSecondFactor({
  app,
  account,
}: AccountContext): Promise<z.output<typeof secondFactorState>> {
  const factor = await secondFactorOf(app.db.read, account.id);
  if (factor === null || factor.confirmedAt === null) return { enabled: false, recoveryCodes: 0 };
  return { enabled: true, recoveryCodes: await countRecoveryCodes(app.db.read, account.id) };
}

/** Creates the secret of a second factor, which becomes active after `enableSecondFactor` has received a code of it. */
export async function beginSecondFactor(
  ctx: AccountContext,
  password: string,
): Promise<z.output<typeof newSecondFactor>> {
  const { app } = ctx;
  const user = await confirmPassword(ctx, password);
  const secret = await newAuthenticatorSecret();
  await app.db.write(async (trx) => {
    requireSamePassword(user, await lockAccount(app, trx, user.id));
    const put = await putSecondFactor(trx, user.id, app.secrets.encrypt(secret), Date.now());
    if (!put) fail('SECOND_FACTOR_ON');
  });
  return { secret, uri: await authenticatorUri(secret, user.username) };
}

/**
 * Requires a code at every login from now on and ends the other sessions; returns the recovery codes. Refuses a code
 * of another secret.
 */
export async function enableSecondFactor(
  ctx: AccountContext,
  code: string,
): Promise<z.output<typeof recoveryCodes>> {
  const { app, account } = ctx;
  await app.limits.rates.take('code', `factor|${account.id}`);
  const factor = await secondFactorOf(app.db.read, account.id);
  if (factor !== null && factor.confirmedAt !== null) fail('SECOND_FACTOR_ON');
  const digits = code.replace(/\s/g, '');
  const step =
    factor === null ? null : await stepOf(app.secrets.decrypt(factor.secretCipher), digits, Date.now());
  if (factor === null || step === null) return fail('CODE_INVALID');
  const codes = await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    if (!(await confirmSecondFactor(trx, account.id, factor.secretCipher, step, Date.now())))
      fail('CODE_INVALID');
    // They were opened without a code, perhaps by the one against whom it is turned on.
    const sessions = await deleteSessionsOf(trx, account.id, account.sessionId);
    await audit(ctx, trx, 'factor.enabled', { subject: account.id, info: { sessions } });
    await notifyHolder(app, trx, user, { what: 'secondFactorOn' });
    return giveRecoveryCodes(app, trx, account.id);
  });
  app.jobs.kick();
  return codes;
}

/** Replaces the recovery codes after checking the password and a code. */
export async function renewRecoveryCodes(
  ctx: AccountContext,
  proof: Proof,
): Promise<z.output<typeof recoveryCodes>> {
  const codes = await whenProven(ctx, proof, async (trx, user) => {
    await audit(ctx, trx, 'factor.renewed', { subject: user.id });
    await notifyHolder(ctx.app, trx, user, { what: 'recoveryCodesRenewed' });
    return giveRecoveryCodes(ctx.app, trx, user.id);
  });
  ctx.app.jobs.kick();
  return codes;
}

/** Turns the second factor off. */
export async function disableSecondFactor(ctx: AccountContext, proof: Proof): Promise<void> {
  await whenProven(ctx, proof, async (trx, user) => {
    await deleteSecondFactor(trx, user.id);
    await audit(ctx, trx, 'factor.disabled', { subject: user.id });
    await notifyHolder(ctx.app, trx, user, { what: 'secondFactorOff' });
  });
  ctx.app.jobs.kick();
}

/** Proves that the owner is asking, and not someone at an unattended device. */
export const proofInput = z.object({ password: z.string().max(200), code: codeInput });
type Proof = z.output<typeof proofInput>;

async function whenProven<T>(
  ctx: AccountContext,
  { password, code }: Proof,
  work: (trx: Queryable, user: User) => Promise<T>,
): Promise<T> {
  const { app } = ctx;
  const user = await confirmPassword(ctx, password);
  const factor = await secondFactorOf(app.db.read, user.id);
  if (factor === null || factor.confirmedAt === null) return fail('SECOND_FACTOR_OFF');
  if (!(await takeFactorCode(ctx, user.id, factor, code))) fail('CODE_INVALID');
  return app.db.write(async (trx) => {
    requireSamePassword(user, await lockAccount(app, trx, user.id));
    return work(trx, user);
  });
}

async function giveRecoveryCodes(
  app: Services,
  trx: Queryable,
  userId: number,
): Promise<z.output<typeof recoveryCodes>> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await putRecoveryCodes(
    trx,
    userId,
    codes.map((code) => hashRecoveryCode(app, userId, code)),
  );
  return { recoveryCodes: codes };
}

/** Hexadecimal in groups of five: `0a1b2-c3d4e-f5061-72839`. Never six digits, which are an authenticator code. */
const newRecoveryCode = (): string =>
  randomBytes(RECOVERY_BYTES)
    .toString('hex')
    .replace(/(.{5})(?=.)/g, '$1-');
