import { isInlineSafe } from '../../routers/image/names.js';
import { MAX_PIXELS } from '../media/workers/bounds.js';
import type { ListedImage } from './records.js';

/** How a file is shown. `other` is only offered for download, including SVG, which can contain scripts. */
export type MediaKind = 'image' | 'video' | 'audio' | 'other';

/** How a file is shown, based on its stored type. */
export function kindOf(image: Pick<ListedImage, 'mimeType'>): MediaKind {
  const kind = image.mimeType.slice(0, image.mimeType.indexOf('/'));
  return (kind === 'image' || kind === 'video' || kind === 'audio') && isInlineSafe(image.mimeType)
    ? kind
    : 'other';
}

/** Whether browsers and link previews can show the stored bytes of an image directly. */
export function isInlineImage(image: Pick<ListedImage, 'mimeType'>): boolean {
  return kindOf(image) === 'image' && !/^image\/(tiff|heic|heif)$/.test(image.mimeType);
}

/** The address of a file that ends like its name: programs that look at it know what is there. */
export const fileLink = (image: Pick<ListedImage, 'type' | 'urlSet'>): string =>
  `${image.urlSet.rawUrl}.${image.type}`;

/** Address of a version of the image that every browser can show: the stored bytes, or a JPEG. */
export function inlineSource(image: ListedImage): string {
  return isInlineImage(image) ? image.urlSet.rawUrl : `${image.urlSet.rawUrl}?format=jpeg`;
}

/** Whether the server makes renditions of a picture of this size. */
export const isDecodable = ({ width, height }: Pick<ListedImage, 'width' | 'height'>): boolean =>
  (width ?? 0) * (height ?? 0) <= MAX_PIXELS;
