import { isInlineSafe } from '../../routers/image/names.js';
import type { ListedImage } from './records.js';

/** How a file is shown: `other` is what is only handed out, drawings with scripts among it. */
export type MediaKind = 'image' | 'video' | 'audio' | 'other';

/** How a file is shown, from its stored type. */
export function kindOf(image: Pick<ListedImage, 'mimeType'>): MediaKind {
  const kind = image.mimeType.slice(0, image.mimeType.indexOf('/'));
  return (kind === 'image' || kind === 'video' || kind === 'audio') && isInlineSafe(image.mimeType)
    ? kind
    : 'other';
}

/** Whether browsers and unfurlers can show the stored bytes of an image as they are. */
export function isInlineImage(image: Pick<ListedImage, 'mimeType'>): boolean {
  return kindOf(image) === 'image' && !/^image\/(tiff|heic|heif)$/.test(image.mimeType);
}

/** Address of a form of the image that every browser shows: the stored bytes, or a JPEG of them. */
export function inlineSource(image: ListedImage): string {
  return isInlineImage(image) ? image.urlSet.rawUrl : `${image.urlSet.rawUrl}?format=jpeg`;
}
