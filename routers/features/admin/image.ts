import { z } from 'zod';
import { fail, found } from '../../base/errors.js';
import type { BlobStore } from '../../base/ports/storage.js';
import { isOpen } from '../../core/access.js';
import { userSummary } from '../../core/accounts/user-summary.js';
import { audit } from '../../core/audit.js';
import { moveBlob } from '../../core/blobs/move-blob.js';
import type { AccountContext } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { requireScope } from '../../core/scopes.js';
import { imageRecord, toImageRecord } from '../image/public.js';

/** An image that an administrator looks at. */
export const adminImageInput = z.object({
  uniqueId: uniqueIdInput,
  base64: z.boolean().default(false),
  /** Accepted and ignored: the response always contains it. */
  raw: z.boolean().default(false),
  uploaderInfo: z.boolean().default(false),
  imageInfo: z.boolean().default(false),
  info: z.boolean().default(false),
});

/** An image as administrators see it, with its uploader if asked for. */
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
  if (input.base64 && !isOpen(image)) requireScope(ctx.account, 'images:read');
  const record = await toImageRecord(app, image, { access: true, counted: true });
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

/** Where the bytes of an image are after a migration. */
export const migratedImage = z.object({ uniqueId: z.string(), location: z.enum(['LOCAL', 'S3']) });

/**
 * Moves the bytes of an image, and those of its poster, to the store where they are not: from this server to the object
 * store or back. Identical files share their bytes and move along. 400 if there is only one store, after the check that
 * the image exists.
 */
export async function migrateImage(
  ctx: AccountContext,
  uniqueId: string,
): Promise<z.output<typeof migratedImage>> {
  const { app } = ctx;
  const image = found(await app.load.image(uniqueId));
  const { stores } = app.storage;
  if (stores.length < 2) {
    const isHere = stores[0]?.location === 'LOCAL';
    fail(
      'INVALID',
      isHere
        ? 'This installation keeps all files on this server: there is no other store'
        : 'This installation keeps all files in the object store: there is no other store',
    );
  }
  const from = await holderOf(stores, image.sha256);
  const to = stores.find((store) => store !== from) ?? fail('INVALID');
  for (const sha256 of [image.sha256, image.posterSha256]) {
    if (sha256 === null) continue;
    const moved = await moveBlob(app, sha256, from, to);
    if (moved === 'busy') fail('UNAVAILABLE', 'This file is being moved already');
    if (moved === 'damaged')
      fail(
        'INVALID',
        'The stored bytes are damaged, and were left where they are: restore them from a backup',
      );
  }
  await app.db.write((trx) =>
    audit(ctx, trx, 'image.moved', { subject: image.ownerId, info: { item: uniqueId, to: to.location } }),
  );
  return { uniqueId: image.uniqueId, location: to.location };
}

/** The store that has these bytes; 404 if none has. */
async function holderOf(stores: readonly BlobStore[], sha256: string): Promise<BlobStore> {
  for (const store of stores) if ((await store.stat(sha256)) !== null) return store;
  return fail('NOT_FOUND', 'The bytes of this file are missing');
}
