import { userById } from '../../../db/account/account.js';
import {
  addDigest,
  brokenLinks,
  digestsDue,
  hasDigest,
  removeDigest,
  takeDigest,
} from '../../../db/content/link/link-digest.js';
import { DAY_MS } from '../../../db/engine/days.js';
import { isShutOut } from '../../base/roles.js';
import { audit } from '../../core/audit.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { AccountContext, Services } from '../../core/context.js';
import { queueMail } from '../../core/mail/outgoing.js';

const WEEK_MS = 7 * DAY_MS;
/** Accounts that one run tells, and targets that a mail names. */
const MAX_TOLD = 1_000;
const NAMED = 10;

/** Whether the caller is told weekly by mail about targets that do not answer. */
export const digestOf = async ({ app, account }: AccountContext) => ({
  weekly: await hasDigest(app.db.read, account.id),
});

/** Begins or ends telling the caller. */
export async function setDigest(ctx: AccountContext, weekly: boolean): Promise<{ weekly: boolean }> {
  const { app, account } = ctx;
  await app.db.write(async (trx) => {
    if ((await hasDigest(trx, account.id)) === weekly) return;
    if (weekly) await addDigest(trx, account.id, Date.now() + WEEK_MS);
    else await removeDigest(trx, account.id);
    await audit(ctx, trx, 'settings.changed', { subject: account.id, info: { fields: 'linkDigest' } });
  });
  return { weekly };
}

/** Mails the accounts whose turn it is which of their links lead nowhere; those without any get no mail. */
export async function sendDigests(app: Services, signal: AbortSignal): Promise<void> {
  const at = Date.now();
  for (const userId of await digestsDue(app.db.read, at, MAX_TOLD)) {
    if (signal.aborted) return;
    const { total, targets } = await brokenLinks(app.db, userId, NAMED);
    await app.db.write(async (trx) => {
      if (!(await takeDigest(trx, userId, at, at + WEEK_MS)) || total === 0) return;
      const owner = await userById(trx, userId);
      if (owner === null || isShutOut(owner.role)) return;
      const mail = (await mailsOf(app, trx, owner)).linksBroken({
        username: owner.username,
        ...{ total, targets },
        link: `${app.settings.origin}/web/links?health=broken`,
      });
      await queueMail(app, trx, { to: owner.email, ...mail });
    });
    app.jobs.kick();
  }
}
