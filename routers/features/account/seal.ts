import { z } from 'zod';
import { deleteAccountSeal, putAccountSeal, sealOfAccount } from '../../../db/account/account-seal.js';
import { stanzasInArmor } from '../../base/age.js';
import { fail, found } from '../../base/errors.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { recipientInput, requireRecipient } from '../../core/items/seal.js';
import { creator, signedIn } from '../../core/trpc.js';

/** A secret key takes less than 1 KiB as an armored age file. */
const MAX_WRAPPED_LENGTH = 8 * 1024;

/** The key of an account, to which others seal: the public one, and the secret one wrapped with a passphrase. */
const accountSeal = z.object({ recipient: z.string(), wrapped: z.string() });

const newSeal = z.object({
  recipient: recipientInput,
  wrapped: z
    .string('send the secret key in "wrapped", as an age file with a passphrase')
    .max(MAX_WRAPPED_LENGTH, 'a wrapped key has at most 8192 characters')
    .refine(
      (text) => stanzasInArmor(text)?.join() === 'scrypt',
      'send an armored age file that a passphrase opens',
    ),
});

/** Keeping, reading and forgetting the key to which everything for this account is sealed. */
export const sealProcedures = {
  /** As `seal`, null without one: for pages, which only offer it. */
  keptSeal: signedIn('account:read')
    .output(accountSeal.nullable())
    .query(async ({ ctx }) => (await sealOfAccount(ctx.app.db.read, ctx.account.id)) ?? null),

  seal: signedIn('account:read')
    .output(accountSeal)
    .query(async ({ ctx }) => found(await sealOfAccount(ctx.app.db.read, ctx.account.id))),

  putSeal: creator('account:write')
    .input(newSeal)
    .output(accountSeal)
    .mutation(async ({ ctx, input: { recipient, wrapped } }) => {
      if (!recipient) fail('INVALID', 'recipient: use a public key of age (age1…), never a secret one');
      await requireRecipient(recipient);
      const seal = { recipient, wrapped };
      await changing(ctx, (trx) => putAccountSeal(trx, ctx.account.id, seal, Date.now()));
      return seal;
    }),

  deleteSeal: signedIn('account:write')
    .output(z.object({}))
    .mutation(async ({ ctx }) => {
      await changing(ctx, async (trx) => {
        if (!(await deleteAccountSeal(trx, ctx.account.id))) fail('NOT_FOUND');
      });
      return {};
    }),
};

/** Changes the key in a transaction, and notes that in the audit log. */
const changing = (
  ctx: AccountContext,
  change: (trx: Parameters<typeof deleteAccountSeal>[0]) => Promise<void>,
): Promise<void> =>
  ctx.app.db.write(async (trx) => {
    const { id } = await lockAccount(ctx.app, trx, ctx.account.id);
    await change(trx);
    await audit(ctx, trx, 'settings.changed', { subject: id, info: { fields: 'seal' } });
  });
