import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { countIdentities } from '../../../db/account/identity.js';
import { countPasskeys, deletePasskey, passkeysOf, renamePasskey } from '../../../db/account/passkey.js';
import { fail, found } from '../../base/errors.js';
import {
  contentPageAsked,
  contentPageInput,
  contentPageOf,
  type PageAsked,
  toContentPage,
  windowOf,
} from '../../base/paging.js';
import { lockAccount } from '../../core/accounts/people.js';
import { fullUser, toFullUser } from '../../core/accounts/record.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { isRowId } from '../../core/items/ids.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { requireMainCredential } from '../../core/scopes.js';
import { open, quiet, router, signedIn } from '../../core/trpc.js';
import { passkeyRecord, toRecord } from './record.js';
import { registerOptions, registerPasskey } from './register.js';
import { signInOptions, signInWithPasskey } from './sign-in.js';

/** What browsers are given; exactly the JSON of their API. */
const options = z.looseObject({ challenge: z.string() });
const id = z.int();
const name = z.string().trim().min(1).max(60);

/** What browsers answer; the library checks what is in it. */
const credential = z.looseObject({
  id: z.string().min(1).max(1024),
  rawId: z.string().min(1).max(1024),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
});

/** Passkeys: registered, listed, and used to sign in (contract §7). */
export const passkeyRouter = router({
  registerOptions: signedIn('account:write')
    .input(z.object({ password: z.string().max(200).nullish() }))
    .output(options)
    .mutation(async ({ ctx, input }) => ({ ...(await registerOptions(ctx, input.password)) })),

  register: signedIn('account:write')
    .input(z.object({ credential, name: name.nullish() }))
    .output(passkeyRecord)
    .mutation(({ ctx, input }) =>
      registerPasskey(ctx, input.credential as unknown as RegistrationResponseJSON, input.name ?? null),
    ),

  loginOptions: open(null, 'whilePaused')
    .output(options)
    .mutation(async ({ ctx }) => ({ ...(await signInOptions(ctx)) })),

  login: open(null, 'whilePaused')
    .input(z.object({ credential }))
    .output(fullUser)
    .mutation(async ({ ctx, input }) => {
      const shown = input.credential as unknown as AuthenticationResponseJSON;
      return toFullUser(ctx.app, await signInWithPasskey(ctx, shown), true);
    }),

  list: signedIn('account:read')
    .input(contentPageInput.optional())
    .output(contentPageOf(passkeyRecord))
    .query(({ ctx, input }) => list(ctx, contentPageAsked(input))),

  rename: signedIn('account:write')
    .input(z.object({ id, name }))
    .output(passkeyRecord)
    .mutation(({ ctx, input }) => rename(ctx, input.id, input.name)),

  remove: signedIn('account:write')
    .input(z.object({ id }))
    .output(z.object({}))
    .mutation(quiet(({ ctx, input }) => remove(ctx, input.id))),
});

async function list({ app, account }: AccountContext, asked: PageAsked) {
  const { read } = app.db;
  const [passkeys, total] = await Promise.all([
    passkeysOf(read, account.id, windowOf(asked)),
    countPasskeys(read, account.id),
  ]);
  return toContentPage(asked, passkeys.map(toRecord), total);
}

/** Renames a passkey of the caller and mails its holder; 404 if it is not theirs. */
async function rename({ app, account }: AccountContext, passkeyId: number, to: string) {
  requireMainCredential(account);
  if (!isRowId(passkeyId)) fail('NOT_FOUND');
  const renamed = await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    const passkey = found(await renamePasskey(trx, user.id, passkeyId, to));
    await notifyHolder(app, trx, user, { what: 'passkeyRenamed', name: to });
    return passkey;
  });
  app.jobs.kick();
  return toRecord(renamed);
}

/** Removes a passkey of the caller and mails its holder; 404 if it is not theirs, 400 if it is their only way in. */
async function remove(ctx: AccountContext, passkeyId: number): Promise<void> {
  const { app, account } = ctx;
  requireMainCredential(account);
  if (!isRowId(passkeyId)) fail('NOT_FOUND');
  await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    const removed = found(await deletePasskey(trx, user.id, passkeyId));
    if (!app.settings.signIn.includes('password')) {
      const others = (await countPasskeys(trx, user.id)) + (await countIdentities(trx, user.id));
      if (others < 1) fail('INVALID', 'This is your only way to sign in: add another one first');
    }
    await audit(ctx, trx, 'passkey.removed', { subject: user.id, info: { passkey: passkeyId } });
    await notifyHolder(app, trx, user, { what: 'passkeyRemoved', name: removed });
  });
  app.jobs.kick();
}
