import { deleteContent } from '../../../db/content/content-change.js';
import type { Happening } from '../../../db/content/told/told.js';
import { fail } from '../../base/errors.js';
import type { Services } from '../../core/context.js';
import { forgetViews } from '../../core/items/forget-views.js';
import { planTelling } from '../../core/telling/due.js';

/**
 * Deletes a paste, and plans to tell its owner what happened; 404 if it is already gone. Only one of several concurrent
 * callers succeeds.
 */
export async function deletePaste(
  app: Services,
  paste: { readonly id: number },
  told: readonly Happening[] = [],
): Promise<void> {
  await app.db.write(async (trx) => {
    if (!(await deleteContent(trx, 'paste', paste.id))) fail('NOT_FOUND');
    await forgetViews(app, trx, 'paste', paste.id);
    if (told.length > 0) await planTelling(app, trx, told);
  });
}
