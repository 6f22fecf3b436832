import { type User, type UserChange, updateUser } from '../../db/account/user.js';
import { lockAccount } from '../shared/people.js';
import type { AccountContext } from '../trpc.js';

/** Changes the caller's account based on its current state; concurrent changes are not lost. */
export async function changeOwn(ctx: AccountContext, change: (current: User) => UserChange): Promise<User> {
  return ctx.app.db.write(async (trx) => {
    const user = await lockAccount(ctx.app, trx, ctx.account.id);
    const changed = change(user);
    await updateUser(trx, user.id, changed);
    return { ...user, ...changed };
  });
}

/**
 * Applies a PATCH to stored texts: absent names stay, null and "" remove one (contract §5). Ignores names
 * that are not in `known`.
 */
export function patched<V, N extends string>(
  stored: Readonly<Record<string, V>>,
  patch: Readonly<Partial<Record<N, V | null | undefined>>>,
  known: readonly N[],
): Record<string, V> {
  const result = { ...stored };
  for (const name of known) {
    const value = patch[name];
    if (value === undefined) continue;
    if (value === null || value === '') delete result[name];
    else result[name] = value;
  }
  return result;
}
