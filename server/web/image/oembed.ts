import { type Embed, renderEmbed } from '../../../routers/base/embed.js';
import { LADDER } from '../../../routers/base/ports/media/ladder.js';
import { withQuery } from '../address.js';
import type { ListedImage } from '../records.js';
import { withRenderability } from '../renderability.js';
import type { PageRequest } from '../request.js';
import { type OEmbed, sealedOEmbed } from '../site/oembed.js';
import type { Site } from '../site.js';
import { countsViews, isClosed } from '../visibility.js';
import { isDecodable, kindOf, previewOf } from './media-kind.js';

/** The space that a page has for an embedded item, in pixels; `Infinity` if it did not say. */
interface Bounds {
  readonly width: number;
  readonly height: number;
}

/** oEmbed of an image page, a photo if one fits into the bounds; null for an item that is not public. */
function imageOEmbed(
  image: ListedImage,
  embed: Embed | null,
  site: Pick<Site, 'origin' | 'branding' | 'i18n'>,
  bounds: Bounds,
): OEmbed | null {
  if (isClosed(image)) return null;
  if (image.sealed) return sealedOEmbed(site);
  const { origin, branding } = site;
  const author = embed?.authorName ?? image.uploader?.username;
  const photo = countsViews(image) || kindOf(image) !== 'image' ? null : photoWithin(image, bounds);
  return {
    version: '1.0',
    type: photo === null ? 'link' : 'photo',
    provider_name: branding.name,
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

/** oEmbed of an image page; null for an item that is not public. */
export async function embedImage(request: PageRequest, uniqueId: string): Promise<OEmbed | null> {
  const { call, site, query } = request;
  const image = await withRenderability(request, await call.image.info({ uniqueId }), null);
  const { username } = image.uploader;
  const values = {
    uid: image.uniqueId,
    size: image.size,
    filetype: image.type,
    uploader: username,
    username,
    url: image.urlSet.webUrl,
  };
  const bounds = { width: boundOf(query.string('maxwidth')), height: boundOf(query.string('maxheight')) };
  return imageOEmbed(image, renderEmbed(image.webhookSettings, values), site, bounds);
}

/** Anything but a positive whole number is no bound. */
const boundOf = (text: string): number =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
