/** Roles, highest first (contract §5). USER and TESTER are equal; BANNED and DELETED have no permissions. */
export const ROLES = ['OWNER', 'ADMIN', 'MODERATOR', 'USER', 'TESTER', 'GUEST', 'BANNED', 'DELETED'] as const;

/** A role on the wire and in the database. */
export type Role = (typeof ROLES)[number];
