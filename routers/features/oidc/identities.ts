import { z } from 'zod';
import { lockUser, type User } from '../../../db/account/account.js';
import {
  countIdentities,
  deleteIdentity,
  identitiesOf,
  identityOf,
  identityOfUser,
  insertIdentity,
  type LinkedIdentity,
} from '../../../db/account/identity.js';
import { countPasskeys } from '../../../db/account/passkey.js';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { type PageAsked, toContentPage, windowOf } from '../../base/paging.js';
import type { OidcPerson, OidcProvider } from '../../base/ports/oidc.js';
import { isShutOut } from '../../base/roles.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Context } from '../../core/context.js';
import { isRowId } from '../../core/items/ids.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { requireProof, requireStillProven } from '../auth/public.js';

/** Maximum identities of an account. */
const MAX_IDENTITIES = 20;

/** A linked identity in the API (contract §7). */
export const identityRecord = z.object({
  id: z.int(),
  provider: z.string(),
  label: z.string(),
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});

const toRecord = ({ app }: Context, identity: LinkedIdentity): z.output<typeof identityRecord> => ({
  id: identity.id,
  provider: identity.provider,
  label: app.oidc.find(({ name }) => name === identity.provider)?.label ?? identity.provider,
  issuer: identity.issuer,
  subject: identity.subject,
  email: identity.email,
  name: identity.name,
  createdAt: iso(identity.createdAt),
  lastUsedAt: isoOrNull(identity.lastUsedAt),
});

/** A page of the caller's identities, newest first. */
export async function listIdentities(ctx: AccountContext, asked: PageAsked) {
  const { read } = ctx.app.db;
  const [identities, total] = await Promise.all([
    identitiesOf(read, ctx.account.id, windowOf(asked)),
    countIdentities(read, ctx.account.id),
  ]);
  return toContentPage(
    asked,
    identities.map((identity) => toRecord(ctx, identity)),
    total,
  );
}

/**
 * Links an identity to the account that started the flow, and mails its holder. 400 if another account has it; 401 if
 * the account was deleted, banned or given another password meanwhile.
 */
export async function linkIdentity(
  ctx: Context,
  provider: OidcProvider,
  began: User,
  person: OidcPerson,
): Promise<void> {
  const { app } = ctx;
  try {
    await app.db.write(async (trx) => {
      const user = await lockUser(app.db, trx, began.id);
      if (user === null || user.passwordHash !== began.passwordHash || isShutOut(user.role))
        fail('UNAUTHENTICATED');
      const linked = await identityOf(trx, person.issuer, person.subject);
      if (linked !== null && linked.userId !== user.id) fail('IDENTITY_TAKEN');
      if (linked !== null) return;
      if ((await countIdentities(trx, user.id)) >= MAX_IDENTITIES)
        fail(
          'INVALID',
          localizable('An account may have {max} linked identities; remove one first', {
            max: MAX_IDENTITIES,
          }),
        );
      await insertIdentity(trx, {
        userId: user.id,
        provider: provider.name,
        issuer: person.issuer,
        subject: person.subject,
        email: person.email,
        name: person.names[0] ?? null,
        createdAt: Date.now(),
        lastUsedAt: null,
      });
      await audit(ctx, trx, 'identity.linked', {
        actor: user.id,
        subject: user.id,
        info: { provider: provider.name },
      });
      await notifyHolder(app, trx, user, { what: 'identityLinked', name: provider.label });
    });
  } catch (error) {
    if (app.db.dialect.isUniqueViolation(error)) fail('IDENTITY_TAKEN', { cause: error });
    throw error;
  }
  app.jobs.kick();
}

/** Unlinks an identity of the caller, who proves to be there; 404 if it is not theirs, 400 if it is their only way in. */
export async function unlinkIdentity(
  ctx: AccountContext,
  { id, password }: { readonly id: number; readonly password?: string | null | undefined },
): Promise<void> {
  const { app, account } = ctx;
  const identity = isRowId(id) ? await identityOfUser(app.db.read, account.id, id) : null;
  const { provider } = found(identity);
  const proven = await requireProof(ctx, password);
  await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    requireStillProven(proven, user);
    if (!app.settings.signIn.includes('password')) {
      const others = (await countIdentities(trx, user.id)) - 1 + (await countPasskeys(trx, user.id));
      if (others < 1) fail('INVALID', 'This is your only way to sign in: link another one first');
    }
    if (!(await deleteIdentity(trx, user.id, id))) fail('NOT_FOUND');
    await audit(ctx, trx, 'identity.unlinked', { subject: user.id, info: { provider } });
    const label = app.oidc.find(({ name }) => name === provider)?.label ?? provider;
    await notifyHolder(app, trx, user, { what: 'identityUnlinked', name: label });
  });
  app.jobs.kick();
}
