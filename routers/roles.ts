import type { Role } from '../db/role.js';

export { ROLES, type Role } from '../db/role.js';

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

/** What roles may do, and the lowest one that may. docs/access.md tells it to people. */
export const ABILITIES = {
  /** Sign in; see what is open and what is one's own; change one's own settings. */
  read: 'GUEST',
  /** Make images, pastes, short URLs and whatever else takes room. */
  create: 'USER',
  /** See and delete the content of others, whatever its privacy. */
  moderate: 'MODERATOR',
  /** Invites; accounts of lower roles; everybody's content and logs; the audit log. */
  administer: 'ADMIN',
  /** Every account, those of other owners included. */
  own: 'OWNER',
} as const satisfies Readonly<Record<string, Role>>;

/** True when `role` may do what `needed` may do. */
export const hasRank = (role: Role, needed: Role): boolean => RANK[role] >= RANK[needed];

/** True when `role` is strictly higher than `other`. */
export const outranks = (role: Role, other: Role): boolean => RANK[role] > RANK[other];

/** Banned and deleted accounts exist, but may do nothing. */
export const isShutOut = (role: Role): boolean => RANK[role] === 0;

/** Sees and removes the content of others: MODERATOR, ADMIN, OWNER (M of the contract). */
export const isModerator = (role: Role): boolean => hasRank(role, ABILITIES.moderate);

/** Administers the site: ADMIN, OWNER (A of the contract). */
export const isAdmin = (role: Role): boolean => hasRank(role, ABILITIES.administer);
