import { z } from 'zod';
import { USER_STATUSES, type User } from '../../../db/account/account.js';
import { mainKeyCipher } from '../../../db/account/main-key.js';
import { packedOfUsers, type Totals, totalsByKind } from '../../../db/statistics/stats.js';
import { byName, KIND_NAMES, type Kind } from '../../base/kinds.js';
import { isAdmin } from '../../base/roles.js';
import { SOCIALS, type Social } from '../../base/socials.js';
import type { AccountContext, Services } from '../context.js';
import { summarise, userSummary } from './user-summary.js';

const socials = z.object(
  Object.fromEntries(SOCIALS.map((name) => [name, z.string().nullable()])) as Record<
    Social,
    z.ZodNullable<z.ZodString>
  >,
);

const byCounter = <T>(of: (kind: Kind) => T) => byName((kind) => KIND_NAMES[kind].counter, of);

/** How much an account has stored. */
export const userStats = z.object({ ...byCounter(() => z.int()), storageUsed: z.int() });

/** The figures of an account from its totals, without its `packed` files, which are no uploads; all zero for one without items. */
export const toUserStats = (
  totals: Readonly<Record<Kind, Totals>> | undefined,
  packed = 0,
): z.output<typeof userStats> => ({
  ...byCounter((kind) => totals?.[kind].items ?? 0),
  totalUploads: (totals?.image.items ?? 0) - packed,
  storageUsed: totals?.image.bytes ?? 0,
});

/** An account as its owner sees it, and without `apiKey` as administrators see it (contract §3, Full user). */
export const fullUser = userSummary.extend({
  email: z.string(),
  status: z.enum(USER_STATUSES),
  invitedBy: userSummary.shape.invitor,
  socials,
  stats: userStats,
  apiKey: z.string().optional(),
});
export type FullUser = z.output<typeof fullUser>;

/** An account as others see it: without e-mail address, status and key. */
export const publicUser = fullUser.partial({ email: true, status: true });

/** The socials of an account with every known site; null for sites without a profile. */
export const socialsOf = (user: User): Record<Social, string | null> =>
  Object.fromEntries(SOCIALS.map((name) => [name, user.socials[name] ?? null])) as Record<
    Social,
    string | null
  >;

/** The record of the caller's own account. */
export async function toOwnUser(ctx: AccountContext, user: User): Promise<FullUser> {
  return toFullUser(ctx.app, user, ctx.account.key?.isMain !== false);
}

/** Builds the full record; `self` adds the API key, `openBytes` counts only open items in `storageUsed`. */
export async function toFullUser(
  app: Services,
  user: User,
  self: boolean,
  openBytes = false,
): Promise<FullUser> {
  const summary = await summarise(app, user);
  const [totals, packed] = await Promise.all([
    totalsByKind(app.db, user.id, { openBytes }),
    packedOfUsers(app.db, [user.id]),
  ]);
  const cipher = self ? await mainKeyCipher(app.db.read, user.id) : null;
  return {
    ...summary,
    email: user.email,
    status: user.status,
    invitedBy: summary.invitor,
    socials: socialsOf(user),
    stats: toUserStats(totals, packed.get(user.id)),
    ...(cipher === null ? {} : { apiKey: app.secrets.decrypt(cipher) }),
  };
}

/**
 * Builds the record as this caller may see it: complete for the account itself and for administrators, unless their
 * key reads as a visitor. A named key does not see the main key.
 */
export async function toUserFor(ctx: AccountContext, user: User): Promise<z.output<typeof publicUser>> {
  const { key } = ctx.account;
  const self = user.id === ctx.account.id;
  if (key?.asVisitor !== true && (self || isAdmin(ctx.account.role)))
    return toFullUser(ctx.app, user, self && key?.isMain !== false);
  const { email: _email, status: _status, ...shown } = await toFullUser(ctx.app, user, false, true);
  return shown;
}
