import { deleteContent } from '../../db/content-change.js';
import type { Services } from '../context.js';
import { fail } from '../errors.js';

/** Removes a paste; 404 when it is gone already. Of simultaneous callers one removes it. */
export async function deletePaste(app: Services, paste: { readonly id: number }): Promise<void> {
  if (!(await app.db.write((trx) => deleteContent(trx, 'paste', paste.id)))) fail('NOT_FOUND');
}
