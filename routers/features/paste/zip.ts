import type { z } from 'zod';
import { filesOf } from '../../../db/content/paste-files.js';
import { fail } from '../../base/errors.js';
import type { Context } from '../../core/context.js';
import { displayName } from '../../core/items/file-names.js';
import { sealedFileName } from '../../core/items/seal.js';
import type { ZipListing } from '../collection/public.js';
import { noteView, openPaste, type readInput } from './read.js';

/** The texts of a paste that the caller may read as a zip, which is an opening of it. */
export async function zipPaste(ctx: Context, input: z.output<typeof readInput>): Promise<ZipListing> {
  const paste = await openPaste(ctx, input);
  if (paste.burn) fail('CONFIRM_BURN');
  const title = displayName(paste.title?.replaceAll(/[/\\]/g, '_') ?? null) ?? paste.uniqueId;
  const name = paste.seal === null ? `${title}${title.includes('.') ? '' : '.txt'}` : sealedFileName(title);
  const files = filesOf(paste) ?? [{ name, text: paste.content }];
  noteView(ctx, paste);
  return {
    uniqueId: paste.uniqueId,
    filename: `${title}.zip`,
    entries: files.map((file) => {
      const bytes = Buffer.from(file.text);
      const stored = { sha256: '', size: bytes.length, createdAt: paste.createdAt };
      return { name: file.name, ...stored, inline: bytes.toString('base64') };
    }),
  };
}
