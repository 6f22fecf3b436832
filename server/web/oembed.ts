import type { Embed } from '../../routers/embed.js';
import { inlineSource, kindOf } from './media-kind.js';
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

/** oEmbed of an image page; null for an item that is not public. */
export function imageOEmbed(image: ListedImage, embed: Embed | null, origin: string): OEmbed | null {
  if (isClosed(image)) return null;
  const author = embed?.authorName ?? image.uploader?.username;
  const shown =
    !countsViews(image) && kindOf(image) === 'image' && image.width !== null && image.height !== null;
  return {
    version: '1.0',
    type: shown ? 'photo' : 'link',
    provider_name: SITE_NAME,
    provider_url: origin,
    title: embed?.title ?? image.originalName ?? image.uniqueId,
    ...(author ? { author_name: author } : {}),
    ...(embed?.titleUrl ? { author_url: embed.titleUrl } : {}),
    ...(shown ? { url: inlineSource(image), width: image.width ?? 0, height: image.height ?? 0 } : {}),
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
