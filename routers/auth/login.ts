import { z } from 'zod';
import { type User, userByEmail } from '../../db/user.js';
import type { Context } from '../context.js';
import { fail } from '../errors.js';
import { isShutOut, type Role } from '../roles.js';

export const loginInput = z.object({ email: z.string().max(254), password: z.string().max(200) });

/**
 * Who signs in with this address and password. One answer in one time for an unknown address and a wrong
 * password; tries are limited per account and address, so that nobody else can lock the holder out.
 */
export async function authenticate(ctx: Context, input: z.output<typeof loginInput>): Promise<User> {
  const { app } = ctx;
  const email = input.email.trim().toLowerCase();
  const subject = `${email}|${ctx.address}`;
  await app.limits.take('login', subject);
  const user = await userByEmail(app.db.read, email);
  const valid =
    user === null
      ? await app.passwords.verifyNothing(input.password)
      : await app.passwords.verify(user.passwordHash, input.password);
  if (user === null || !valid) fail('LOGIN_FAILED');
  await app.limits.clear('login', subject);
  if (isShutOut(user.role as Role)) fail('ACCOUNT_INACTIVE');
  if (user.status !== 'ACTIVE') fail('LOGIN_PENDING');
  return user;
}
