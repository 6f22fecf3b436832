import { z } from 'zod';
import { fail, found } from '../errors.js';
import { imageRecord, toImageRecord } from '../image/record.js';
import { uniqueIdInput } from '../shared/ids.js';
import { userSummary } from '../shared/user-summary.js';
import type { AccountContext } from '../trpc.js';

export const adminImageInput = z.object({
  uniqueId: uniqueIdInput,
  base64: z.boolean().default(false),
  /** Accepted and ignored: the response always contains it. */
  raw: z.boolean().default(false),
  uploaderInfo: z.boolean().default(false),
  imageInfo: z.boolean().default(false),
  info: z.boolean().default(false),
});

export const adminImage = z.object({
  uniqueId: z.string(),
  message: imageRecord.extend({
    /** With `uploader_info`. */
    uploaderInfo: userSummary.extend({ email: z.string() }).optional(),
  }),
  /** The bytes to send as base64; null for none. */
  base64: z.object({ sha256: z.string(), size: z.int() }).nullable(),
  /** With `image_info`. */
  facts: z.object({ size: z.int(), type: z.string() }).nullable(),
});

/** Any image, whatever its privacy, password or expiry; does not count a view (contract §4, admin). */
export async function adminImageOf(
  ctx: AccountContext,
  input: z.output<typeof adminImageInput>,
): Promise<z.output<typeof adminImage>> {
  const { app } = ctx;
  const image = found(await app.load.image(input.uniqueId));
  const record = await toImageRecord(app, image, { access: true });
  const uploader = input.uploaderInfo ? await app.load.user(image.ownerId) : null;
  return {
    uniqueId: image.uniqueId,
    message: {
      ...record,
      ...(uploader === null ? {} : { uploaderInfo: { ...record.uploader, email: uploader.email } }),
    },
    base64: input.base64 ? { sha256: image.sha256, size: image.size } : null,
    facts: input.imageInfo ? { size: image.size, type: image.type } : null,
  };
}

/**
 * Moves the bytes of an image between the local and the object store. An installation keeps all files in one of them,
 * so there is nowhere to move to: 400, after the check that the image exists.
 */
export async function migrateImage({ app }: AccountContext, uniqueId: string): Promise<never> {
  found(await app.load.image(uniqueId));
  const place = app.storage.blobs.location === 'LOCAL' ? 'on this server' : 'in the object store';
  return fail('INVALID', `This installation keeps all files ${place}: there is no other store`);
}
