import type { User } from '../../db/user.js';
import { requireStanding } from '../auth/login.js';
import { startSession } from '../auth/session.js';
import type { Context } from '../context.js';

/** Opens a session for an account that a chat application has vouched for, as a login with a password would. */
export async function signInAs(ctx: Context, user: User): Promise<void> {
  await requireStanding(ctx, user);
  await startSession(ctx, user);
}
