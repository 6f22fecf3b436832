import type { Image } from '../../../../db/content/file/image.js';
import { fail } from '../../../base/errors.js';
import type { AccountContext } from '../../../core/context.js';
import { generateId, insertUnderId } from '../../../core/items/ids.js';
import { type PreparedFile, prepareFile } from './prepare.js';
import type { StagedUpload } from './staged.js';
import { insertPrepared, keepPrepared } from './store.js';
import { fieldsOf, metadataPolicyOf } from './upload.js';

/**
 * Stores staged files as items of the caller, in their order, with what the account usually chooses: all of them or, if one
 * is refused, none. 400 without a file.
 */
export async function uploadTogether(ctx: AccountContext, files: readonly StagedUpload[]): Promise<Image[]> {
  const { app, account } = ctx;
  if (files.length === 0) fail('FILE_MISSING');
  const policy = await metadataPolicyOf(app, account.id);
  const prepared: PreparedFile[] = [];
  try {
    const options = { ownerId: account.id, policy, waitForPoster: files.length === 1 };
    for (const file of files) prepared.push(await prepareFile(app, file, options));
    const fields = await fieldsOf(app, account.id, { source: 'API', password: null, expiresAt: null });
    const images = await insertUnderId(app.db, null, () =>
      keepPrepared(ctx, prepared, (trx) =>
        insertPrepared(
          ctx,
          trx,
          prepared.map((file) => ({ file, fields: { ...fields, uniqueId: generateId() } })),
        ),
      ),
    );
    app.jobs.kick();
    return images;
  } finally {
    for (const file of prepared) await file.discard();
  }
}
