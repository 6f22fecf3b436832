import { deleteAuditBefore } from '../../db/audit.js';
import { deleteExpired } from '../../db/code.js';
import { DAY_MS } from '../../db/days.js';
import { deleteGivenUpBefore } from '../../db/job.js';
import { deleteOldLimits } from '../../db/rate-limit.js';
import { deletePendingBefore } from '../../db/user.js';
import type { Services } from '../context.js';
import type { JobKind } from '../ports/jobs.js';

/** An account that nobody verified for so long gives its name and address back. */
const PENDING_DAYS = 30;
/** Accounts removed at once, so that nobody who writes waits for long. */
const BATCH = 200;
/** How long the audit log goes back. */
const AUDIT_DAYS = 400;

/** Mails and webhook calls that were given up are of no use by then, and contain personal data. */
const GIVEN_UP_DAYS = 30;
/** Jobs that remove something are kept until they succeed. */
const OWED: readonly JobKind[] = ['accountDeletion', 'visitRemoval'];

/** Removes what time has ended: codes, cookies, sessions, forgotten registrations, old audit entries, jobs given up long ago. */
export async function forgetExpired(app: Services): Promise<void> {
  const at = Date.now();
  await app.db.write(async (trx) => {
    await deleteExpired(trx, at);
    await deleteOldLimits(trx, at);
    await deleteAuditBefore(trx, at - AUDIT_DAYS * DAY_MS);
    await deleteGivenUpBefore(trx, at - GIVEN_UP_DAYS * DAY_MS, OWED);
  });
  const forgotten = at - PENDING_DAYS * DAY_MS;
  while ((await app.db.write((trx) => deletePendingBefore(trx, forgotten, BATCH))) === BATCH);
}
