import { lockUser } from '../../../db/account/account.js';
import { type Mailbox, updateMailbox } from '../../../db/mail/mailbox.js';
import { fail, found } from '../../base/errors.js';
import { mailboxTopic } from '../../base/ports/hub.js';
import { isAdmin, outranks } from '../../base/roles.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { lockOwn } from './access.js';

/**
 * Opens, closes or suspends a mailbox; only an open one accepts mail. A mailbox that another account has
 * suspended can be opened or closed only by an administrator who is not below that one (403).
 */
export async function setState(
  ctx: AccountContext,
  mailbox: Mailbox,
  state: 'OPEN' | 'CLOSED' | 'SUSPENDED',
): Promise<Mailbox> {
  const { account, app } = ctx;
  const changed = await app.db.write(async (trx) => {
    const { mailbox: current, role } = await lockOwn(ctx, trx, mailbox.id);
    const held = current.state === 'SUSPENDED' && current.suspendedBy !== account.id;
    const by = held && current.suspendedBy !== null ? await lockUser(app.db, trx, current.suspendedBy) : null;
    if (held && (!isAdmin(role) || (by !== null && outranks(by.role, role))))
      fail('FORBIDDEN', 'An administrator has suspended this mailbox');
    const suspendedBy = state === 'SUSPENDED' ? account.id : null;
    if (state === 'SUSPENDED')
      await audit(ctx, trx, 'mailbox.suspended', { subject: current.ownerId, info: { mailbox: current.id } });
    return found(await updateMailbox(trx, mailbox.id, { state, suspendedBy }));
  });
  app.hub.publish(mailboxTopic(changed.address), {});
  return changed;
}
