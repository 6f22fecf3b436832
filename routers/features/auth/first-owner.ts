import { anyOwner, type User } from '../../../db/account/account.js';
import { insertInvite, ownerInvites } from '../../../db/account/invite.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { takeTurn } from '../../../db/system/installation.js';
import { fail } from '../../base/errors.js';
import { accountOf } from '../../core/accounts/people.js';
import type { Services } from '../../core/context.js';
import { hashInvite, newInviteCode } from '../../core/secrets.js';
import { createAccount, writeUnique } from './accounts.js';

interface OwnerDraft {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string | null;
}

/** The name of the lock that allows only one first owner. */
const FIRST_OWNER = 'first_owner';

/**
 * Creates the first owner as an active account, whatever other accounts exist, and returns its id; null if there
 * already is an owner. Refuses a name or address that another account uses.
 */
const createFirstOwner = (app: Services, owner: OwnerDraft, passwordHash: string): Promise<number | null> =>
  writeUnique(app, owner, (trx) => insertFirstOwner(app, trx, owner, passwordHash));

async function insertFirstOwner(
  app: Services,
  trx: Queryable,
  owner: OwnerDraft,
  passwordHash: string,
): Promise<number | null> {
  await takeTurn(trx, FIRST_OWNER);
  if (await anyOwner(trx)) return null;
  return createAccount(app, trx, {
    username: owner.username,
    email: owner.email,
    passwordHash,
    role: 'OWNER',
    status: 'ACTIVE',
    invitedBy: null,
    apiKey: owner.apiKey,
  });
}

/**
 * Creates the owner named in the configuration unless there is one; true if it did (contract §1). Refuses the
 * name or address of another account.
 */
export async function ensureOwner(app: Services, owner: OwnerDraft): Promise<boolean> {
  if (await anyOwner(app.db.read)) return false;
  const passwordHash = await app.passwords.hash(owner.password);
  return (await createFirstOwner(app, owner, passwordHash)) !== null;
}

/** A new one-time code to register as owner; null if there is an owner. */
export async function issueOwnerCode(app: Services): Promise<string | null> {
  if (await anyOwner(app.db.read)) return null;
  const code = newInviteCode();
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

/** Registers the first owner with a printed code, and returns it; null if it is not such a code. */
export async function registerFirstOwner(
  app: Services,
  owner: OwnerDraft,
  inviteCode: string,
): Promise<User | null> {
  if (!(await ownerInvites(app.db.read, hashInvite(inviteCode)))) return null;
  const passwordHash = await app.passwords.hash(owner.password);
  const id = await createFirstOwner(app, owner, passwordHash);
  return accountOf(app, id ?? fail('INVITE_INVALID'));
}

/** Installations that were seen with an owner: the last owner cannot leave. */
const owned = new WeakSet<Services>();

/** Whether the installation waits for its first owner. */
export async function lacksOwner(app: Services): Promise<boolean> {
  if (owned.has(app)) return false;
  if (!(await anyOwner(app.db.read))) return true;
  owned.add(app);
  return false;
}
