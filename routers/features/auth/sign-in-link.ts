import { foldCase, lockUser, type User, userById } from '../../../db/account/account.js';
import { putCode, takeLink } from '../../../db/account/code.js';
import { fail, found } from '../../base/errors.js';
import { isShutOut } from '../../base/roles.js';
import { audit } from '../../core/audit.js';
import type { Context, Services } from '../../core/context.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { hashSecret } from '../../core/secrets.js';
import { CODE_MINUTES, newLinkCode } from './codes.js';
import { enter } from './login.js';

/**
 * An address that signs in to an account once, within 15 minutes: for somebody who is locked out, made by whoever has
 * the command. A new one replaces the last one.
 */
export async function makeSignInLink(app: Services, userId: number): Promise<string> {
  const code = newLinkCode();
  const createdAt = Date.now();
  await app.db.write(async (trx) => {
    const user = found(await lockUser(app.db, trx, userId));
    if (isShutOut(user.role)) fail('ACCOUNT_INACTIVE');
    await putCode(
      trx,
      {
        userId,
        purpose: 'signIn',
        emailKey: foldCase(user.email),
        codeHash: null,
        linkHash: hashSecret(code),
        createdAt,
        expiresAt: createdAt + CODE_MINUTES * 60_000,
      },
      createdAt,
    );
    await audit({ address: null }, trx, 'login.link', { subject: userId });
    await notifyHolder(app, trx, user, { what: 'signInLinkMade' });
  });
  return `${app.settings.origin}/web/sign-in?code=${code}`;
}

/** Signs in with such an address; 400 if it is wrong, used or expired. */
export async function signInByLink(ctx: Context, code: string): Promise<User> {
  const { app } = ctx;
  await app.limits.rates.take('codeAddress', `signIn|${ctx.network()}`);
  const user = await app.db.write(async (trx) => {
    const taken = await takeLink(trx, 'signIn', hashSecret(code), Date.now());
    return taken === null ? null : userById(trx, taken.userId);
  });
  if (user === null) return fail('CODE_INVALID', 'This link is wrong, already used or expired');
  return enter(ctx, user, null, { complete: true });
}
