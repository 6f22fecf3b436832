import { z } from 'zod';
import { lockUser, type User } from '../../db/account/account.js';
import {
  countIdentities,
  deleteIdentity,
  identitiesOf,
  identityOf,
  identityOfUser,
  insertIdentity,
  type LinkedIdentity,
} from '../../db/account/identity.js';
import { countPasskeys } from '../../db/account/passkey.js';
import { audit } from '../audit.js';
import { tellHolder } from '../auth/notices.js';
import { requireProof, requireStillProven } from '../auth/proof.js';
import type { Context } from '../context.js';
import { fail, found } from '../errors.js';
import { told } from '../language/told.js';
import type { OidcPerson, OidcProvider } from '../ports/oidc.js';
import { isShutOut } from '../roles.js';
import { isRowId } from '../shared/ids.js';
import { type PageAsked, toContentPage, windowOf } from '../shared/paging.js';
import { lockAccount } from '../shared/people.js';
import { iso, isoOrNull } from '../text/dates.js';
import type { AccountContext } from '../trpc.js';

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
          told('An account may have {max} linked identities; remove one first', { max: MAX_IDENTITIES }),
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
      await tellHolder(app, trx, user, { what: 'identityLinked', name: provider.label });
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
    await tellHolder(app, trx, user, { what: 'identityUnlinked', name: label });
  });
  app.jobs.kick();
}
