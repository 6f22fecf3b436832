import type { z } from 'zod';
import { type archiveListing, mayBeArchive } from '../../../routers/features/image/entries.js';
import type { ListedImage } from '../records.js';
import type { PageRequest } from '../request.js';
import { countsViews } from '../visibility.js';
import { orNothing } from './readable.js';

/** What is in an archive. */
export type ArchiveListing = z.output<typeof archiveListing>;

/** The entries of a file that is an archive; null for anything else, and for one that cannot be listed. */
export async function listingOf(
  { call }: Pick<PageRequest, 'call'>,
  image: ListedImage,
  password: string | null,
): Promise<ArchiveListing | null> {
  if (countsViews(image) || image.size === null || !mayBeArchive(image.mimeType, image.size)) return null;
  const listing = await orNothing(() => call.image.entries({ uniqueId: image.uniqueId, password }));
  return listing === null || listing.entries.length === 0 ? null : listing;
}
