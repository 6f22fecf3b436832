import { lockUser, type User, updateUser } from '../../../db/account/account.js';
import { identityOf, insertIdentity, touchIdentity } from '../../../db/account/identity.js';
import { setInviteUser } from '../../../db/account/invite.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { DomainError, fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import type { OidcPerson, OidcProvider } from '../../base/ports/oidc.js';
import { isShutOut, type Role } from '../../base/roles.js';
import { emailInput, usernameInput } from '../../core/accounts/fields.js';
import { audit } from '../../core/audit.js';
import type { Context } from '../../core/context.js';
import { requireUnblockedNetwork } from '../../core/entry/entry.js';
import { countAttempt } from '../../core/rate-limits.js';
import { newSecret } from '../../core/secrets.js';
import {
  createAccount,
  mailCounts,
  queueVerification,
  statusOfConfirmed,
  tellOfWaiting,
  useInvite,
  writeUnique,
} from '../auth/public.js';
import type { Flow } from './flow.js';

/**
 * The account of somebody who signed in at a provider: that of the identity, or a new one if the provider may register
 * people. An account is never found by an address, which a provider can be made to claim.
 */
export async function accountBehind(
  ctx: Context,
  provider: OidcProvider,
  person: OidcPerson,
  flow: Pick<Flow, 'invite'>,
): Promise<User> {
  const { app } = ctx;
  const identity = await identityOf(app.db.read, person.issuer, person.subject);
  if (identity === null) return register(ctx, provider, person, flow.invite);
  return app.db.write(async (trx) => {
    const user = await lockUser(app.db, trx, identity.userId);
    const seen = { email: person.email, name: person.names[0] ?? null, at: Date.now() };
    if (user === null || !(await touchIdentity(trx, identity.id, seen))) return fail('OIDC_UNKNOWN');
    return giveRole(ctx, trx, user, provider, person.role);
  });
}

/**
 * Gives an account the role that the provider's claim names. Without one, a role that the provider could have given
 * falls back to USER. Owners and banned accounts stay what they are.
 */
async function giveRole(
  ctx: Context,
  trx: Queryable,
  user: User,
  provider: OidcProvider,
  claimed: Role | null,
): Promise<User> {
  const role = claimed ?? (provider.givesRoles.has(user.role) ? 'USER' : user.role);
  if (role === user.role || user.role === 'OWNER' || isShutOut(user.role)) return user;
  await updateUser(trx, user.id, { role });
  await audit(ctx, trx, 'account.changed', {
    actor: user.id,
    subject: user.id,
    info: { role, provider: provider.name },
  });
  return { ...user, role };
}

/** How often a name is tried before random digits are added. */
const NAME_TRIES = 3;

/** Creates the account of a new identity, if the provider may; each refusal has its own text. */
async function register(
  ctx: Context,
  provider: OidcProvider,
  person: OidcPerson,
  invite: string | null,
): Promise<User> {
  const { app } = ctx;
  const { autoRegister, label } = provider;
  if (autoRegister === 'never') fail('OIDC_UNKNOWN');
  await requireUnblockedNetwork(ctx);
  if (autoRegister === 'invite' && invite === null) fail('OIDC_INVITE');
  const email = emailInput.safeParse(person.email ?? '').data;
  if (email === undefined)
    fail(
      'OIDC_ADDRESS',
      localizable('{label} gave no e-mail address, which an account here needs', { label }),
    );
  const passwordHash = await app.passwords.hash(newSecret());
  const make = (username: string) => async (trx: Queryable) => {
    const used = invite === null || autoRegister !== 'invite' ? null : await useInvite(ctx, trx, invite);
    const invitedBy = used?.createdBy ?? null;
    const status = person.emailVerified ? statusOfConfirmed(app, { invitedBy }) : 'PENDING';
    const userId = await createAccount(app, trx, {
      username,
      email,
      passwordHash,
      role: person.role ?? used?.role ?? 'USER',
      status,
      invitedBy,
      apiKey: null,
    });
    if (used !== null) await setInviteUser(trx, used.id, userId);
    await insertIdentity(trx, {
      userId,
      provider: provider.name,
      issuer: person.issuer,
      subject: person.subject,
      email: person.email,
      name: person.names[0] ?? null,
      createdAt: Date.now(),
      lastUsedAt: Date.now(),
    });
    if (status === 'WAITING') await tellOfWaiting(app, trx, { id: userId, username, email });
    if (!person.emailVerified)
      await queueVerification(ctx, trx, { id: userId, username, email, language: null }, true);
    await audit(ctx, trx, 'account.registered', {
      actor: userId,
      subject: userId,
      info: { provider: provider.name },
    });
    return found(await lockUser(app.db, trx, userId));
  };
  const counts = person.emailVerified ? [] : mailCounts(ctx, email, true);
  const user = await countAttempt(app.limits.rates, counts, () =>
    withFreeName(person, (username) => writeUnique(app, { username }, make(username))),
  );
  app.jobs.kick();
  return user;
}

/** Does something with the first name of a person that is free. */
async function withFreeName(person: OidcPerson, work: (username: string) => Promise<User>): Promise<User> {
  const base = nameFrom(person);
  for (let tries = 1; ; tries += 1) {
    const digits = tries < NAME_TRIES ? String(tries) : newSecret().replace(/\W/g, '').slice(0, 6);
    const username = tries === 1 ? base : `${base.slice(0, 24)}-${digits}`;
    try {
      return await work(username);
    } catch (error) {
      const reason = error instanceof DomainError ? error.reason : null;
      if (reason === 'EMAIL_TAKEN') fail('OIDC_LINK_FIRST', { cause: error });
      if (reason !== 'USERNAME_TAKEN' || tries > NAME_TRIES + 2) throw error;
    }
  }
}

/** A valid username from what the provider calls somebody. */
function nameFrom({ names, email }: OidcPerson): string {
  const candidates = [...names, (email ?? '').split('@')[0] ?? ''].map((name) =>
    name
      .normalize('NFKD')
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 32),
  );
  return candidates.find((name) => usernameInput.safeParse(name).success) ?? 'user';
}
