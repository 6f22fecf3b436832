import { deleteContent } from '../../db/content/content-change.js';
import type { Services } from '../context.js';
import { fail } from '../errors.js';

/** Deletes a paste; 404 if it is already gone. Only one of several concurrent callers succeeds. */
export async function deletePaste(app: Services, paste: { readonly id: number }): Promise<void> {
  if (!(await app.db.write((trx) => deleteContent(trx, 'paste', paste.id)))) fail('NOT_FOUND');
}
