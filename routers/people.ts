import { z } from 'zod';
import type { Queryable } from '../db/connect.js';
import { lockUser, type User } from '../db/user.js';
import type { Services } from './context.js';
import { iso } from './dates.js';
import { fail } from './errors.js';
import { isShutOut, ROLES } from './roles.js';

const person = {
  uid: z.int(),
  id: z.int(),
  username: z.string(),
  role: z.enum(ROLES),
  avatar: z.url(),
  createdAt: z.iso.datetime(),
};

/** A user as others see them (contract §3, User summary). */
export const userSummary = z.object({ ...person, invitor: z.object(person).nullable() });
export type UserSummary = z.output<typeof userSummary>;

/** The address of an account's picture: elsewhere, uploaded, or the generated one. It changes with the picture. */
export function avatarUrl(app: Services, user: Pick<User, 'id' | 'avatar' | 'avatarSha256'>): string {
  if (user.avatar !== null) return user.avatar;
  const own = `${app.settings.baseUrl}/user/avatar/${user.id}`;
  return user.avatarSha256 === null ? own : `${own}?v=${user.avatarSha256.slice(0, 8)}`;
}

const personOf = (app: Services, user: User) => ({
  uid: user.id,
  id: user.id,
  username: user.username,
  role: user.role,
  avatar: avatarUrl(app, user),
  createdAt: iso(user.createdAt),
});

/** The summary of an account already at hand. */
export async function summarise(app: Services, user: User): Promise<UserSummary> {
  const invitor = user.invitedBy === null ? null : await app.load.user(user.invitedBy);
  return { ...personOf(app, user), invitor: invitor === null ? null : personOf(app, invitor) };
}

/** An account that a row names; it exists as long as the row does, so 404 says that the row has gone too. */
export async function accountOf(app: Services, id: number): Promise<User> {
  return (await app.load.user(id)) ?? fail('NOT_FOUND');
}

/**
 * The account of whoever asked, held in the transaction that does something for it: what was known of it before may
 * have changed. 401 once it is deleted or shut out.
 */
export async function lockAccount(app: Services, trx: Queryable, id: number): Promise<User> {
  const user = await lockUser(app.db, trx, id);
  if (user === null || isShutOut(user.role)) fail('UNAUTHENTICATED');
  return user;
}

/** As `summaryOf`, null for nobody and for an account that is gone. */
export async function summaryOrNull(app: Services, id: number | null): Promise<UserSummary | null> {
  const user = id === null ? null : await app.load.user(id);
  return user === null ? null : summarise(app, user);
}

/** The summary of the account with this number. */
export async function summaryOf(app: Services, id: number): Promise<UserSummary> {
  return summarise(app, await accountOf(app, id));
}
