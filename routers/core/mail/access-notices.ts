import type { User } from '../../../db/account/account.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { AccessChange } from '../../base/ports/mail/mail-templates.js';
import { mailsOf } from '../branding/branding.js';
import type { Services } from '../context.js';
import { queueMail } from './outgoing.js';

/**
 * Mails the holder of an account that a way into it was added or removed, in the transaction that does so: somebody
 * else may have done it, whose language does not matter. Kick the jobs afterwards.
 */
export async function notifyHolder(
  app: Services,
  trx: Queryable,
  user: Pick<User, 'username' | 'email' | 'language'>,
  change: AccessChange,
): Promise<void> {
  const mail = (await mailsOf(app, trx, user)).accessChanged({
    username: user.username,
    change,
    settingsLink: `${app.settings.origin}/web/settings/security`,
  });
  await queueMail(app, trx, { to: user.email, ...mail });
}
