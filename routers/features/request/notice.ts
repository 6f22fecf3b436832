import { userById } from '../../../db/account/account.js';
import { takeNotice } from '../../../db/content/upload/request-notice.js';
import { isShutOut } from '../../base/roles.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { Services } from '../../core/context.js';
import { queueMail } from '../../core/mail/outgoing.js';

/** Mails the owner of a request what came in since the last mail about it. */
export async function noticeArrivals(app: Services, requestId: number): Promise<void> {
  await app.db.write(async (trx) => {
    const notice = await takeNotice(trx, requestId, Date.now());
    if (notice === null || !notice.request.notify || notice.total === 0) return;
    const owner = await userById(trx, notice.request.ownerId);
    if (owner === null || isShutOut(owner.role)) return;
    const mail = (await mailsOf(app, trx, owner)).filesReceived({
      username: owner.username,
      title: notice.request.title,
      names: notice.names,
      total: notice.total,
      link: `${app.settings.origin}/web/requests/${notice.request.uniqueId}`,
    });
    await queueMail(app, trx, { to: owner.email, ...mail });
  });
  app.jobs.kick();
}
