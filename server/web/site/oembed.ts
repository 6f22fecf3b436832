import type { Embed } from '../../../routers/embed.js';
import { LADDER } from '../../drivers/media/ladder.js';
import { withQuery } from '../address.js';
import { isDecodable, kindOf, previewOf } from '../image/media-kind.js';
import { SITE_NAME } from '../preview.js';
import type { ListedImage } from '../records.js';
import { countsViews, isClosed } from '../visibility.js';

/** The oEmbed answer of a page (https://oembed.com), from the same record as its preview. */
export interface OEmbed {
  readonly version: '1.0';
  readonly type: 'photo' | 'video' | 'link';
  readonly provider_name: string;
  readonly provider_url: string;
  readonly title: string;
  readonly author_name?: string;
  readonly author_url?: string;
  readonly url?: string;
  readonly width?: number;
  readonly height?: number;
}

/** The space that a page has for an embedded item, in pixels; `Infinity` if it did not say. */
export interface Bounds {
  readonly width: number;
  readonly height: number;
}

/** oEmbed of an image page, a photo if one fits into the bounds; null for an item that is not public. */
export function imageOEmbed(
  image: ListedImage,
  embed: Embed | null,
  origin: string,
  bounds: Bounds,
): OEmbed | null {
  if (isClosed(image)) return null;
  const author = embed?.authorName ?? image.uploader?.username;
  const photo = countsViews(image) || kindOf(image) !== 'image' ? null : photoWithin(image, bounds);
  return {
    version: '1.0',
    type: photo === null ? 'link' : 'photo',
    provider_name: SITE_NAME,
    provider_url: origin,
    title: embed?.title ?? image.originalName ?? image.uniqueId,
    ...(author ? { author_name: author } : {}),
    ...(embed?.titleUrl ? { author_url: embed.titleUrl } : {}),
    ...photo,
  };
}

/** The picture of the link preview if it fits, else the largest smaller one that fits; null if there is none. */
function photoWithin(
  image: ListedImage,
  bounds: Bounds,
): { readonly url: string; readonly width: number; readonly height: number } | null {
  const shown = previewOf(image);
  if (shown === null || shown.width === null || shown.height === null) return null;
  const { url, width, height } = shown;
  const widest = Math.min(bounds.width, (bounds.height * width) / height);
  if (width <= widest) return { url, width, height };
  const step = LADDER.findLast((step) => step <= widest);
  // Renditions of animated pictures stand still or drop frames.
  if (step === undefined || image.animated !== false || !isDecodable(image)) return null;
  return {
    url: withQuery(image.urlSet.rawUrl, { width: String(step), format: 'jpeg' }),
    width: step,
    height: Math.max(1, Math.round(((image.height ?? height) * step) / (image.width ?? width))),
  };
}

/** oEmbed of a paste, link or playlist page: text only. */
export function wordsOEmbed(title: string, author: string, origin: string): OEmbed {
  return {
    version: '1.0',
    type: 'link',
    provider_name: SITE_NAME,
    provider_url: origin,
    title,
    author_name: author,
  };
}
