import { z } from 'zod';
import { fail } from '../../base/errors.js';
import { ArchiveRefused } from '../../base/ports/media/archives.js';
import { MediaBusy } from '../../base/ports/media/media.js';
import { BlobMissing } from '../../base/ports/storage.js';
import { authorise } from '../../core/access.js';
import type { Context, Services } from '../../core/context.js';
import { findImage } from './content.js';

/** The largest archive whose entries are listed, in bytes: one in an object store is copied for it. */
const MAX_LISTED_ARCHIVE = 256 * 1024 * 1024;

/** How long a refusal is kept: one that was not read in time may be another time. */
const REFUSED_MS = 60_000;

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
  // The bytes of an id may be replaced, but those of a hash stay what they are.
  const answer = await app.singleFlight(
    `entries:${image.sha256}`,
    async () => app.listings.get(image.sha256) ?? (await read(app, image.sha256)),
  );
  const result = JSON.parse(answer) as z.output<typeof archiveListing> | { readonly refused: string };
  return 'refused' in result ? fail('INVALID', result.refused) : result;
}

/** Reads an archive and keeps, as JSON, what is in it, or why it cannot be listed. */
async function read(app: Services, sha256: string): Promise<string> {
  try {
    const listing = await app.limits.archiveListings(() =>
      app.storage.blobs.lend(sha256, (path) => app.media.archives.list(path)),
    );
    const answer = JSON.stringify(listing);
    app.listings.keep(sha256, answer);
    return answer;
  } catch (error) {
    if (error instanceof MediaBusy) fail('UNAVAILABLE', { retryAfter: 1, cause: error });
    // The file was deleted after it was looked up.
    if (error instanceof BlobMissing) fail('NOT_FOUND', { cause: error });
    if (!(error instanceof ArchiveRefused)) throw error;
    const answer = JSON.stringify({ refused: error.message });
    app.listings.keep(sha256, answer, REFUSED_MS);
    return answer;
  }
}
