import { deleteAuditBefore } from '../../db/audit.js';
import { deleteExpired } from '../../db/code.js';
import { deleteOldLimits } from '../../db/rate-limit.js';
import { deletePendingBefore } from '../../db/user.js';
import type { Services } from '../context.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** An account that nobody verified for so long gives its name and address back. */
const PENDING_DAYS = 30;
/** How long the audit log goes back. */
const AUDIT_DAYS = 400;

/** Removes what time has ended: codes, cookies, sessions, forgotten registrations, old audit entries. */
export async function forgetExpired(app: Services): Promise<void> {
  const at = Date.now();
  await app.db.write(async (trx) => {
    await deleteExpired(trx, at);
    await deleteOldLimits(trx, at);
    await deletePendingBefore(trx, at - PENDING_DAYS * DAY_MS);
    await deleteAuditBefore(trx, at - AUDIT_DAYS * DAY_MS);
  });
}
