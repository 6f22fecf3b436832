import { z } from 'zod';
import { authorise } from '../access.js';
import type { Context } from '../context.js';
import { fail } from '../errors.js';
import { ArchiveRefused } from '../ports/archives.js';
import { MediaBusy } from '../ports/media.js';
import { findImage } from './content.js';

/** The largest archive whose entries are listed, in bytes: one in an object store is copied for it. */
export const MAX_LISTED_ARCHIVE = 256 * 1024 * 1024;

/** What is in an archive. */
export const archiveListing = z.object({
  entries: z.array(z.object({ path: z.string(), size: z.int() })),
  /** Whether there is more than is listed. */
  more: z.boolean(),
});

/** The types of the archives that can be listed; a gzip or bzip2 file only if a tar is in it. */
const ARCHIVES: readonly string[] = [
  'application/zip',
  'application/x-tar',
  'application/gzip',
  'application/x-bzip2',
];

/** Whether a file of this type and size may be an archive whose entries a page lists. */
export const mayBeArchive = (mimeType: string, size: number): boolean =>
  size <= MAX_LISTED_ARCHIVE && ARCHIVES.includes(mimeType);

/**
 * The names and sizes of the files in an archive, for callers who may open it. 400 for what is no archive, is larger
 * than 256 MiB or is damaged, and for one whose views are counted; 503 while too many are being read.
 */
export async function listEntries(
  ctx: Context,
  input: { readonly uniqueId: string; readonly password?: string | null | undefined },
): Promise<z.output<typeof archiveListing>> {
  const image = await findImage(ctx, input.uniqueId);
  await authorise(ctx, 'image', image, input.password);
  if (image.maxViews !== null || !mayBeArchive(image.mimeType, image.size))
    fail('INVALID', 'The entries of this file are not listed');
  const { app } = ctx;
  try {
    // The bytes of an id may be replaced, but those of a hash stay what they are.
    return await app.singleFlight(`entries:${image.sha256}`, () =>
      app.storage.blobs.lend(image.sha256, (path) => app.media.archives.list(path)),
    );
  } catch (error) {
    if (error instanceof ArchiveRefused) fail('INVALID', { message: error.message, cause: error });
    if (error instanceof MediaBusy) fail('UNAVAILABLE', { retryAfter: 1, cause: error });
    throw error;
  }
}
