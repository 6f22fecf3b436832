import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../../db/connect.js';
import { claimOnce, insertInvite, ownerInvites } from '../../db/invite.js';
import { anyUser } from '../../db/user.js';
import type { Services } from '../context.js';
import { fail } from '../errors.js';
import { createAccount, hashInvite } from './accounts.js';
import { newPasswordInput, usernameInput } from './fields.js';

/** The account that the first start is told to make. */
export interface OwnerDraft {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string | null;
}

/** Marks that the first account exists; whoever inserts it first, is first. */
const FIRST_ACCOUNT = 'first_account';

/** Makes the first account, an active OWNER; false when somebody else was faster. */
async function createFirstOwner(
  app: Services,
  trx: Queryable,
  owner: OwnerDraft,
  passwordHash: string,
): Promise<boolean> {
  if ((await anyUser(trx)) || !(await claimOnce(trx, FIRST_ACCOUNT))) return false;
  await createAccount(app, trx, {
    username: owner.username,
    email: owner.email,
    passwordHash,
    role: 'OWNER',
    status: 'ACTIVE',
    invitedBy: null,
    apiKey: owner.apiKey,
  });
  return true;
}

/** What an owner needs; the address may be one of a network of its own. */
const ownerInput = z.object({
  username: usernameInput,
  email: z
    .string()
    .max(254)
    .regex(/^[^\s@<>]+@[^\s@<>]+$/, 'is not an e-mail address'),
  password: newPasswordInput,
});

/**
 * Makes the owner named in the configuration unless any account exists; true when it did (contract §1). Throws a
 * `ZodError` for one that nobody could sign in as.
 */
export async function ensureOwner(app: Services, owner: OwnerDraft): Promise<boolean> {
  if (await anyUser(app.db.read)) return false;
  ownerInput.parse(owner);
  const passwordHash = await app.passwords.hash(owner.password);
  return app.db.write((trx) => createFirstOwner(app, trx, owner, passwordHash));
}

/** A new one-time code that makes an owner, while no account exists; null once one does. */
export async function issueOwnerCode(app: Services): Promise<string | null> {
  if (await anyUser(app.db.read)) return null;
  const code = randomBytes(16).toString('hex');
  await app.db.write((trx) =>
    insertInvite(trx, {
      codeHash: hashInvite(code),
      codeCipher: null,
      role: 'OWNER',
      createdBy: null,
      createdAt: Date.now(),
      expiresAt: null,
      maxUses: 1,
    }),
  );
  return code;
}

/** Registers the first owner with a printed code; null when the code is none of those. */
export async function registerFirstOwner(
  app: Services,
  owner: OwnerDraft,
  inviteCode: string,
): Promise<true | null> {
  if (!(await ownerInvites(app.db.read, hashInvite(inviteCode)))) return null;
  const passwordHash = await app.passwords.hash(owner.password);
  const first = await app.db.write((trx) => createFirstOwner(app, trx, owner, passwordHash));
  if (!first) fail('INVITE_INVALID');
  return true;
}
