import { z } from 'zod';
import type { LinkPreview } from '../../../db/content/link/link.js';
import { fail } from '../../base/errors.js';
import { rule } from '../../base/language/rules.js';
import { isOpen } from '../../core/access.js';
import type { Services } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';

/** The largest number of uses of a link; null, absent and -1 mean without limit. */
const uses = z.union([z.literal(-1), z.int().min(1)]);
/** How often a link may be visited; null, -1 or absent means without limit. */
export const maxUsesInput = uses
  .nullish()
  .transform((value) => (value === undefined || value === null || value === -1 ? null : value));

/** As `maxUsesInput`, for a change: absent keeps. */
export const changedMaxUsesInput = uses
  .nullable()
  .transform((value) => (value === -1 ? null : value))
  .optional();

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max, rule('can have at most {max} characters', { max }))
    .transform((value) => value || null)
    .nullish();

/** What previews of a link show instead of its target; a preview without any field is none. */
const preview = z.object({
  title: text(200),
  description: text(1_000),
  image: z.union([z.literal('').transform(() => null), uniqueIdInput]).nullish(),
});

/** The fields of a link that previews, visits and lists use. */
export const linkExtras = {
  forwardQuery: z.boolean().nullish(),
  note: text(2_000),
  preview: z.union([z.literal('').transform(() => null), preview]).nullish(),
};
const extras = z.object(linkExtras);

/** A preview as stored; null for none. Its image must be one of the account. */
export async function previewOf(
  app: Services,
  ownerId: number,
  given: z.output<typeof extras>['preview'],
): Promise<LinkPreview | null> {
  if (given === null || given === undefined) return null;
  const { title = null, description = null, image = null } = given;
  if (title === null && description === null && image === null) return null;
  if (image === null) return { title, description, image };
  const shown = await app.load.image(image);
  if (shown === null || shown.ownerId !== ownerId || shown.mediaKind !== 'image')
    fail('INVALID', 'preview: the image must be the id of a picture of yours');
  return { title, description, image: shown.uniqueId };
}

/** The preview of a link as others see it: without a picture that they may not open. */
export async function shownPreview(app: Services, preview: LinkPreview | null): Promise<LinkPreview | null> {
  if (preview === null || preview.image === null) return preview;
  const image = await app.load.image(preview.image);
  return image !== null && isOpen(image) && image.maxViews === null ? preview : { ...preview, image: null };
}
