import { deleteContent } from '../../db/content/content-change.js';
import { deleteVisits } from '../../db/statistics/visit.js';
import type { Services } from '../context.js';
import { fail } from '../errors.js';
import { forgetViews } from '../shared/forget-views.js';

/**
 * Deletes a link at once, and its visits in the same transaction if they are few, otherwise in a job
 * (docs/adr/0016). 404 if it is already gone.
 */
export async function deleteUrl(app: Services, url: { readonly id: number }): Promise<void> {
  const allGone = await app.db.write(async (trx) => {
    if (!(await deleteContent(trx, 'url', url.id))) fail('NOT_FOUND');
    await forgetViews(app, trx, 'url', url.id);
    if (await deleteVisits(trx, url.id)) return true;
    await app.jobs.add(trx, 'visitRemoval', { urlId: url.id });
    return false;
  });
  if (!allGone) app.jobs.kick();
}
