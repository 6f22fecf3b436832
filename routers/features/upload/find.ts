import { z } from 'zod';
import { type Upload, uploadBySecret } from '../../../db/content/upload/upload.js';
import { found } from '../../base/errors.js';
import type { Services } from '../../core/context.js';
import type { UploadPurpose } from '../../core/items/upload-purposes.js';
import { hashSecret } from '../../core/secrets.js';

/** How long an address works after the last byte, in milliseconds. */
export const ADDRESS_MS = 24 * 60 * 60 * 1000;

/** As `ADDRESS_MS`, before the first byte. What strangers announce and do not send makes way for others soon. */
export const UNSENT_MS: Readonly<Record<UploadPurpose, number>> = {
  image: ADDRESS_MS,
  guest: 10 * 60 * 1000,
};

/** The end of an upload's address. */
export const secretInput = z.string().min(1).max(100);

/** The upload at an address; 404 if there is none any more. */
export async function findUpload(app: Services, secret: string): Promise<Upload> {
  return found(await uploadBySecret(app.db.read, hashSecret(secret), Date.now()));
}
