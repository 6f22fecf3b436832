import { z } from 'zod';
import type { Image } from '../../../db/content/image.js';
import { fail } from '../../base/errors.js';
import { type FetchedFile, OutboundFailed, OutboundRefused } from '../../base/ports/outbound.js';
import { BlobTooLarge } from '../../base/ports/storage.js';
import { customIdInput } from '../../core/items/ids.js';
import type { AccountContext } from '../../core/trpc.js';
import { allowUpload, itemFields, StagedUpload, uploadImage } from '../image/public.js';

export const fromUrlInput = z.object({
  url: z.string('enter an address').min(1, 'enter an address').max(8_000),
  uniqueId: customIdInput,
  filename: z.string().max(1_000).nullish(),
  ...itemFields,
});
type FromUrlInput = z.output<typeof fromUrlInput>;

/**
 * Stores a file that this server fetches, as if the caller had uploaded it. Whatever the other server says about its
 * type, the content decides. 400 with the reason if it cannot be fetched. Ends when the caller goes away.
 */
export async function uploadFromUrl(ctx: AccountContext, input: FromUrlInput): Promise<Image> {
  const { app, account } = ctx;
  if (input.uniqueId !== null && (await app.load.image(input.uniqueId)) !== null) fail('ID_TAKEN');
  const { maxBytes, refuse } = await allowUpload(ctx);
  const stop = new AbortController();
  ctx.onFinished(() => stop.abort());
  const fetched = await app.limits.fetches(String(account.id), () =>
    app.files.fetch(input.url.trim(), stop.signal, (file) => stage(file)).catch(explain),
  );
  try {
    return await uploadImage(ctx, { ...input, file: fetched });
  } finally {
    await fetched.blob.discard();
  }

  async function stage({ body, size, filename, contentType }: FetchedFile): Promise<StagedUpload> {
    if (size !== null && size > maxBytes) refuse(new BlobTooLarge(maxBytes));
    const blob = await app.storage.blobs.stage(body, { maxBytes }).catch((error: unknown) => {
      throw error instanceof BlobTooLarge ? refuse(error) : error;
    });
    return new StagedUpload(blob, input.filename || filename, contentType, true);
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
