import { userById } from '../../db/account/account.js';
import { takeNotice } from '../../db/content/request-notice.js';
import { mailsOf } from '../branding/look.js';
import type { Services } from '../context.js';
import { queueMail } from '../mail/outgoing.js';
import { isShutOut } from '../roles.js';

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
