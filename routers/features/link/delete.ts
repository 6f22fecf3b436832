import { deleteContent } from '../../../db/content/content-change.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { deleteVisits } from '../../../db/statistics/visit.js';
import { fail } from '../../base/errors.js';
import type { Services } from '../../core/context.js';
import { forgetViews } from '../../core/items/forget-views.js';

/**
 * Deletes a link at once, and its visits in the same transaction if they are few, otherwise in a job
 * (docs/adr/0011). 404 if it is already gone.
 */
export async function deleteUrl(app: Services, { id }: { readonly id: number }): Promise<void> {
  const deleted = await app.db.write((trx) => deleteLink(app, trx, id));
  if (deleted === null) fail('NOT_FOUND');
  if (!deleted.complete) app.jobs.kick();
}

/** The same inside a write. Null if it is already gone, otherwise whether all its visits are. */
export async function deleteLink(
  app: Services,
  trx: Queryable,
  id: number,
): Promise<{ readonly complete: boolean } | null> {
  if ((await deleteContent(trx, 'url', id)) === null) return null;
  await forgetViews(app, trx, 'url', id);
  const complete = await deleteVisits(trx, id);
  if (!complete) await app.jobs.add(trx, 'visitRemoval', { urlId: id });
  return { complete };
}
