import { settleUpload, type Upload, uploadById } from '../../../db/content/upload/upload.js';
import { forgetParts, partsOf } from '../../../db/content/upload/upload-parts.js';
import { DomainError } from '../../base/errors.js';
import { type Localizable, localizable } from '../../base/language/localizable.js';
import { BlobMissing } from '../../base/ports/storage.js';
import type { Services } from '../../core/context.js';
import { StagedUpload } from '../image/public.js';
import { ADDRESS_MS } from './find.js';
import { purposeNamed } from './purposes.js';
import { failureOf } from './reason.js';

/** The upload was settled before, by another process. */
class SettledBefore extends Error {}

/**
 * Makes an item of a complete upload, exactly once. What is wrong with the upload itself becomes the reason of its
 * failure; everything else throws, and may be tried again.
 */
export async function finishUpload(app: Services, uploadId: number): Promise<void> {
  const upload = await uploadById(app.db.read, uploadId);
  if (upload?.state !== 'processing') return;
  try {
    await keep(app, upload);
  } catch (error) {
    if (error instanceof SettledBefore) return;
    const why = whyNever(error);
    if (why === null) throw error;
    await app.db.write((trx) =>
      settleUpload(trx, uploadId, failureOf(upload.fields, why), Date.now() + ADDRESS_MS),
    );
  }
  await removeParts(app, uploadId);
}

async function keep(app: Services, upload: Upload): Promise<void> {
  const blob = await app.storage.blobs.parts.join(await partsOf(app.db.read, upload.id));
  try {
    const file = new StagedUpload(blob, upload.filename, upload.filetype, true);
    await purposeNamed(upload.purpose).keep(app, upload, file, async (trx, image) => {
      const expiresAt = Date.now() + ADDRESS_MS;
      if (!(await settleUpload(trx, upload.id, { imageId: image.id }, expiresAt))) throw new SettledBefore();
    });
  } finally {
    await blob.discard();
  }
}

/** Why an upload can never become an item; null if it may still. */
function whyNever(error: unknown): Localizable | null {
  if (error instanceof BlobMissing)
    return localizable('The bytes of this upload are lost, send the file again');
  return error instanceof DomainError && error.status < 500 ? error.localizable : null;
}

/** Frees the bytes of an upload that needs them no more. What cannot be removed now is left to the sweep. */
export async function removeParts(app: Services, uploadId: number): Promise<void> {
  const keys = (await partsOf(app.db.read, uploadId)).map(({ key }) => key);
  await app.db.write((trx) => forgetParts(trx, uploadId));
  await freeParts(app, keys);
}

/** Removes bytes that no record refers to. Never fails: the sweep removes what could not be removed now. */
export async function freeParts(app: Services, keys: readonly string[]): Promise<void> {
  try {
    await app.storage.blobs.parts.remove(keys);
  } catch (error) {
    app.log.warn({ err: error }, 'parts of an upload could not be removed; the sweep will try again');
  }
}
