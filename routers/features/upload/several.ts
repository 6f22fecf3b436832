import { z } from 'zod';
import type { Image } from '../../../db/content/file/image.js';
import type { AccountContext } from '../../core/context.js';
import { countUpload, type StagedUpload, stagedUploadInput, uploadTogether } from '../image/public.js';
import { addressInput, fetchFile } from './from-url.js';

/** Maximum number of files in one request. */
const MAX_TOGETHER = 16;

/** Files and addresses that become items together, or none. */
export const severalInput = z.object({
  files: z.array(stagedUploadInput).max(MAX_TOGETHER).default([]),
  urls: z.array(addressInput).max(MAX_TOGETHER).default([]),
});

/** Stores the files that came with a request, and those that this server fetches: all of them or, if one is refused, none. */
export async function uploadSeveral(
  ctx: AccountContext,
  { files, urls }: z.output<typeof severalInput>,
): Promise<Image[]> {
  for (const file of files) await countUpload(ctx, file);
  const fetched: StagedUpload[] = [];
  try {
    for (const url of urls) fetched.push(await fetchFile(ctx, url));
    return await uploadTogether(ctx, [...files, ...fetched]);
  } finally {
    for (const { blob } of fetched) await blob.discard();
  }
}
