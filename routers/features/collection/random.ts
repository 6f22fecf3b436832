import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { fail } from '../../base/errors.js';
import type { Context } from '../../core/context.js';
import { renditionInput } from '../image/public.js';
import type { Entered } from './enter.js';
import { seenEntries } from './files.js';
import { type Addresses, addressOf } from './to-record.js';

/** How wide a picture is wanted. */
export const randomInput = { width: renditionInput.width };
/** Where a picture is. */
export const randomPicture = z.object({ location: z.url() });

/** One of the pictures of a collection that the caller may open, each as likely; 404 if there is none. */
export async function pickPicture(
  ctx: Context,
  entered: Entered,
  at: Addresses,
  width: number | null | undefined,
): Promise<z.output<typeof randomPicture>> {
  const pictures = (await seenEntries(ctx, entered)).filter(
    ({ item, access }) => access && item.image.mediaKind === 'image',
  );
  const chosen = pictures.length === 0 ? undefined : pictures[randomInt(pictures.length)];
  if (chosen === undefined) fail('NOT_FOUND');
  const location = new URL(addressOf(ctx.app, at, `/files/${chosen.item.image.uniqueId}`));
  if (typeof width === 'number') location.searchParams.set('width', String(width));
  return { location: location.href };
}
