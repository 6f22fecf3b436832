import { z } from 'zod';
import { lockUser } from '../../../db/account/account.js';
import { type Invite, isUsableInvite, setInviteUser, takeInvite } from '../../../db/account/invite.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import { isShutOut, outranks } from '../../base/roles.js';
import { emailInput, newPasswordInput, usernameInput } from '../../core/accounts/fields.js';
import { audit } from '../../core/audit.js';
import type { Context } from '../../core/context.js';
import { requireUnblockedNetwork } from '../../core/entry/entry.js';
import { countAttempt } from '../../core/rate-limits.js';
import { hashInvite } from '../../core/secrets.js';
import { createAccount, writeUnique } from './accounts.js';
import { mailCounts, queueVerification } from './codes.js';
import { registerFirstOwner } from './first-owner.js';
import { startSession } from './session.js';
import { makeVerifyToken, setVerifyCookie } from './verify.js';
import { requireOffered } from './ways.js';

/** Fields of a registration. */
export const registerInput = z.object({
  username: usernameInput,
  email: emailInput,
  password: newPasswordInput,
  inviteCode: z.string().trim().max(200).nullish(),
  /** Whether a page of ours asks; see `queueVerification`. */
  byPage: z.boolean().optional(),
});
type RegisterInput = z.output<typeof registerInput>;

/**
 * Creates a pending account, mails its code and sets `verify_token`. Each use of an invite creates one
 * account; a failed registration uses none (contract §4, §5). The first owner needs no verification and is signed in.
 */
export async function register(ctx: Context, input: RegisterInput): Promise<'ACTIVE' | 'PENDING'> {
  const { app } = ctx;
  await app.limits.rates.take('register', ctx.network());
  const { username, email, password } = input;
  const inviteCode = input.inviteCode ?? '';
  const owner = await registerFirstOwner(app, { username, email, password, apiKey: null }, inviteCode);
  if (owner !== null) {
    await startSession(ctx, owner);
    return 'ACTIVE';
  }
  requireOffered(app, 'password');
  await requireUnblockedNetwork(ctx);
  await requireAdmission(ctx, inviteCode);
  const passwordHash = await app.passwords.hash(password);
  const make = async (trx: Queryable): Promise<string> => {
    const invite = inviteCode === '' ? null : await useInvite(ctx, trx, inviteCode);
    const userId = await createAccount(app, trx, {
      username,
      email,
      passwordHash,
      role: invite?.role ?? 'USER',
      status: 'PENDING',
      invitedBy: invite?.createdBy ?? null,
      apiKey: null,
    });
    if (invite !== null) await setInviteUser(trx, invite.id, userId);
    await queueVerification(ctx, trx, { id: userId, username, email, language: null }, input.byPage === true);
    await audit(ctx, trx, 'account.registered', { actor: userId, subject: userId });
    return makeVerifyToken(trx, userId);
  };
  const counts = mailCounts(ctx, email, inviteCode === '');
  const token = await countAttempt(app.limits.rates, counts, () => writeUnique(app, input, make));
  setVerifyCookie(ctx, token);
  app.jobs.kick();
  return 'PENDING';
}

/** Refuses before any slow work if no account can be created. */
async function requireAdmission(ctx: Context, inviteCode: string): Promise<void> {
  const { settings, db } = ctx.app;
  if (settings.registration === 'closed') fail('REGISTRATION_CLOSED');
  if (inviteCode === '' && settings.registration !== 'invite') return;
  if (!(await isUsableInvite(db.read, hashInvite(inviteCode), Date.now()))) fail('INVITE_INVALID');
}

/** Uses the invite; refuses it if its creator could no longer grant its role. */
export async function useInvite(ctx: Context, trx: Queryable, code: string): Promise<Invite> {
  const invite = await takeInvite(trx, hashInvite(code), Date.now());
  if (invite === null || invite.createdBy === null) return fail('INVITE_INVALID');
  const maker = await lockUser(ctx.app.db, trx, invite.createdBy);
  const makerRole = maker?.role ?? 'DELETED';
  if (isShutOut(makerRole) || outranks(invite.role, makerRole)) fail('INVITE_INVALID');
  return invite;
}
