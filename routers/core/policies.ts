/**
 * Who may do what with what an account has: an item, a collection, a request. Its owner may do all of it, unless the key
 * of the call forbids it; everybody else is let in by what the item itself says (`access.ts`).
 */
import { MEMBER_ROLES, type MemberRole } from '../../db/content/collection/collection-member.js';
import { fail } from '../base/errors.js';
import type { OwnedKind } from '../base/kinds.js';
import { ABILITIES, hasRank, isShutOut, type Role } from '../base/roles.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { changesKind, readsOwnOfKind, requireChangeOfKind } from './scopes.js';

/** What belongs to an account. */
export interface Owned {
  readonly ownerId: number;
  /** As what the caller is a member of it; without one, the caller is none. */
  readonly memberRole?: MemberRole | null;
}

/** What a key must be for it: each says whether one can be used on its owner's behalf. */
const KEYS = {
  /** It reads items of this kind, and not as a visitor. */
  reads: readsOwnOfKind,
  /** It changes items of this kind, also if it reads as a visitor. */
  writes: changesKind,
  /** It does not read as a visitor; its scope is what the procedure asks for. */
  asOwner: ({ key }: Caller) => key?.asVisitor !== true,
  /** As `asOwner`, or the main key with which a portal's server reads: it shows this to administrators only. */
  asOwnerOrPortal: ({ key }: Caller) => key?.asVisitor !== true || key.isMain,
  /** Its scope is what the procedure asks for. */
  any: () => true,
} as const satisfies Readonly<Record<string, (caller: Caller, kind: OwnedKind) => boolean>>;

const allow = (
  key: keyof typeof KEYS,
  {
    beside = null,
    member = null,
  }: { readonly beside?: Role | null; readonly member?: MemberRole | null } = {},
) => ({ key, beside, member });

/**
 * Each action, with what it asks of a key, the lowest role that may do it with what others have, and the lowest of a
 * member of it; none by default.
 */
const POLICIES = {
  /** Open it without its password, beyond its limits and after its end. */
  open: allow('reads', { beside: ABILITIES.moderate }),
  /** Open it while it is there, without its password. */
  look: allow('reads', { beside: ABILITIES.moderate, member: 'viewer' }),
  /** See all of it in the answer to a change. */
  seeChanged: allow('asOwner', { beside: ABILITIES.moderate, member: 'viewer' }),
  /** See what its record keeps for its owner. */
  seeOwn: allow('asOwner'),
  /** See how often it was opened. */
  seeCounts: allow('asOwner', { beside: ABILITIES.administer }),
  /** See who opened it. */
  seeVisitors: allow('asOwnerOrPortal', { beside: ABILITIES.administer }),
  /** See it as who edits it does. */
  manage: allow('any'),
  /** See it as its members do. */
  join: allow('any', { member: 'viewer' }),
  /** Add own files. */
  add: allow('writes', { member: 'adder' }),
  /** Change its words, order and entries. */
  edit: allow('writes', { member: 'editor' }),
  change: allow('writes'),
  changePassword: allow('writes', { beside: ABILITIES.administer }),
  remove: allow('writes', { beside: ABILITIES.moderate }),
} as const;

/** What can be done with what an account has. */
export type Action = keyof typeof POLICIES;

/** Whether somebody of this role may do it, whatever the key: what pages ask, which are used without one. */
export const isAllowed = (
  action: Action,
  role: Role,
  isOwner: boolean,
  memberRole: MemberRole | null = null,
): boolean => {
  const { beside, member } = POLICIES[action];
  return (
    isOwner ||
    (beside !== null && hasRank(role, beside)) ||
    (member !== null && memberRole !== null && includesRole(memberRole, member))
  );
};

/** Whether members of this role may do what those of the other may. */
const includesRole = (role: MemberRole, other: MemberRole): boolean =>
  MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(other);

/** Whether the account is active and neither banned nor deleted. */
export const isUsable = (caller: Caller | null): caller is Caller =>
  caller?.active === true && !isShutOut(caller.role);

const owns = (caller: Caller, { ownerId }: Owned): boolean => caller.id === ownerId;

/** Whether the caller may do this with something of this kind. */
export async function may(ctx: Context, action: Action, kind: OwnedKind, item: Owned): Promise<boolean> {
  return lets(await ctx.caller(), action, kind, item);
}

/** As `may`, for a caller who is known. */
export const lets = (caller: Caller | null, action: Action, kind: OwnedKind, item: Owned): boolean =>
  isUsable(caller) &&
  isAllowed(action, caller.role, owns(caller, item), item.memberRole) &&
  KEYS[POLICIES[action].key](caller, kind);

/**
 * Refuses with 403 a key that may not do this with anything of the kind, and a member who may not do it; with 401 whoever
 * else may not.
 */
export function requireAllowed(caller: Caller, action: Action, kind: OwnedKind, item: Owned): void {
  if (POLICIES[action].key === 'writes') requireChangeOfKind(caller, kind);
  if (!mayDo(caller, action, item)) fail(item.memberRole == null ? 'NOT_OWNER' : 'MEMBER_ROLE');
}

/** Whether an account may do this, where the procedure has asked for what its key needs. */
export const mayDo = (caller: Caller, action: Action, item: Owned): boolean =>
  isUsable(caller) && isAllowed(action, caller.role, owns(caller, item), item.memberRole);
