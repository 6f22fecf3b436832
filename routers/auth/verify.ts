import {
  deleteCodes,
  insertVerifyToken,
  isLiveLink,
  takeCode,
  takeLink,
  userOfVerifyToken,
} from '../../db/code.js';
import type { Queryable } from '../../db/connect.js';
import { activateUser, foldCase, lockUser, type User, updateUser } from '../../db/user.js';
import { type AuditSource, audit } from '../audit.js';
import type { Context, Services } from '../context.js';
import { fail } from '../errors.js';
import { type Count, refundAll, takeAll } from '../limits.js';
import { verifiedTopic } from '../ports/hub.js';
import { isShutOut } from '../roles.js';
import { requireFreeAddress, writeUnique } from './accounts.js';
import { CODE_MINUTES, cooldownOf, hashDigits, queueVerification } from './codes.js';
import { emailInput } from './fields.js';
import { hashSecret, newSecret } from './secrets.js';

const TOKEN_SECONDS = CODE_MINUTES * 60;

/** Creates a `verify_token` for a pending account; send it with `setVerifyCookie` after the commit. */
export async function makeVerifyToken(trx: Queryable, userId: number): Promise<string> {
  const token = newSecret();
  const expiresAt = Date.now() + TOKEN_SECONDS * 1000;
  await insertVerifyToken(trx, { userId, tokenHash: hashSecret(token), expiresAt });
  return token;
}

/** Sets the cookie `verify_token`; null clears it. */
export function setVerifyCookie(ctx: Context, token: string | null): void {
  ctx.outgoingCookies.push({
    name: 'verify_token',
    value: token,
    maxAgeSeconds: token === null ? 0 : TOKEN_SECONDS,
  });
}

/** The pending account of the cookie `verify_token`; 401 without one. */
export async function waitingAccount(ctx: Context): Promise<User> {
  const user = await registrantOf(ctx);
  if (user.status !== 'PENDING') fail('VERIFY_TOKEN_INVALID');
  return user;
}

/** The account of the cookie `verify_token`, even if it is verified by now; 401 without one. */
export async function registrantOf(ctx: Context): Promise<User> {
  const token = ctx.cookie('verify_token');
  const { db, load } = ctx.app;
  const userId = token === null ? null : await userOfVerifyToken(db.read, hashSecret(token), Date.now());
  const user = userId === null ? null : await load.user(userId);
  if (user === null || isShutOut(user.role)) fail('VERIFY_TOKEN_INVALID');
  return user;
}

/** Activates a pending account if its address is still the verified one; deletes its codes and links. */
export async function activate(
  ctx: Pick<AuditSource, 'address'>,
  trx: Queryable,
  userId: number,
  emailKey: string,
): Promise<boolean> {
  if (!(await activateUser(trx, userId, emailKey))) return false;
  await deleteCodes(trx, userId);
  await audit(ctx, trx, 'account.verified', { actor: userId, subject: userId });
  return true;
}

/** Notifies waiting pages that an account is active; call after the commit. */
export const announceVerified = (app: Services, userId: number): void =>
  app.hub.publish(verifiedTopic(userId), {});

/** Activates the account of the cookie with the six digits from the mail (contract §4). */
export async function verifyByCode(ctx: Context, user: User, digits: string): Promise<void> {
  const { app } = ctx;
  // The code is used already, so a second click gets that error instead of a missing cookie.
  if (user.status !== 'PENDING') fail('CODE_INVALID');
  const counts: readonly Count[] = [
    ['verifyAddress', ctx.network()],
    // Per network, because the owner may be elsewhere than an attacker.
    ['code', `verify|${user.id}|${ctx.network()}`],
    ['codeGuess', `verify|${user.id}`],
  ];
  await takeAll(app.limits, counts);
  const activated = await app.db.write(async (trx) => {
    const emailKey = await takeCode(trx, user.id, 'verify', hashDigits(app, user.id, digits), Date.now());
    return emailKey !== null && activate(ctx, trx, user.id, emailKey);
  });
  if (!activated) fail('CODE_INVALID');
  announceVerified(app, user.id);
  await refundAll(app.limits, counts);
  setVerifyCookie(ctx, null);
}

/** Activates an account with the link from its mail; false if the link no longer works. A `peek` changes nothing. */
export async function verifyByLink(ctx: Context, link: string, peek: boolean): Promise<boolean> {
  const { db } = ctx.app;
  const hash = hashSecret(link);
  if (peek) return isLiveLink(db.read, 'verify', hash, Date.now());
  const userId = await db.write(async (trx) => {
    const taken = await takeLink(trx, 'verify', hash, Date.now());
    return taken !== null && (await activate(ctx, trx, taken.userId, taken.emailKey)) ? taken.userId : null;
  });
  if (userId !== null) announceVerified(ctx.app, userId);
  return userId !== null;
}

/** Reads and locks the pending account; 401 if it is no longer pending. */
async function lockWaiting(app: Services, trx: Queryable, userId: number): Promise<User> {
  const user = await lockUser(app.db, trx, userId);
  if (user === null || user.status !== 'PENDING' || isShutOut(user.role)) fail('VERIFY_TOKEN_INVALID');
  return user;
}

/** Mails a new code; within the cooldown it silently does nothing (contract §5). */
export async function sendCode(ctx: Context): Promise<void> {
  const { app } = ctx;
  const user = await waitingAccount(ctx);
  const sent = await app.db.write(async (trx) =>
    queueVerification(app, trx, await lockWaiting(app, trx, user.id)),
  );
  if (sent) app.jobs.kick();
}

/**
 * Mails a new code; 429 within the cooldown. A `corrected` address, or else that of the cookie `new_email`,
 * first replaces the pending account's address and invalidates the old codes and links.
 */
export async function resendCode(ctx: Context, corrected?: string): Promise<void> {
  const { app } = ctx;
  const user = await waitingAccount(ctx);
  const given = corrected ?? emailOfCookie(ctx);
  const email = given === null || foldCase(given) === foldCase(user.email) ? null : given;
  await writeUnique(app, {}, async (trx) => {
    const current = await lockWaiting(app, trx, user.id);
    const wait = await cooldownOf(trx, user.id);
    if (wait > 0) fail('TOO_MANY_REQUESTS', { retryAfter: wait });
    if (email !== null) await rebind(ctx, trx, user.id, email);
    await queueVerification(app, trx, { ...current, email: email ?? current.email });
  });
  app.jobs.kick();
}

/** The address in the cookie `new_email`; null if it is absent or empty. */
function emailOfCookie(ctx: Context): string | null {
  const given = ctx.cookie('new_email')?.trim() ?? '';
  if (given === '') return null;
  const parsed = emailInput.safeParse(given);
  return parsed.success ? parsed.data : fail('INVALID', 'The cookie new_email is not an e-mail address');
}

async function rebind(ctx: Context, trx: Queryable, userId: number, email: string): Promise<void> {
  await requireFreeAddress(trx, email, userId);
  await updateUser(trx, userId, { email });
  await deleteCodes(trx, userId);
  await audit(ctx, trx, 'account.rebound', { actor: userId, subject: userId });
}
