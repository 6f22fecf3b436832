import type { Embed } from '../../routers/embed.js';
import { LADDER } from '../media/ladder.js';
import { withQuery } from './address.js';
import { inlineSource, isDecodable, kindOf } from './media-kind.js';
import { SITE_NAME } from './preview.js';
import type { ListedImage } from './records.js';
import { countsViews, isClosed } from './visibility.js';

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

/** The largest version of an image that fits: its bytes, or a rendition of them; null if there is none. */
function photoWithin(
  image: ListedImage,
  bounds: Bounds,
): { readonly url: string; readonly width: number; readonly height: number } | null {
  const { width, height } = image;
  if (width === null || height === null) return null;
  const widest = Math.min(bounds.width, (bounds.height * width) / height);
  if (width <= widest) return { url: inlineSource(image), width, height };
  const step = LADDER.findLast((step) => step <= widest);
  // Renditions of animated pictures stand still or drop frames.
  if (step === undefined || image.animated !== false || !isDecodable(image)) return null;
  return {
    url: withQuery(inlineSource(image), { width: String(step) }),
    width: step,
    height: Math.max(1, Math.round((height * step) / width)),
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
