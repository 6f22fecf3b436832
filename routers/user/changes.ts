import { type User, type UserChange, updateUser } from '../../db/user.js';
import { lockAccount } from '../people.js';
import type { AccountContext } from '../trpc.js';

/** Changes the caller's account by what it holds now; of simultaneous changes none is lost. */
export async function changeOwn(ctx: AccountContext, change: (current: User) => UserChange): Promise<User> {
  return ctx.app.db.write(async (trx) => {
    const user = await lockAccount(ctx.app, trx, ctx.account.id);
    const changed = change(user);
    await updateUser(trx, user.id, changed);
    return { ...user, ...changed };
  });
}

/**
 * A stored set after a PATCH of texts in it: absent names stay, null and "" take one away (contract §5). Only names
 * of `known` are looked at.
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
