import type { User } from '../../db/account/account.js';
import type { Queryable } from '../../db/engine/queryable.js';
import { mailsOf } from '../branding/look.js';
import type { Services } from '../context.js';
import { queueMail } from '../mail/outgoing.js';
import type { AccessChange } from '../ports/mail-templates.js';

/**
 * Mails the holder of an account that a way into it was added or removed, in the transaction that does so: somebody
 * else may have done it. Kick the jobs afterwards.
 */
export async function tellHolder(
  app: Services,
  trx: Queryable,
  { username, email }: Pick<User, 'username' | 'email'>,
  change: AccessChange,
): Promise<void> {
  const mail = (await mailsOf(app, trx)).accessChanged({
    username,
    change,
    settingsLink: `${app.settings.origin}/web/settings/security`,
  });
  await queueMail(app, trx, { to: email, ...mail });
}
