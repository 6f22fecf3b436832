import { deleteContent } from '../../../db/content/content-change.js';
import { fail } from '../../base/errors.js';
import type { Services } from '../../core/context.js';
import { forgetViews } from '../../core/items/forget-views.js';

/** Deletes a paste; 404 if it is already gone. Only one of several concurrent callers succeeds. */
export async function deletePaste(app: Services, paste: { readonly id: number }): Promise<void> {
  await app.db.write(async (trx) => {
    if (!(await deleteContent(trx, 'paste', paste.id))) fail('NOT_FOUND');
    await forgetViews(app, trx, 'paste', paste.id);
  });
}
