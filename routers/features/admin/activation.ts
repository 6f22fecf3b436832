import {
  activateUser,
  foldCase,
  lockOwners,
  lockUser,
  type User,
  updateUser,
} from '../../../db/account/account.js';
import { deleteCodes } from '../../../db/account/code.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, found } from '../../base/errors.js';
import { audit } from '../../core/audit.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { AccountContext, Services } from '../../core/context.js';
import { queueMail } from '../../core/mail/outgoing.js';
import { deleteAccount } from '../account/public.js';
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
    if (app.mail.transport.label !== null) await tellActive(app, trx, target);
  });
  announceVerified(app, uid);
  app.jobs.kick();
}

async function tellActive(app: Services, trx: Queryable, { username, email, language }: User): Promise<void> {
  const mail = (await mailsOf(app, trx, { language })).activated({
    username,
    signInLink: `${app.settings.frontendUrl ?? `${app.settings.origin}/web`}/login`,
  });
  await queueMail(app, trx, { to: email, ...mail });
}

/**
 * Decides about an account of a lower role that waits to be let in, and tells its holder. A refused one is deleted with
 * all that it has. 400 for an account that waits for nothing.
 */
export async function decideApproval(
  ctx: AccountContext,
  { uid, approved }: { readonly uid: number; readonly approved: boolean },
): Promise<void> {
  const { app } = ctx;
  const requireWaiting = async (trx: Queryable, target: User, owners: readonly number[]) => {
    if (target.role === 'DELETED') fail('NOT_FOUND');
    await requireAuthority(ctx, trx, target, owners, approved ? target.role : 'DELETED');
    if (target.status !== 'WAITING') fail('NOT_WAITING');
  };
  if (approved)
    await app.db.write(async (trx) => {
      const owners = await lockOwners(app.db, trx);
      const target = found(await lockUser(app.db, trx, uid));
      await requireWaiting(trx, target, owners);
      await updateUser(trx, uid, { status: 'ACTIVE' });
      await audit(ctx, trx, 'account.approved', { subject: uid });
      await tellActive(app, trx, target);
    });
  else
    await deleteAccount(ctx, uid, async (trx, target, owners) => {
      await requireWaiting(trx, target, owners);
      const mail = (await mailsOf(app, trx, target)).accountRefused({ username: target.username });
      await queueMail(app, trx, { to: target.email, ...mail });
      await audit(ctx, trx, 'account.refused', { subject: uid });
    });
  app.jobs.kick();
}
