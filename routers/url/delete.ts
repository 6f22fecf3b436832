import { deleteContent } from '../../db/content-change.js';
import { deleteVisits } from '../../db/visit.js';
import type { Services } from '../context.js';
import { fail } from '../errors.js';

/**
 * Removes a link, for everybody at once, and its visits: in the same transaction where they are few, by a job otherwise
 * (docs/adr/0016). 404 when it is gone already.
 */
export async function deleteUrl(app: Services, url: { readonly id: number }): Promise<void> {
  const allGone = await app.db.write(async (trx) => {
    if (!(await deleteContent(trx, 'url', url.id))) fail('NOT_FOUND');
    if (await deleteVisits(trx, url.id)) return true;
    await app.jobs.add(trx, 'visitRemoval', { urlId: url.id });
    return false;
  });
  if (!allGone) app.jobs.kick();
}
