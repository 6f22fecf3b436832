import { foldCase, lockUser, updateUser } from '../../../db/account/account.js';
import { deleteCodes, emailKeyOfLink, takeLink } from '../../../db/account/code.js';
import { fail } from '../../base/errors.js';
import { isShutOut } from '../../base/roles.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { AccountContext, Context } from '../../core/context.js';
import { queueMail } from '../../core/mail/outgoing.js';
import { countAttempt } from '../../core/rate-limits.js';
import { hashSecret } from '../../core/secrets.js';
import { requireFreeAddress, writeUnique } from './accounts.js';
import { cooldownOf, mailCounts, queueNewAddress } from './codes.js';
import { confirmPassword, requireSamePassword } from './password.js';

/**
 * Mails a link to a new address of the caller, who confirms with the password. The address changes when the link is
 * used. 400 for the address that the account has or another one uses, 429 within two minutes of the last such mail.
 */
export async function requestAddress(
  ctx: AccountContext,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const { app } = ctx;
  const confirmed = await confirmPassword(ctx, password);
  // Counts even if it is refused: the refusal says which addresses have an account.
  await app.limits.rates.take('mail', `address|${confirmed.id}`);
  await countAttempt(app.limits.rates, mailCounts(ctx, email, true), () =>
    app.db.write(async (trx) => {
      const user = await lockAccount(app, trx, confirmed.id);
      requireSamePassword(confirmed, user);
      if (email === user.email) fail('INVALID', 'email: this is the address of your account');
      await requireOthersFree(trx, user, email);
      const wait = await cooldownOf(trx, user.id, 'address');
      if (wait > 0 || !(await queueNewAddress(ctx, trx, user, email)))
        fail('TOO_MANY_REQUESTS', { retryAfter: wait });
    }),
  );
  app.jobs.kick();
}

/** The address that the link of such a mail would give an account; null if the link does not work. */
export async function newAddressOf({ app }: Context, code: string): Promise<string | null> {
  return emailKeyOfLink(app.db.read, 'address', hashSecret(code), Date.now());
}

/**
 * Gives an account the address that its link was mailed to, and tells the old one; 400 if the link is wrong, used or
 * expired, or if another account has got the address meanwhile. Codes and links mailed to the old address end.
 */
export async function confirmAddress(ctx: Context, code: string): Promise<{ readonly email: string }> {
  const { app } = ctx;
  await app.limits.rates.take('codeAddress', `address|${ctx.network()}`);
  const email = await writeUnique(app, {}, async (trx) => {
    const taken = await takeLink(trx, 'address', hashSecret(code), Date.now());
    const user = taken === null ? null : await lockUser(app.db, trx, taken.userId);
    if (taken === null || user === null) return fail('CODE_INVALID');
    if (isShutOut(user.role) || user.status !== 'ACTIVE') fail('ACCOUNT_INACTIVE');
    const address = taken.emailKey;
    await requireOthersFree(trx, user, address);
    await updateUser(trx, user.id, { email: address });
    await deleteCodes(trx, user.id);
    await audit(ctx, trx, 'address.changed', { actor: user.id, subject: user.id });
    const mail = (await mailsOf(app, trx, user)).addressChanged({ username: user.username });
    await queueMail(app, trx, { to: user.email, ...mail });
    return address;
  });
  app.jobs.kick();
  return { email };
}

/** Refuses an address that another account uses; the own one may be written in another way. */
async function requireOthersFree(
  trx: Parameters<typeof requireFreeAddress>[0],
  user: { readonly id: number; readonly email: string },
  address: string,
): Promise<void> {
  if (foldCase(address) !== foldCase(user.email)) await requireFreeAddress(trx, address, user.id);
}
