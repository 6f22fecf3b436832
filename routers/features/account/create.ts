import { z } from 'zod';
import type { User } from '../../../db/account/account.js';
import { fail } from '../../base/errors.js';
import { rule } from '../../base/language/rules.js';
import { outranks, ROLES, type Role } from '../../base/roles.js';
import { emailInput, newPasswordInput, usernameInput } from '../../core/accounts/fields.js';
import { accountOf, lockAdmin } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { Caller } from '../../core/caller.js';
import type { AccountContext } from '../../core/context.js';
import { requireUnblockedNetwork } from '../../core/entry/entry.js';
import { requireMainCredential } from '../../core/scopes.js';
import { createAccount, writeUnique } from '../auth/public.js';

const GIVABLE = ROLES.filter((role) => role !== 'DELETED');

/** A role that can be assigned, in any case; DELETED cannot. */
export const roleInput = z
  .string()
  .toUpperCase()
  .pipe(z.enum(GIVABLE, { error: rule('is not a role; roles are {known}', { known: GIVABLE.join(', ') }) }));

/** An account that an administrator creates. */
export const createUserInput = z.object({
  username: usernameInput,
  email: emailInput,
  password: newPasswordInput,
  role: roleInput.nullish(),
});

/** Whether the caller may assign a role: none above their own, with a named key only lower ones. */
export const mayGive = ({ role: held, key }: Caller, role: Role): boolean =>
  key?.isMain === false ? outranks(held, role) : !outranks(role, held);

/**
 * Refuses to assign a role above the one that the caller has (contract §5); with a named key also the same one, or a key
 * could make an account for itself that needs no key.
 */
export function requireGivable(caller: Caller, role: Role, held: Role = caller.role): void {
  if (outranks(role, held)) fail('ROLE_TOO_HIGH');
  if (!outranks(held, role)) requireMainCredential(caller);
}

/** Creates an active account without an invite and without a mail. */
export async function createUser(
  ctx: AccountContext,
  input: z.output<typeof createUserInput>,
): Promise<User> {
  const { app, account } = ctx;
  const role = input.role ?? 'USER';
  requireGivable(account, role);
  await requireUnblockedNetwork(ctx);
  const passwordHash = await app.passwords.hash(input.password);
  const id = await writeUnique(app, input, async (trx) => {
    const giver = await lockAdmin(app, trx, account.id);
    requireGivable(account, role, giver.role);
    const userId = await createAccount(app, trx, {
      username: input.username,
      email: input.email,
      passwordHash,
      role,
      status: 'ACTIVE',
      invitedBy: account.id,
      apiKey: null,
    });
    await audit(ctx, trx, 'account.created', { subject: userId, info: { role } });
    return userId;
  });
  return accountOf(app, id);
}
