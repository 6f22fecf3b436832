import { z } from 'zod';
import { fail } from '../../base/errors.js';
import { BlobMissing } from '../../base/ports/storage.js';
import { decodeAs } from '../../base/text/charset.js';
import { authorise } from '../../core/access.js';
import type { Context } from '../../core/context.js';
import { buildAnswer } from '../../core/large-answer.js';
import { findImage } from './content.js';

/** The largest file that is shown as a text, in bytes. */
const MAX_SHOWN_TEXT = 512 * 1024;

/** The text of a file. */
export const fileText = z.object({ text: z.string() });

/** Whether a file of this type and size may be a text that a page shows. */
export const mayBeText = (mimeType: string, size: number): boolean =>
  size <= MAX_SHOWN_TEXT && /^text\/|^application\/(?:json|xml)$/.test(mimeType);

/**
 * The text of a file, for callers who may open it. 400 for what is no text in UTF-8 or is larger than 512 KiB, and for
 * a file whose views are counted: reading it must use one up, and this does not.
 */
export async function readFileText(
  ctx: Context,
  input: { readonly uniqueId: string; readonly password?: string | null | undefined },
): Promise<z.output<typeof fileText>> {
  const image = await findImage(ctx, input.uniqueId);
  await authorise(ctx, 'image', image, input.password);
  if (image.maxViews !== null || !mayBeText(image.mimeType, image.size))
    fail('INVALID', 'This file is not shown as a text');
  // Before the turn among large answers, which a silent store would keep from all others.
  const bytes = await ctx.app.storage.blobs.read(image.sha256).catch((error: unknown) => {
    // The file was deleted after it was looked up.
    if (error instanceof BlobMissing) fail('NOT_FOUND', { cause: error });
    throw error;
  });
  return buildAnswer(ctx, image.size, async () => {
    const text = decodeAs(bytes, 'utf-8');
    if (text === null || text.includes('\0')) fail('INVALID', 'This file is not a text in UTF-8');
    return { text };
  });
}
