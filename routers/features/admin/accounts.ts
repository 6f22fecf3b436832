import { z } from 'zod';
import {
  foldCase,
  lockOwners,
  lockUser,
  USER_STATUSES,
  type User,
  type UserChange,
  updateUser,
  userByUsername,
} from '../../../db/account/account.js';
import { listUsers } from '../../../db/account/account-list.js';
import { deleteSecondFactor, secondFactorOf } from '../../../db/account/second-factor.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { packedOfUsers, totalsOfUsers } from '../../../db/statistics/stats.js';
import { fail, found } from '../../base/errors.js';
import { windowOf } from '../../base/paging.js';
import { commands, isShutOut, outranks, ROLES, type Role } from '../../base/roles.js';
import { emailInput, newPasswordInput, usernameInput } from '../../core/accounts/fields.js';
import { accountOf, lockAdmin } from '../../core/accounts/people.js';
import { fullUser, toFullUser, toUserStats, userStats } from '../../core/accounts/record.js';
import { summarise, userSummary } from '../../core/accounts/user-summary.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { uidInput } from '../../core/items/ids.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { requireMainCredential } from '../../core/scopes.js';
import { seeking } from '../../core/search.js';
import { deleteAccount, requireGivable, roleInput } from '../account/public.js';
import {
  type EndedAccess,
  endAccess,
  endedAccess,
  endSignIns,
  endWaysIn,
  requireFreeAddress,
  writeUnique,
} from '../auth/public.js';
import { pageAsked, pageCounts, pageInput, pageOutput } from './paging.js';

/** Filters and page of the list of accounts; absent means any. */
export const listUsersInput = z.object({
  search: z.string().trim().max(254).nullish(),
  role: z.string().toUpperCase().pipe(z.enum(ROLES)).nullish(),
  status: z.string().toUpperCase().pipe(z.enum(USER_STATUSES)).nullish(),
  ...pageInput,
});
/** An account in the list of administrators. */
export const listedUser = userSummary.extend({
  email: z.string(),
  status: z.enum(USER_STATUSES),
  stats: userStats,
});
/** One account, with whether it signs in with a second factor. */
export const administeredUser = fullUser.extend({ secondFactor: z.boolean() });

/** An account after a change, with what the change has ended, and whether a separate portal gets this. */
export const changedAccount = fullUser.extend({ ended: endedAccess.optional(), toPortal: z.boolean() });

/** A page of accounts. */
export const userPage = z.object({ content: z.array(listedUser), ...pageOutput });

/** One account; 404 for an unknown one. */
export async function administered(
  ctx: AccountContext,
  uid: number,
): Promise<z.output<typeof administeredUser>> {
  const { app } = ctx;
  const user = await toFullUser(app, found(await app.load.user(uid)), false);
  const factor = await secondFactorOf(app.db.read, uid);
  return { ...user, secondFactor: factor !== null && factor.confirmedAt !== null };
}

/** Accounts, newest first. */
export async function usersPage(
  ctx: AccountContext,
  input: z.output<typeof listUsersInput>,
): Promise<z.output<typeof userPage>> {
  const page = pageAsked(input);
  const filter = { role: input.role ?? null, status: input.status ?? null };
  const { items, total } = await seeking(ctx, input.search, (matches) =>
    listUsers(ctx.app.db, { ...filter, matches }, windowOf(page)),
  );
  const ids = items.map((user) => user.id);
  const [totals, packed] = await Promise.all([
    totalsOfUsers(ctx.app.db, ids),
    packedOfUsers(ctx.app.db, ids),
  ]);
  const content = await Promise.all(
    items.map(async (user) => ({
      ...(await summarise(ctx.app, user)),
      email: user.email,
      status: user.status,
      stats: toUserStats(totals.get(user.id), packed.get(user.id)),
    })),
  );
  return { content, ...pageCounts(page, total) };
}

/** What an administrator changes of an account; absent keeps. */
export const changeUserInput = z.object({
  uid: uidInput,
  username: usernameInput.nullish(),
  email: emailInput.nullish(),
  /** URL of an external picture; "" removes it. */
  avatar: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)]).nullish(),
  role: roleInput.nullish(),
  password: newPasswordInput.nullish(),
  /** With a new password: also ends identities at providers, and passkeys. */
  endIdentities: z.boolean().nullish(),
  endPasskeys: z.boolean().nullish(),
});
type ChangeUserInput = z.output<typeof changeUserInput>;

/**
 * Checks who may change or delete whom (contract §5): an OWNER everybody, others only accounts of a strictly
 * lower role, as does a named key of an OWNER; the last active OWNER keeps that role. The rows are locked, so they cannot change meanwhile.
 */
export async function requireAuthority(
  ctx: AccountContext,
  trx: Queryable,
  target: User,
  owners: readonly number[],
  wanted: Role,
): Promise<void> {
  const { account, app } = ctx;
  const { role } = await lockAdmin(app, trx, account.id);
  if (!commands(role, target.role)) fail('RANK_TOO_LOW');
  // A named key that could set the password of an equal, or its own, would be more than a key.
  if (!outranks(role, target.role)) requireMainCredential(account);
  requireGivable(account, wanted, role);
  const leaves = wanted !== 'OWNER' && owners.includes(target.id);
  if (leaves && owners.length < 2) fail('LAST_OWNER');
}

/** A changed account, and what a new password has ended. */
interface ChangedUser {
  readonly user: User;
  readonly ended: EndedAccess | null;
}

/**
 * Changes an account. A new password ends everything that an intruder may have or may have added (`endAccess`); a new
 * address and lifting a ban end its sign-ins. During a ban its sessions stay, so that their holder gets the ban message
 * (contract §2).
 */
export async function changeUser(ctx: AccountContext, input: ChangeUserInput): Promise<ChangedUser> {
  const { app } = ctx;
  const role = input.role ?? null;
  if (role !== null) requireGivable(ctx.account, role);
  const password = input.password ?? null;
  const passwordHash = password === null ? undefined : await app.passwords.hash(password);
  const ended = await writeUnique(app, { username: input.username ?? undefined }, async (trx) => {
    const owners = await lockOwners(app.db, trx);
    const target = found(await lockUser(app.db, trx, input.uid));
    if (target.role === 'DELETED') fail('NOT_FOUND');
    await requireAuthority(ctx, trx, target, owners, role ?? target.role);
    await requireFree(trx, target, input);
    const change: UserChange = {
      ...(input.username ? { username: input.username } : {}),
      ...(input.email ? { email: input.email } : {}),
      ...(input.avatar === undefined ? {} : { avatar: input.avatar || null }),
      ...(role === null ? {} : { role }),
      ...(passwordHash === undefined ? {} : { passwordHash }),
    };
    if (Object.keys(change).length === 0) return null;
    await updateUser(trx, target.id, change);
    const wasShutOut = isShutOut(target.role);
    const over =
      passwordHash === undefined
        ? null
        : await endAccess(ctx, trx, target.id, {
            alsoIdentities: input.endIdentities === true,
            alsoPasskeys: input.endPasskeys === true,
          });
    if (over === null && (input.email || (role !== null && wasShutOut))) await endSignIns(trx, target.id);
    else if (over === null && role !== null && isShutOut(role)) await endWaysIn(trx, target.id);
    const info = { fields: Object.keys(change).join(' '), ...(role === null ? {} : { role }), ...over };
    await audit(ctx, trx, 'account.changed', { subject: target.id, info });
    if (over !== null) await notifyHolder(app, trx, target, { what: 'passwordSet' });
    return over;
  });
  app.jobs.kick();
  return { user: await accountOf(app, input.uid), ended };
}

/** Refuses a name or an address that another account uses. */
async function requireFree(trx: Queryable, target: User, input: ChangeUserInput): Promise<void> {
  const { username, email } = input;
  if (username && foldCase(username) !== foldCase(target.username)) {
    if ((await userByUsername(trx, username)) !== null) fail('USERNAME_TAKEN');
  }
  if (email && foldCase(email) !== foldCase(target.email)) await requireFreeAddress(trx, email, target.id);
}

/** Turns off the second factor of a user who lost their device, by the same rules; 404 if it is off already. */
export async function endSecondFactor(ctx: AccountContext, uid: number): Promise<void> {
  const { app } = ctx;
  await app.db.write(async (trx) => {
    const owners = await lockOwners(app.db, trx);
    const target = found(await lockUser(app.db, trx, uid));
    if (target.role === 'DELETED') fail('NOT_FOUND');
    await requireAuthority(ctx, trx, target, owners, target.role);
    if (!(await deleteSecondFactor(trx, uid))) fail('SECOND_FACTOR_OFF');
    await audit(ctx, trx, 'factor.disabled', { subject: uid });
    await notifyHolder(app, trx, target, { what: 'secondFactorOff' });
  });
  app.jobs.kick();
}

/** Deletes an account and its content, by the same rules. */
export const removeUser = (ctx: AccountContext, uid: number): Promise<void> =>
  deleteAccount(ctx, uid, (trx, user, owners) => requireAuthority(ctx, trx, user, owners, 'DELETED'));
