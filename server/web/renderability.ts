import { DomainError } from '../../routers/base/errors.js';
import { within } from '../../routers/base/text/within.js';
import { isInlineImage, kindOf } from './image/media-kind.js';
import type { ImageRecord } from './records.js';
import type { PageRequest } from './request.js';

const HEAD = { head: true, ifMatch: null, ifNoneMatch: null, ifRange: null, range: null };
/** How long a page waits to learn whether it can show a picture; it then offers the download, until the next view. */
const PATIENCE_MS = 10_000;

/**
 * The record of an image of which it is known whether a page can show it: a page must not contain a picture that is an
 * error. If nobody has tried to decode what browsers cannot, the rendition for the page is made now. Counts no view.
 */
export async function withRenderability(
  { call }: Pick<PageRequest, 'call'>,
  image: ImageRecord,
  password: string | null,
): Promise<ImageRecord> {
  const known = image.renderable !== null || image.size === null;
  if (known || kindOf(image) !== 'image' || isInlineImage(image)) return image;
  const { uniqueId } = image;
  const made = call.image.get({ uniqueId, password, format: 'jpeg', transfer: HEAD }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DomainError) return false;
      throw error;
    },
  );
  return { ...image, renderable: (await within(PATIENCE_MS, made)) ?? false };
}
