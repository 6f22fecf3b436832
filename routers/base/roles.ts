import type { Role } from '../../db/account/role.js';

export { ROLES, type Role } from '../../db/account/role.js';

const RANK: Readonly<Record<Role, number>> = {
  OWNER: 60,
  ADMIN: 50,
  MODERATOR: 40,
  USER: 30,
  TESTER: 30,
  GUEST: 20,
  BANNED: 0,
  DELETED: 0,
};

/** The permissions, each with the lowest role that has it. Documented in docs/access.md. */
export const ABILITIES = {
  /** Sign in; see open items and one's own; change one's own settings. */
  read: 'GUEST',
  /** Create images, pastes, short URLs and other content. */
  create: 'USER',
  /** See and delete the content of others, including private content. */
  moderate: 'MODERATOR',
  /** Manage invites and accounts of lower roles; see all content and logs, and the audit log. */
  administer: 'ADMIN',
  /** Manage every account, including other owners. */
  own: 'OWNER',
} as const satisfies Readonly<Record<string, Role>>;

/** Whether `role` has the permissions of `needed`. */
export const hasRank = (role: Role, needed: Role): boolean => RANK[role] >= RANK[needed];

/** Whether `role` is strictly higher than `other`. */
export const outranks = (role: Role, other: Role): boolean => RANK[role] > RANK[other];

/** Whether an administrator may act on an account of this role, or on what gives access to one: a lower role, or any for an OWNER. */
export const commands = (role: Role, other: Role): boolean =>
  isAdmin(role) && (hasRank(role, ABILITIES.own) || outranks(role, other));

/** Banned and deleted accounts exist, but have no permissions. */
export const isShutOut = (role: Role): boolean => RANK[role] === 0;

/** Can see and delete the content of others: MODERATOR, ADMIN, OWNER (M of the contract). */
export const isModerator = (role: Role): boolean => hasRank(role, ABILITIES.moderate);

/** Can administer the site: ADMIN, OWNER (A of the contract). */
export const isAdmin = (role: Role): boolean => hasRank(role, ABILITIES.administer);
