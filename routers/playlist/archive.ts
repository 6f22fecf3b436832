import { z } from 'zod';
import { isPrivileged } from '../access.js';
import type { Context } from '../context.js';
import { displayName } from '../image/names.js';
import { findPlaylist } from './find.js';
import { seenImages } from './record.js';

/** What a zip of a playlist holds; the bytes are read from the store while it is sent. */
export const archiveListing = z.object({
  uniqueId: z.string(),
  filename: z.string(),
  entries: z.array(z.object({ name: z.string(), sha256: z.string(), size: z.int(), createdAt: z.int() })),
});
export type ArchiveListing = z.output<typeof archiveListing>;

/**
 * The files of a playlist that the caller may open without more. Those with a limited number of views go out
 * one by one only, so that each is counted; their owner and moderators get them too.
 */
export async function listArchive(ctx: Context, identifier: string): Promise<ArchiveListing> {
  const playlist = await findPlaylist(ctx, identifier);
  const privileged = await isPrivileged(ctx, playlist);
  const open = (await seenImages(ctx, playlist)).filter(
    ({ image, access }) => access && (privileged || image.maxViews === null),
  );
  const taken = new Set<string>();
  return {
    uniqueId: playlist.uniqueId,
    filename: `${displayName(playlist.title) ?? playlist.uniqueId}.zip`,
    entries: open.map(({ image }) => ({
      name: freeName(image.originalName ?? `${image.uniqueId}.${image.type}`, taken),
      sha256: image.sha256,
      size: image.size,
      createdAt: image.createdAt,
    })),
  };
}

/** The name, with a number where another file has it already; the case of letters does not tell files apart. */
function freeName(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem} (${number})${extension}`;
    const key = candidate.toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return candidate;
  }
}
