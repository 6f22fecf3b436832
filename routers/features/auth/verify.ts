import {
  activateUser,
  foldCase,
  lockUser,
  type User,
  updateUser,
  userById,
} from '../../../db/account/account.js';
import {
  deleteCodes,
  insertVerifyToken,
  isLiveLink,
  isRememberedCode,
  rememberCode,
  type TakenCode,
  takeCode,
  takeLink,
  userOfVerifyToken,
} from '../../../db/account/code.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import { verifiedTopic } from '../../base/ports/hub.js';
import { isShutOut } from '../../base/roles.js';
import { emailInput } from '../../core/accounts/fields.js';
import { type AuditSource, audit } from '../../core/audit.js';
import type { Context, Services } from '../../core/context.js';
import { type Count, countAttempt, refundAll, takeAll } from '../../core/rate-limits.js';
import { hashSecret, newSecret } from '../../core/secrets.js';
import { requireFreeAddress, writeUnique } from './accounts.js';
import { statusOfConfirmed, tellOfWaiting } from './approval.js';
import { CODE_MINUTES, cooldownOf, hashDigits, mailCounts, queueVerification } from './codes.js';

const TOKEN_SECONDS = CODE_MINUTES * 60;
/** Who opens the link of an active account in this time is told that it is active. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

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

/**
 * Activates a pending account if its address is still the verified one, or lets it wait for an administrator; deletes its
 * codes and links.
 */
export async function activate(
  app: Services,
  ctx: Pick<AuditSource, 'address'>,
  trx: Queryable,
  userId: number,
  emailKey: string,
): Promise<boolean> {
  const user = await lockUser(app.db, trx, userId);
  if (user === null) return false;
  const status = statusOfConfirmed(app, user);
  if (!(await activateUser(trx, userId, emailKey, status))) return false;
  if (status === 'WAITING') await tellOfWaiting(app, trx, user);
  await deleteCodes(trx, userId);
  await audit(ctx, trx, 'account.verified', { actor: userId, subject: userId });
  return true;
}

/** Notifies waiting pages that an account is active; call after the commit. */
export const announceVerified = (app: Services, userId: number): void =>
  app.hub.publish(verifiedTopic(userId), {});

/**
 * Activates the account of the cookie with the six digits from the mail (contract §4). Digits whose code has done that
 * already are no error, because programs for mail open its link before the person reads it.
 */
export async function verifyByCode(ctx: Context, user: User, digits: string): Promise<void> {
  const { app } = ctx;
  const counts: readonly Count[] = [
    ['verifyAddress', ctx.network()],
    // Per network, because the owner may be elsewhere than an attacker.
    ['code', `verify|${user.id}|${ctx.network()}`],
    ['codeGuess', `verify|${user.id}`],
  ];
  await takeAll(app.limits.rates, counts);
  const hash = hashDigits(app, user.id, digits);
  const activated =
    user.status === 'PENDING' &&
    (await app.db.write(async (trx) => {
      const code = await takeCode(trx, user.id, 'verify', hash, Date.now());
      return code !== null && activateBy(ctx, trx, code);
    }));
  if (activated) {
    app.jobs.kick();
    announceVerified(app, user.id);
  } else if (!(await isActiveBy(ctx, user.id, hash))) fail('CODE_INVALID');
  await refundAll(app.limits.rates, counts);
  setVerifyCookie(ctx, null);
}

/** Whether the account is active, and by the code with these digits. */
async function isActiveBy({ app }: Context, userId: number, hash: string): Promise<boolean> {
  // As it is now: another request may have activated it since.
  const user = await userById(app.db.read, userId);
  return user?.status === 'ACTIVE' && isRememberedCode(app.db.read, userId, hash, Date.now());
}

/** Activates the account of a code that was used up, and remembers it. */
async function activateBy(ctx: Context, trx: Queryable, code: TakenCode): Promise<boolean> {
  if (!(await activate(ctx.app, ctx, trx, code.userId, code.emailKey))) return false;
  const at = Date.now();
  await rememberCode(trx, code, at, at + REMEMBERED_MS);
  return true;
}

/** What a link from a verification mail does: it works, it or its code has activated the account before, or neither. */
export const linkStates = ['works', 'used', 'dead'] as const;
export type LinkState = (typeof linkStates)[number];

/** Activates an account with the link from its mail, if the link works. A `peek` changes nothing. */
export async function verifyByLink(ctx: Context, link: string, peek: boolean): Promise<LinkState> {
  const { db } = ctx.app;
  const hash = hashSecret(link);
  const is = (purpose: 'verify' | 'verified') => isLiveLink(db.read, purpose, hash, Date.now());
  const userId = peek
    ? null
    : await db.write(async (trx) => {
        const taken = await takeLink(trx, 'verify', hash, Date.now());
        return taken !== null && (await activateBy(ctx, trx, taken)) ? taken.userId : null;
      });
  if (userId !== null) {
    ctx.app.jobs.kick();
    announceVerified(ctx.app, userId);
  }
  if (userId !== null || (peek && (await is('verify')))) return 'works';
  return (await is('verified')) ? 'used' : 'dead';
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
  if ((await cooldownOf(app.db.read, user.id)) > 0) return;
  const sent = await countAttempt(app.limits.rates, mailCounts(ctx, user.email, true), () =>
    app.db.write(async (trx) => queueVerification(ctx, trx, await lockWaiting(app, trx, user.id))),
  );
  if (sent) app.jobs.kick();
}

/**
 * Mails a new code; 429 within the cooldown. A `corrected` address, or else that of the cookie `new_email`,
 * first replaces the pending account's address and invalidates the old codes and links.
 */
export async function resendCode(
  ctx: Context,
  { email: corrected, byPage }: { readonly email?: string; readonly byPage: boolean },
): Promise<void> {
  const { app } = ctx;
  const user = await waitingAccount(ctx);
  const given = corrected ?? emailOfCookie(ctx);
  const email = given === null || foldCase(given) === foldCase(user.email) ? null : given;
  const before = await cooldownOf(app.db.read, user.id);
  if (before > 0) fail('TOO_MANY_REQUESTS', { retryAfter: before });
  const resend = async (trx: Queryable): Promise<void> => {
    const current = await lockWaiting(app, trx, user.id);
    const wait = await cooldownOf(trx, user.id);
    if (wait > 0) fail('TOO_MANY_REQUESTS', { retryAfter: wait });
    if (email !== null) await rebind(ctx, trx, user.id, email);
    await queueVerification(ctx, trx, { ...current, email: email ?? current.email }, byPage);
  };
  const counts = mailCounts(ctx, email ?? user.email, true);
  await countAttempt(app.limits.rates, counts, () => writeUnique(app, {}, resend));
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
