import { z } from 'zod';
import type { Image } from '../../../db/content/file/image.js';
import { fail } from '../../base/errors.js';
import { type FetchedFile, OutboundFailed, OutboundRefused } from '../../base/ports/outbound.js';
import { BlobTooLarge } from '../../base/ports/storage.js';
import type { AccountContext } from '../../core/context.js';
import { fileIdInput } from '../../core/items/ids.js';
import { allowUpload, itemFields, StagedUpload, uploadImage } from '../image/public.js';

/** The address of a file. */
export const addressInput = z.string('enter an address').min(1, 'enter an address').max(8_000);

/** A file to be fetched, and the fields of its item. */
export const fromUrlInput = z.object({
  url: addressInput,
  uniqueId: fileIdInput,
  filename: z.string().max(1_000).nullish(),
  ...itemFields,
});
type FromUrlInput = z.output<typeof fromUrlInput>;

/**
 * Stores a file that this server fetches, as if the caller had uploaded it. Whatever the other server says about its
 * type, the content decides. 400 with the reason if it cannot be fetched. Ends when the caller goes away.
 */
export async function uploadFromUrl(ctx: AccountContext, input: FromUrlInput): Promise<Image> {
  if (input.uniqueId !== null && (await ctx.app.load.image(input.uniqueId)) !== null) fail('ID_TAKEN');
  const file = await fetchFile(ctx, input.url, input.filename);
  try {
    return await uploadImage(ctx, { ...input, file });
  } finally {
    await file.blob.discard();
  }
}

/** Fetches a file into the staging area, as `uploadFromUrl` does; the caller of this discards it. */
export async function fetchFile(
  ctx: AccountContext,
  url: string,
  filename?: string | null,
): Promise<StagedUpload> {
  const { app, account } = ctx;
  const { maxBytes, refuse } = await allowUpload(ctx);
  const stop = new AbortController();
  ctx.onFinished(() => stop.abort());
  return app.limits.fetches(String(account.id), () =>
    app.files.fetch(url.trim(), stop.signal, (file) => stage(file)).catch(explain),
  );

  async function stage({ body, size, filename: named, contentType }: FetchedFile): Promise<StagedUpload> {
    if (size !== null && size > maxBytes) refuse(new BlobTooLarge(maxBytes));
    const blob = await app.storage.blobs.stage(body, { maxBytes }).catch((error: unknown) => {
      throw error instanceof BlobTooLarge ? refuse(error) : error;
    });
    return new StagedUpload(blob, filename || named, contentType, true);
  }
}

/** Why a file could not be fetched, for the caller. */
export function explain(error: unknown): never {
  if (error instanceof OutboundRefused || error instanceof OutboundFailed)
    fail('FILE_NOT_FETCHED', {
      message: error instanceof OutboundFailed ? error.localizable : error.message,
      cause: error,
    });
  throw error;
}
