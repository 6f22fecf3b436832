import type { User } from '../../../db/account/account.js';
import { administrators } from '../../../db/account/account-list.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { Services } from '../../core/context.js';
import { queueMail } from '../../core/mail/outgoing.js';

/** Administrators who are told, at most. */
const MAX_TOLD = 20;

/** What a new account becomes once its address is confirmed: an invite is the word of whoever made it. */
export const statusOfConfirmed = (
  { settings }: Pick<Services, 'settings'>,
  { invitedBy }: Pick<User, 'invitedBy'>,
): 'ACTIVE' | 'WAITING' =>
  settings.registration === 'approval' && invitedBy === null ? 'WAITING' : 'ACTIVE';

/** Mails the administrators that somebody waits for their word. */
export async function tellOfWaiting(
  app: Services,
  trx: Queryable,
  { id, username, email }: Pick<User, 'id' | 'username' | 'email'>,
): Promise<void> {
  for (const administrator of await administrators(trx, MAX_TOLD)) {
    const mail = (await mailsOf(app, trx, administrator)).accountWaiting({
      username: administrator.username,
      ...{ newcomer: username, address: email },
      link: `${app.settings.origin}/web/admin/users/${id}`,
    });
    await queueMail(app, trx, { to: administrator.email, ...mail });
  }
}
