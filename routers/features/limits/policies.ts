import type { z } from 'zod';
import { lockUser, type User } from '../../../db/account/account.js';
import { type StoredEntryRules, setStoredRules } from '../../../db/account/entry-rules.js';
import {
  clearAccountPolicy,
  NO_POLICY,
  pauseUser,
  rolePolicies,
  setAccountPolicy,
  setRolePolicy,
  standingOf,
  unpauseUser,
} from '../../../db/account/limits.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, found } from '../../base/errors.js';
import { isAdmin, ROLES, type Role } from '../../base/roles.js';
import { isoOrNull } from '../../base/text/dates.js';
import { lockAdmin } from '../../core/accounts/people.js';
import { type AuditEvent, audit } from '../../core/audit.js';
import type { AccountContext, Services } from '../../core/context.js';
import { type EntryRulesRecord, entryRulesByRole } from '../../core/entry/entry-rules.js';
import { isPaused } from '../../core/entry/pause.js';
import { effectivePack, effectiveRules, packOfRole } from '../../core/quotas/rules.js';
import { usageWithPromised } from '../../core/quotas/spend.js';
import {
  policyFrom,
  type policyInput,
  type rolePolicy,
  toOwnRules,
  toPack,
  toRules,
  toUsage,
  type UserPolicy,
} from './records.js';

type PolicyInput = z.output<typeof policyInput>;
type RolePolicy = z.output<typeof rolePolicy>;

const UNLIMITED_ROLE = 'ADMIN and OWNER roles cannot have resource limits';
const UNLIMITED_ACCOUNT = 'ADMIN and OWNER accounts cannot have resource limits or pauses';
const MINUTE_MS = 60_000;
/** The last moment with four digits in its year. */
const LAST_MS = 253_402_300_799_999;

/** What each role may create; administrators have no limits. */
export async function allRoles({ db }: Services): Promise<RolePolicy[]> {
  const policies = await rolePolicies(db.read);
  const entryOf = await entryRulesByRole({ db });
  return ROLES.filter((role) => !isAdmin(role)).map((role) =>
    toRolePolicy(role, entryOf(role), policies.get(role)),
  );
}

const toRolePolicy = (role: Role, entry: EntryRulesRecord, policy = NO_POLICY): RolePolicy => ({
  role,
  limits: toOwnRules(policy),
  filePackLimits: packOfRole(policy),
  entry,
});

/**
 * Replaces what a role may create; 400 for administrators. Without `entry`, of which older clients know nothing, those
 * rules stay as they are.
 */
export async function setRole(
  ctx: AccountContext,
  role: Role,
  input: PolicyInput & { readonly entry?: StoredEntryRules | null | undefined },
): Promise<RolePolicy> {
  if (isAdmin(role)) fail('INVALID', UNLIMITED_ROLE);
  const policy = policyFrom(input);
  await ctx.app.db.write(async (trx) => {
    await lockAdmin(ctx.app, trx, ctx.account.id);
    await setRolePolicy(trx, role, policy);
    if (input.entry) await setStoredRules(trx, role, input.entry);
    await audit(ctx, trx, 'limits.role.changed', { info: { role } });
  });
  return toRolePolicy(role, (await entryRulesByRole(ctx.app))(role), policy);
}

/** Sets which files are accepted from a role, and how long its items live. */
export async function setRoleEntry(
  ctx: AccountContext,
  role: Role,
  rules: StoredEntryRules,
): Promise<RolePolicy> {
  if (isAdmin(role)) fail('INVALID', UNLIMITED_ROLE);
  await ctx.app.db.write(async (trx) => {
    await lockAdmin(ctx.app, trx, ctx.account.id);
    await setStoredRules(trx, role, rules);
    await audit(ctx, trx, 'limits.role.changed', { info: { role } });
  });
  const policies = await allRoles(ctx.app);
  return policies.find((policy) => policy.role === role) ?? fail('NOT_FOUND');
}

/** What an account may create, and what it has used; 404 if it is unknown. */
export async function policyOfUser({ app }: AccountContext, uid: number): Promise<UserPolicy> {
  const user = found(await app.load.user(uid));
  if (isAdmin(user.role)) fail('INVALID', UNLIMITED_ACCOUNT);
  return toUserPolicy(app, user);
}

/** The policy of any account, administrators included. */
export async function toUserPolicy(app: Services, user: User): Promise<UserPolicy> {
  const standing = found(await standingOf(app.db.read, user.id));
  const { pause } = standing;
  return {
    uid: user.id,
    username: user.username,
    role: standing.role,
    overrides: toOwnRules(standing.own),
    effective: toRules(effectiveRules(standing)),
    usage: toUsage(await usageWithPromised(app.db.read, user.id)),
    filePackOverrides: toPack(standing.own.pack),
    effectiveFilePackLimits: toPack(effectivePack(standing)),
    paused: isPaused(standing),
    pausedIndefinitely: pause !== null && pause.until === null,
    pausedUntil: isoOrNull(pause?.until ?? null),
  };
}

/** Replaces what an account may create otherwise than its role. */
export const setUser = (ctx: AccountContext, uid: number, input: PolicyInput): Promise<UserPolicy> =>
  change(ctx, uid, 'limits.account.changed', async (trx) => {
    await setAccountPolicy(trx, uid, policyFrom(input));
    return true;
  });

/** Lets the role of an account decide alone; a pause stays. */
export const clearUser = (ctx: AccountContext, uid: number): Promise<UserPolicy> =>
  change(ctx, uid, 'limits.account.cleared', (trx) => clearAccountPolicy(trx, uid));

/** Lets an account only read, for some minutes or, with null, until it is resumed. */
export const pause = (ctx: AccountContext, uid: number, minutes: number | null): Promise<UserPolicy> =>
  change(
    ctx,
    uid,
    'account.paused',
    async (trx) => {
      const until = minutes === null ? null : Math.min(Date.now() + minutes * MINUTE_MS, LAST_MS);
      await pauseUser(trx, uid, until);
      return true;
    },
    { minutes },
  );

/** Ends the pause of an account. */
export const resume = (ctx: AccountContext, uid: number): Promise<UserPolicy> =>
  change(ctx, uid, 'account.unpaused', (trx) => unpauseUser(trx, uid));

/** Changes an account that may have limits, and records it if anything has changed. */
async function change(
  ctx: AccountContext,
  uid: number,
  event: AuditEvent,
  work: (trx: Queryable) => Promise<boolean>,
  info: Readonly<Record<string, number | null>> = {},
): Promise<UserPolicy> {
  const { app } = ctx;
  await app.db.write(async (trx) => {
    await lockAdmin(ctx.app, trx, ctx.account.id);
    const user = await lockUser(app.db, trx, uid);
    if (user === null || user.role === 'DELETED') return fail('NOT_FOUND');
    if (isAdmin(user.role)) fail('INVALID', UNLIMITED_ACCOUNT);
    if (await work(trx)) await audit(ctx, trx, event, { subject: uid, info });
  });
  return policyOfUser(ctx, uid);
}
