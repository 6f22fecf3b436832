import { lockUser, type User } from '../../../db/account/account.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import { isAdmin, isShutOut } from '../../base/roles.js';
import type { Services } from '../context.js';

/** An account referenced by a row. It exists as long as the row does, so 404 means that the row is gone too. */
export async function accountOf(app: Services, id: number): Promise<User> {
  return (await app.load.user(id)) ?? fail('NOT_FOUND');
}

/**
 * The caller's account, locked in the transaction that acts for it: it may have changed since the request was
 * authenticated. 401 once it is deleted or banned.
 */
export async function lockAccount(app: Services, trx: Queryable, id: number): Promise<User> {
  const user = await lockUser(app.db, trx, id);
  if (user === null || isShutOut(user.role)) fail('UNAUTHENTICATED');
  return user;
}

/** As `lockAccount`, for what only administrators may do: the caller may have lost that role since. */
export async function lockAdmin(app: Services, trx: Queryable, id: number): Promise<User> {
  const user = await lockAccount(app, trx, id);
  if (!isAdmin(user.role)) fail('FORBIDDEN');
  return user;
}
