import { z } from 'zod';
import type { User } from '../../../db/account/account.js';
import { ROLES } from '../../base/roles.js';
import { iso } from '../../base/text/dates.js';
import type { Services } from '../context.js';
import { accountOf } from './people.js';

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

/** The URL of an account's picture: external, uploaded, or generated. It changes with the picture. */
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

/** The summary of an account that is already loaded. */
export async function summarise(app: Services, user: User): Promise<UserSummary> {
  const invitor = user.invitedBy === null ? null : await app.load.user(user.invitedBy);
  return { invitor: invitor === null ? null : personOf(app, invitor), ...personOf(app, user) };
}

/** As `summaryOf`; null for null and for an account that is gone. */
export async function summaryOrNull(app: Services, id: number | null): Promise<UserSummary | null> {
  const user = id === null ? null : await app.load.user(id);
  return user === null ? null : summarise(app, user);
}

/** The summary of the account with this id. */
export async function summaryOf(app: Services, id: number): Promise<UserSummary> {
  return summarise(app, await accountOf(app, id));
}
