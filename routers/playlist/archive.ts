import { z } from 'zod';
import type { Collection } from '../../db/content/collection.js';
import { sizeOfCollection } from '../../db/content/collection-item.js';
import { isPrivileged } from '../access.js';
import type { Context } from '../context.js';
import { displayName } from '../image/names.js';
import { buildAnswer } from '../shared/large-answer.js';
import { findPlaylist, type LockedPlaylist } from './find.js';
import { seenImages } from './record.js';

/** The contents of a playlist's zip; the bytes are read from the store while it is sent. */
export const archiveListing = z.object({
  uniqueId: z.string(),
  filename: z.string(),
  entries: z.array(z.object({ name: z.string(), sha256: z.string(), size: z.int(), createdAt: z.int() })),
});
export type ArchiveListing = z.output<typeof archiveListing>;

/** Memory that one file takes in a listing, which is kept until its zip is received. */
const ENTRY_BYTES = 1024;

/**
 * The files of a playlist that the caller may open without a password. Images with a view limit are left out,
 * because each view must be counted; their owner and moderators get them too.
 */
export async function listArchive(ctx: Context, input: LockedPlaylist): Promise<ArchiveListing> {
  const playlist = await findPlaylist(ctx, input);
  const size = await sizeOfCollection(ctx.app.db.read, playlist.id);
  return buildAnswer(ctx, size * ENTRY_BYTES, () => listFiles(ctx, playlist));
}

async function listFiles(ctx: Context, playlist: Collection): Promise<ArchiveListing> {
  const privileged = await isPrivileged(ctx, playlist);
  const open = (await seenImages(ctx, playlist)).filter(
    ({ image, access }) => access && (privileged || image.maxViews === null),
  );
  return {
    uniqueId: playlist.uniqueId,
    filename: `${displayName(playlist.title.replaceAll(/[/\\]/g, '_')) ?? playlist.uniqueId}.zip`,
    entries: open.map(({ image }) => ({
      name: image.originalName ?? `${image.uniqueId}.${image.type}`,
      sha256: image.sha256,
      size: image.size,
      createdAt: image.createdAt,
    })),
  };
}
