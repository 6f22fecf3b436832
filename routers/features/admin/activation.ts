import { activateUser, foldCase, lockOwners, lockUser } from '../../../db/account/account.js';
import { deleteCodes } from '../../../db/account/code.js';
import { fail, found } from '../../base/errors.js';
import { audit } from '../../core/audit.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { AccountContext } from '../../core/context.js';
import { queueMail } from '../../core/mail/outgoing.js';
import { announceVerified } from '../auth/public.js';
import { requireAuthority } from './accounts.js';

/**
 * Activates a pending account of a lower role without its verification, for servers that send no mail and people whom
 * it does not reach. Its codes and links end; if mail is sent, it tells the holder. 400 for an account that waits for
 * nothing.
 */
export async function activatePending(ctx: AccountContext, uid: number): Promise<void> {
  const { app } = ctx;
  await app.db.write(async (trx) => {
    const owners = await lockOwners(app.db, trx);
    const target = found(await lockUser(app.db, trx, uid));
    if (target.role === 'DELETED') fail('NOT_FOUND');
    await requireAuthority(ctx, trx, target, owners, target.role);
    if (!(await activateUser(trx, uid, foldCase(target.email)))) fail('NOT_PENDING');
    await deleteCodes(trx, uid);
    await audit(ctx, trx, 'account.activated', { subject: uid });
    if (app.mail.transport.label === null) return;
    const mail = (await mailsOf(app, trx, target)).activated({
      username: target.username,
      signInLink: `${app.settings.frontendUrl ?? `${app.settings.origin}/web`}/login`,
    });
    await queueMail(app, trx, { to: target.email, ...mail });
  });
  announceVerified(app, uid);
  app.jobs.kick();
}
