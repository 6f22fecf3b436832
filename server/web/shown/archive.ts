import type { z } from 'zod';
import { DomainError } from '../../../routers/errors.js';
import { type archiveListing, mayBeArchive } from '../../../routers/image/entries.js';
import type { ListedImage } from '../records.js';
import type { PageRequest } from '../request.js';
import { countsViews } from '../visibility.js';

/** What is in an archive. */
export type ArchiveListing = z.output<typeof archiveListing>;

/** The entries of a file that is an archive; null for anything else, and for one that cannot be listed. */
export async function listingOf(
  { call }: Pick<PageRequest, 'call'>,
  image: ListedImage,
  password: string | null,
): Promise<ArchiveListing | null> {
  if (countsViews(image) || image.size === null || !mayBeArchive(image.mimeType, image.size)) return null;
  try {
    const listing = await call.image.entries({ uniqueId: image.uniqueId, password });
    return listing.entries.length === 0 ? null : listing;
  } catch (error) {
    // It is offered for download then.
    if (error instanceof DomainError) return null;
    throw error;
  }
}
