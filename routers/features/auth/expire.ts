import { deletePendingBefore } from '../../../db/account/account.js';
import { deleteAuditBefore } from '../../../db/account/audit.js';
import { deleteExpired } from '../../../db/account/code.js';
import { DAY_MS } from '../../../db/engine/days.js';
import { deleteUnconfirmed } from '../../../db/mail/mail-forward.js';
import { deleteGivenUpBefore } from '../../../db/system/job.js';
import { deleteOldLimits } from '../../../db/system/rate-limit.js';
import type { JobKind } from '../../base/ports/jobs.js';
import type { Services } from '../../core/context.js';
import { forgetOldSendings } from '../mail/public.js';

/** An account that is still unverified after this time is deleted, so that its name and address are free again. */
const PENDING_DAYS = 30;
/** Accounts, and entries of the audit log, deleted per transaction, so that other writers do not wait long. */
const BATCH = 200;
const AUDIT_BATCH = 1_000;
/** How long the audit log is kept. */
const AUDIT_DAYS = 400;

/** Given-up mails and webhook calls are useless by then, and contain personal data. */
const GIVEN_UP_DAYS = 30;
/** Jobs that remove something are kept until they succeed. */
const OWED: readonly JobKind[] = ['accountDeletion', 'visitRemoval', 'viewRemoval', 'importRemoval'];

/**
 * Deletes expired data: codes, cookies, sessions, unverified accounts, old audit entries, mails that were sent long ago,
 * jobs given up long ago.
 */
export async function forgetExpired(app: Services): Promise<void> {
  const at = Date.now();
  await app.db.write(async (trx) => {
    await deleteExpired(trx, at);
    await deleteOldLimits(trx, at);
    await deleteUnconfirmed(trx, at);
    await deleteGivenUpBefore(trx, at - GIVEN_UP_DAYS * DAY_MS, OWED);
  });
  const forgotten = at - PENDING_DAYS * DAY_MS;
  const kept = at - AUDIT_DAYS * DAY_MS;
  while ((await app.db.write((trx) => deleteAuditBefore(trx, kept, AUDIT_BATCH))) === AUDIT_BATCH);
  await forgetOldSendings(app);
  while ((await app.db.write((trx) => deletePendingBefore(trx, forgotten, BATCH))) === BATCH);
}
