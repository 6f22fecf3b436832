import { z } from 'zod';
import { type Invite, insertInvite, listInvites, revokeInvite } from '../../../db/account/invite.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { windowOf } from '../../base/paging.js';
import { outranks, ROLES } from '../../base/roles.js';
import { expiryInput, iso, isoOrNull } from '../../base/text/dates.js';
import { lockAdmin } from '../../core/accounts/people.js';
import { summaryOrNull, userSummary } from '../../core/accounts/user-summary.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { hashInvite, newInviteCode } from '../../core/secrets.js';
import { mayGive, requireGivable, roleInput } from '../account/public.js';
import { pageAsked, pageCounts, pageInput, pageOutput } from './paging.js';

const codeText = z.string().regex(/^[A-Za-z0-9_-]*$/, 'use letters, digits, hyphens and underscores');

/** Characters of a chosen code for a role above USER: too many to guess one by registering. */
const MIN_RANK_CODE_LENGTH = 12;

/** How many invites to make, and what they are like. */
export const createInvitesInput = z.object({
  amount: z.int().min(1).max(100).nullish(),
  /** A code chosen by the caller, for one invite. */
  code: codeText.max(64, 'a code can have at most 64 characters').nullish(),
  prefix: codeText.max(16, 'a prefix can have at most 16 characters').nullish(),
  expiresAt: expiryInput,
  maxUses: z.int().min(1).max(100_000).nullish(),
  role: roleInput.nullish(),
});

/** An invite in the API (contract §3). */
export const inviteRecord = z.object({
  /** Empty for those who may not give its role, because they could register with it. */
  code: z.string(),
  used: z.boolean(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  role: z.enum(ROLES),
  uses: z.int(),
  maxUses: z.int(),
  createdBy: userSummary.nullable(),
  usedBy: userSummary.nullable(),
});
export type InviteRecord = z.output<typeof inviteRecord>;

/** Creates invites, all or none; refuses an existing code and a role above the caller's. */
export async function createInvites(
  ctx: AccountContext,
  input: z.output<typeof createInvitesInput>,
): Promise<InviteRecord[]> {
  const { app, account } = ctx;
  const amount = input.amount ?? 1;
  const role = input.role ?? 'USER';
  requireGivable(account, role);
  const wished = input.code ?? '';
  if (wished !== '' && amount > 1) fail('INVALID', 'A custom code creates one invite only');
  const shortest = outranks(role, 'USER') ? MIN_RANK_CODE_LENGTH : 3;
  if (wished !== '' && wished.length < shortest)
    fail('INVALID', localizable('code: use at least {shortest} characters for this role', { shortest }));
  const codes =
    wished === '' ? Array.from({ length: amount }, () => newInviteCode(input.prefix ?? '')) : [wished];
  try {
    const invites = await app.db.write(async (trx) => {
      const giver = await lockAdmin(app, trx, account.id);
      requireGivable(account, role, giver.role);
      const made: Invite[] = [];
      for (const code of codes) {
        const invite = await insertInvite(trx, {
          codeHash: hashInvite(code),
          codeCipher: app.secrets.encrypt(code),
          role,
          createdBy: account.id,
          createdAt: Date.now(),
          expiresAt: input.expiresAt,
          maxUses: input.maxUses ?? 1,
        });
        made.push(invite);
      }
      await audit(ctx, trx, 'invite.created', { info: { amount: codes.length, role } });
      return made;
    });
    return await Promise.all(invites.map((invite) => toInviteRecord(ctx, invite)));
  } catch (error) {
    if (!app.db.dialect.isUniqueViolation(error)) throw error;
    return fail('INVITE_TAKEN', { cause: error });
  }
}

/** Filter and page of the list of invites. */
export const listInvitesInput = z.object({ used: z.boolean().nullish(), ...pageInput });
export const invitePage = z.object({ content: z.array(inviteRecord), ...pageOutput });

/** Invites, newest first; `used` true for those used up, false for the others. */
export async function invitesPage(
  ctx: AccountContext,
  input: z.output<typeof listInvitesInput>,
): Promise<z.output<typeof invitePage>> {
  const page = pageAsked(input);
  const { items, total } = await listInvites(ctx.app.db, input.used ?? null, windowOf(page));
  const content = await Promise.all(items.map((invite) => toInviteRecord(ctx, invite)));
  return { content, ...pageCounts(page, total) };
}

/**
 * Revokes an invite, so that it cannot be used any more. 404 for an unknown code, and also for an invite of a
 * higher role, whose existence the caller must not learn.
 */
export async function revoke(ctx: AccountContext, code: string): Promise<void> {
  const { app, account } = ctx;
  await app.db.write(async (trx) => {
    const { role } = await lockAdmin(app, trx, account.id);
    const givable = ROLES.filter((each) => !outranks(each, role));
    if (!(await revokeInvite(trx, hashInvite(code), givable))) fail('NOT_FOUND');
    await audit(ctx, trx, 'invite.revoked');
  });
}

async function toInviteRecord({ app, account }: AccountContext, invite: Invite): Promise<InviteRecord> {
  const shown = mayGive(account, invite.role);
  return {
    code: shown && invite.codeCipher !== null ? app.secrets.decrypt(invite.codeCipher) : '',
    used: invite.uses >= invite.maxUses,
    createdAt: iso(invite.createdAt),
    usedAt: isoOrNull(invite.usedAt),
    expiresAt: isoOrNull(invite.expiresAt),
    role: invite.role,
    uses: invite.uses,
    maxUses: invite.maxUses,
    createdBy: await summaryOrNull(app, invite.createdBy),
    usedBy: await summaryOrNull(app, invite.usedBy),
  };
}
