import type { Collection } from '../../../db/content/collection/collection.js';
import { type MemberRole, memberRole } from '../../../db/content/collection/collection-member.js';
import { isUnavailable } from '../../../db/content/life.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { isModerator } from '../../base/roles.js';
import type { Caller } from '../../core/caller.js';
import type { Context } from '../../core/context.js';

/** A collection, with what the caller is a member of it as, by which `core/policies.ts` decides; null for no member. */
export type Joined = Collection & { readonly memberRole: MemberRole | null };

/** Looks up what the caller is in a collection; in a transaction, as it is until the commit. What has ended has no members. */
export async function joined(ctx: Context, collection: Collection, db: Queryable): Promise<Joined> {
  const caller = await ctx.caller();
  const isOther = caller !== null && caller.id !== collection.ownerId && !isUnavailable(collection);
  return { ...collection, memberRole: isOther ? await memberRole(db, collection.id, caller.id) : null };
}

/**
 * Whose files in a collection are open to a caller whatever they say themselves: one's own, to moderators all. In a
 * collection that several keep together, the files of the others keep their passwords and ends.
 */
export type Sees = number | 'all' | null;

/** What somebody sees who is let in as an owner, a member, or a moderator. */
export const seesOf = (caller: Pick<Caller, 'id' | 'role'> | null): Sees =>
  caller === null ? null : isModerator(caller.role) ? 'all' : caller.id;
