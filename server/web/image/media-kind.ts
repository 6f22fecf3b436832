import { shownBy } from '../../../routers/base/ports/media/formats.js';
import { MAX_FRAME_PIXELS, pixelsOf } from '../../../routers/base/ports/media/pixels.js';
import { PREVIEW, previewSize } from '../../../routers/base/ports/media/preview-size.js';
import { isDocument, isDrawing, isInlineSafe } from '../../../routers/core/items/file-names.js';
import { withQuery } from '../address.js';
import type { ListedImage } from '../records.js';

/** How a file is shown. `other` is only offered for download. An SVG, which can contain scripts, is shown as a rendition. */
export type MediaKind = 'image' | 'video' | 'audio' | 'other';

/** How a file is shown, based on its stored type and, for images that browsers cannot show, on whether it can be decoded. */
export function kindOf(image: Pick<ListedImage, 'mimeType' | 'renderable'>): MediaKind {
  const kind = image.mimeType.slice(0, image.mimeType.indexOf('/'));
  if (kind !== 'image' && kind !== 'video' && kind !== 'audio') return 'other';
  if (!isInlineSafe(image.mimeType) && !isDrawing(image.mimeType)) return 'other';
  const needsRendition = shownBy(image.mimeType) === 'few' || isDrawing(image.mimeType);
  return needsRendition && image.renderable === false ? 'other' : kind;
}

/** Whether a file is a picture that pages show if they can. */
export const isImage = ({ mimeType }: Pick<ListedImage, 'mimeType'>): boolean =>
  kindOf({ mimeType, renderable: null }) === 'image';

/** Whether browsers and link previews can show the stored bytes of an image directly. */
export function isInlineImage(image: Pick<ListedImage, 'mimeType'>): boolean {
  return isImage(image) && shownBy(image.mimeType) !== 'few' && !isDrawing(image.mimeType);
}

/** Whether there are browsers that play a video, depending on its codec. */
export const isPlayable = ({ mimeType }: Pick<ListedImage, 'mimeType'>): boolean =>
  shownBy(mimeType) !== 'nobody';

/** The address of a file that ends like its name: programs that look at it know what is there. */
export const fileLink = (image: Pick<ListedImage, 'urlSet'>): string =>
  image.urlSet.directUrl ?? image.urlSet.rawUrl;

/** Whether pages show a file in a frame, in the viewer of the browser. Each part that it fetches would count as a view. */
export const isFramed = (image: Pick<ListedImage, 'mimeType' | 'maxViews'>): boolean =>
  isDocument(image.mimeType) && image.maxViews === null;

/** Whether a page shows nothing of a file but one button to download it; a picture, some browser may still show. */
export const isOnlyOffered = (image: Pick<ListedImage, 'mimeType' | 'renderable' | 'maxViews'>): boolean =>
  kindOf(image) === 'other' && !isFramed(image) && !isImage(image);

/** Address of a version of the image that every browser can show: the stored bytes, or a rendition. */
export function inlineSource(image: ListedImage): string {
  if (isInlineImage(image)) return image.urlSet.rawUrl;
  // Drawings have transparent grounds.
  return withQuery(image.urlSet.rawUrl, { format: isDrawing(image.mimeType) ? 'webp' : 'jpeg' });
}

/**
 * Whether the server makes renditions of a picture. As long as it has not tried, this is assumed of one of the usual
 * size, but not of one that browsers cannot show themselves.
 */
export const isDecodable = (image: ListedImage): boolean =>
  image.renderable ??
  ((isInlineImage(image) || isDrawing(image.mimeType)) && pixelsOf(image) <= MAX_FRAME_PIXELS);

/** A picture for link previews: its address and, where known, its own size and type. */
interface Preview {
  readonly url: string;
  readonly mimeType: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** Above this, in pixels of the longer side, stored bytes are not shown even if they are few. */
const MAX_SIDE = 2 * PREVIEW.side;

/**
 * The picture that represents an image or video elsewhere: the stored bytes if any chat application shows them, else
 * a small JPEG; of a video or a sound its poster. Null if there is none.
 */
export function previewOf(image: ListedImage): Preview | null {
  const { width, height, size, mimeType, urlSet } = image;
  const kind = kindOf(image);
  const known = width !== null && height !== null;
  const small = known ? previewSize({ width, height }) : { width, height };
  if (kind === 'video' || kind === 'audio')
    return urlSet.posterUrl ? { url: urlSet.posterUrl, mimeType: 'image/jpeg', ...small } : null;
  if (kind !== 'image') return null;
  const fits = known && Math.max(width, height) <= MAX_SIDE && (size ?? 0) <= PREVIEW.bytes;
  if (fits && shownBy(mimeType) === 'everybody') return { url: urlSet.rawUrl, mimeType, width, height };
  if (!isDecodable(image)) return null;
  return { url: withQuery(urlSet.rawUrl, { format: 'preview' }), mimeType: 'image/jpeg', ...small };
}
