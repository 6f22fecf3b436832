import type { Embed } from '../../routers/base/embed.js';
import { KIND_NAMES } from '../../routers/base/kinds.js';
import type { I18n } from '../../routers/base/language/i18n.js';
import { cutText } from '../../routers/base/text/cut.js';
import { kindOf, previewOf } from './image/media-kind.js';
import { pasteName } from './paste/name.js';
import type { ListedImage, OpenedCollection, PasteRecord, ShortUrlRecord } from './records.js';
import type { Site } from './site.js';
import { countsViews, isClosed } from './visibility.js';

/** A `<meta>` or `<link>` element in the head of a page. */
export type Meta =
  | { readonly property: string; readonly content: string }
  | { readonly name: string; readonly content: string }
  | { readonly rel: string; readonly type: string; readonly href: string; readonly title?: string };

/** Maximum pictures in the preview of a collection; chat applications show a grid of four. */
const MAX_GALLERY = 4;

/** The installation that a preview is of. */
type Here = Pick<Site, 'origin' | 'branding' | 'i18n'>;

/** The preview of an item that is not public: only that there is a page. */
export function closedPreview(url: string, here: Here): readonly Meta[] {
  return words(here, { title: here.i18n.t('A protected item'), description: null, url });
}

/** The preview of a sealed item: that it is one, and nothing else. */
const sealedPreview = (url: string, here: Here): readonly Meta[] =>
  words(here, { title: here.i18n.t('A sealed item'), description: null, url });

/**
 * Open Graph, Twitter card and oEmbed of an image, video or file page (contract §4, §5). `embed` is already expanded.
 * An item with counted views has no media in it, because link previews would use up its views.
 */
export function imagePreview(image: ListedImage, embed: Embed | null, here: Here): readonly Meta[] {
  const url = image.urlSet.webUrl;
  if (isClosed(image)) return closedPreview(url, here);
  if (image.sealed) return sealedPreview(url, here);
  const title = embed?.title ?? image.originalName ?? `${image.type.toUpperCase()} ${image.uniqueId}`;
  return [
    ...words(here, {
      title,
      description: embed?.description ?? image.description,
      url,
      author: embed?.authorName ?? null,
      type: kindOf(image) === 'video' && !countsViews(image) ? 'video.other' : 'website',
    }),
    ...themeColor(embed),
    ...(countsViews(image) ? card('summary') : media(image)),
    oEmbedLink(here.origin, url, title),
  ];
}

/** The preview of a paste: its title and first lines; nothing for one that can only be read once. */
export function pastePreview(paste: PasteRecord, here: Here): readonly Meta[] {
  const url = paste.urlSet.webUrl;
  if (isClosed(paste) || paste.burn) return closedPreview(url, here);
  if (paste.sealed) return sealedPreview(url, here);
  const title = pasteName(paste, here.i18n);
  const description = cutText(paste.content.trimStart(), 280).split('\n').slice(0, 6).join('\n').trim();
  return [
    ...words(here, { title, description, url }),
    ...card('summary'),
    oEmbedLink(here.origin, url, title),
  ];
}

/** The preview of a short link's own page: what its owner chose, otherwise its target. */
export function linkPreview(link: ShortUrlRecord, here: Here): readonly Meta[] {
  const url = link.urlSet.webUrl;
  const title = linkTitle(link, here.i18n);
  if (title === null) return closedPreview(url, here);
  const chosen = link.preview;
  const image = chosen?.image == null ? null : `${here.origin}/v1${KIND_NAMES.image.raw.path}${chosen.image}`;
  return [
    ...words(here, {
      title: chosen?.title ?? title,
      description: chosen === null ? link.originalUrl : chosen.description,
      url,
    }),
    ...(image === null
      ? card('summary')
      : [{ property: 'og:image', content: image }, ...card('summary_large_image')]),
    oEmbedLink(here.origin, url, chosen?.title ?? title),
  ];
}

/** The title of a link's page; null if the link is not public. */
export const linkTitle = (link: ShortUrlRecord, { t }: I18n): string | null =>
  link.originalUrl === null || isClosed(link)
    ? null
    : t('A link to {host}', { host: new URL(link.originalUrl).host });

/** The preview of a collection, on each of its pages: up to four public pictures, the cover first. */
export function collectionPreview(
  { title, description, owner, sealed, leading = [] }: Omit<OpenedCollection, 'items'>,
  url: string,
  here: Here,
): readonly Meta[] {
  if (sealed) return sealedPreview(url, here);
  const open = leading.filter(
    (image) => !isClosed(image) && !countsViews(image) && previewOf(image) !== null,
  );
  return [
    ...words(here, { title, description, url, author: owner.username }),
    ...open.slice(0, MAX_GALLERY).flatMap(picture),
    ...card(open.length > 0 ? 'summary_large_image' : 'summary'),
    oEmbedLink(here.origin, url, title),
  ];
}

function words(
  { branding }: Here,
  of: {
    title: string;
    description: string | null;
    url: string;
    author?: string | null;
    type?: 'website' | 'video.other';
  },
): Meta[] {
  return [
    { property: 'og:site_name', content: of.author ?? branding.name },
    { property: 'og:type', content: of.type ?? 'website' },
    { property: 'og:title', content: of.title },
    { property: 'og:url', content: of.url },
    { name: 'twitter:title', content: of.title },
    ...(of.description
      ? [
          { property: 'og:description', content: of.description },
          { name: 'description', content: of.description },
        ]
      : []),
  ];
}

function card(kind: 'summary' | 'summary_large_image'): Meta[] {
  return [{ name: 'twitter:card', content: kind }];
}

function themeColor(embed: Embed | null): Meta[] {
  return embed?.color ? [{ name: 'theme-color', content: embed.color }] : [];
}

function media(image: ListedImage): Meta[] {
  const shown = picture(image);
  return [
    ...(kindOf(image) === 'video' ? video(image) : []),
    ...shown,
    // A player would need a page of its own, and without one there would be no card at all.
    ...card(shown.length > 0 ? 'summary_large_image' : 'summary'),
  ];
}

/** The video itself; chat applications that play it need its poster too. */
function video(image: ListedImage): Meta[] {
  const source = image.urlSet.rawUrl.replace('/image/get/', '/image/get/video/');
  return [
    { property: 'og:video', content: source },
    { property: 'og:video:url', content: source },
    { property: 'og:video:secure_url', content: source },
    { property: 'og:video:type', content: image.mimeType },
    ...size('og:video', image),
  ];
}

function picture(image: ListedImage): Meta[] {
  const shown = previewOf(image);
  if (shown === null) return [];
  return [
    { property: 'og:image', content: shown.url },
    { property: 'og:image:type', content: shown.mimeType },
    ...size('og:image', shown),
    { property: 'og:image:alt', content: image.description ?? image.originalName ?? image.uniqueId },
    { name: 'twitter:image', content: shown.url },
  ];
}

function size(of: 'og:image' | 'og:video', { width, height }: Pick<ListedImage, 'width' | 'height'>): Meta[] {
  if (!width || !height) return [];
  return [
    { property: `${of}:width`, content: String(width) },
    { property: `${of}:height`, content: String(height) },
  ];
}

function oEmbedLink(origin: string, url: string, title: string): Meta {
  const href = `${origin}/web/oembed?url=${encodeURIComponent(url)}`;
  return { rel: 'alternate', type: 'application/json+oembed', href, title };
}
