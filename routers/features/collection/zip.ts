import { z } from 'zod';
import { sizeOfCollection } from '../../../db/content/collection/collection-item.js';
import { fail } from '../../base/errors.js';
import type { Context } from '../../core/context.js';
import { displayName } from '../../core/items/file-names.js';
import { sealedFileName } from '../../core/items/seal.js';
import { buildAnswer } from '../../core/large-answer.js';
import { showsLess } from '../../core/sharing/enter.js';
import type { Entered } from './enter.js';
import { isOwn, ofEach, pathOf, type SeenItem, seenEntries } from './files.js';

/** What a zip of a collection is made of; the bytes are read from the store while it is sent. */
export const zipListing = z.object({
  uniqueId: z.string(),
  filename: z.string(),
  entries: z.array(
    z.object({
      name: z.string(),
      sha256: z.string(),
      size: z.int(),
      createdAt: z.int(),
      /** Bytes in base64 that are sent instead of stored ones: a sealed name. */
      inline: z.string().optional(),
    }),
  ),
});
export type ZipListing = z.output<typeof zipListing>;

/**
 * The files of a collection that the caller may open without a password. Those with a view limit are left out, because
 * each view must be counted; their owners and moderators get them too.
 */
export async function zipOfCollection(
  ctx: Context,
  entered: Entered,
  filename: string | null = null,
): Promise<ZipListing> {
  if (showsLess(entered.by)) fail('FORBIDDEN', 'This link shows pictures in a smaller size only');
  const size = await sizeOfCollection(ctx.app.db.read, entered.collection.id);
  return buildAnswer(ctx, size * ENTRY_BYTES, () => listFiles(ctx, entered, filename));
}

/** Memory that one file takes in a listing, which is kept until its zip is received. */
const ENTRY_BYTES = 1024;

async function listFiles(ctx: Context, entered: Entered, filename: string | null): Promise<ZipListing> {
  const { collection } = entered;
  const open = (await seenEntries(ctx, entered)).filter(
    ({ item, access }) => access && (isOwn(item, entered) || item.image.maxViews === null),
  );
  const title = displayName(collection.title.replaceAll(/[/\\]/g, '_'));
  return {
    uniqueId: collection.uniqueId,
    filename: filename ?? `${title ?? collection.uniqueId}.zip`,
    entries: (await ofEach(ctx, entered, open, entriesOf)).flat(),
  };
}

/** A file as an entry, a sealed one with its sealed name beside; none if it was locked meanwhile. */
async function entriesOf({ item, access }: SeenItem): Promise<ZipListing['entries']> {
  if (!access) return [];
  const { sha256, size, createdAt, seal, uniqueId } = item.image;
  const entry = { name: pathOf(item), sha256, size, createdAt };
  if (!seal) return [entry];
  const name = { name: sealedFileName(`${uniqueId}.name`), size: Buffer.from(seal, 'base64').length };
  return [entry, { ...entry, ...name, inline: seal }];
}
