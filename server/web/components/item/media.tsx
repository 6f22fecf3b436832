import { msg, t, translateMessage } from '../../../../routers/base/language/i18n.js';
import { isDrawing } from '../../../../routers/core/items/file-names.js';
import { here, itemPath, tileAnchor, withQuery } from '../../address.js';
import { duration, fileSize } from '../../format.js';
import {
  inlineSource,
  isDecodable,
  isFramed,
  isImage,
  isInlineImage,
  kindOf,
  type MediaKind,
} from '../../image/media-kind.js';
import { isTransparent, placeholderUrl } from '../../image/placeholder.js';
import type { ListedImage } from '../../records.js';
import { Icon, type IconName } from '../icon.js';
import { Pick } from '../list/bulk.js';
import { AccessSigns } from '../list/rows.js';
import { Document } from './document.js';
import { FileCard, nameOf, Player, type Staged, sizeOf, Unshown } from './player.js';

/** Originals up to this size are shown as they are; larger ones as renditions that fit the screen. */
const MAX_ORIGINAL_BYTES = 600_000;
const WIDTHS = [640, 1280, 1920];
const UNDECODABLE = msg(
  'This picture cannot be shown: it is damaged, very large, or in a rare variant of its format.',
);
const kindIcons: Readonly<Record<MediaKind, IconName>> = {
  image: 'image',
  video: 'video',
  audio: 'pulse',
  other: 'file',
};

/** The item itself, as large as the screen allows, with its final proportions from the first paint. */
export function Stage(staged: Staged) {
  const { image } = staged;
  const clear = isTransparent(image.thumbhash);
  const behind = clear || isTiny(image) ? null : placeholderOf(image);
  const audio = kindOf(image) === 'audio';
  return (
    <div class={`stage${audio ? ' sound' : ''}${clear ? ' clear' : ''}${isTiny(image) ? ' tiny' : ''}`}>
      {behind && <img class="behind" src={behind} alt="" />}
      <Shown {...staged} />
    </div>
  );
}

function Shown(staged: Staged) {
  const { image, password, beside } = staged;
  const kind = kindOf(image);
  if (kind === 'video' || kind === 'audio') return <Player {...staged} />;
  if (isFramed(image)) return <Document {...staged} />;
  if (kind === 'other') return <FileCard {...staged} why={whyUnseen(image)} />;
  const name = nameOf(image);
  return (
    <>
      <a
        href={withQuery(here(image.urlSet.rawUrl), { password })}
        target={beside ? '_blank' : undefined}
        data-zoom={withQuery(here(inlineSource(image)), { password })}
        aria-label={t('{name}, full size', { name })}
      >
        <img
          class="shot"
          alt={name}
          fetchpriority="high"
          {...shownSize(image)}
          {...sources(image, password)}
        />
      </a>
      <Unshown {...staged} />
    </>
  );
}

/** Why a picture is only offered; null for what is none. */
function whyUnseen(image: ListedImage): string | null {
  if (isImage(image)) return translateMessage(UNDECODABLE);
  if (!image.mimeType.startsWith('image/')) return null;
  return t('Browsers cannot show {type} pictures.', { type: image.type.toUpperCase() });
}

/** Pictures up to this many pixels on their longer side are made for it: an icon, a sprite. */
const TINY = 64;
/** About how large one of them is shown, in whole multiples of its pixels. */
const TINY_SHOWN = 320;

const isTiny = (image: ListedImage): boolean =>
  kindOf(image) === 'image' &&
  !isDrawing(image.mimeType) &&
  image.width !== null &&
  Math.max(image.width, image.height ?? 0) <= TINY;

/** The size of a picture on its page, for its attributes. */
function shownSize(image: ListedImage) {
  const { width, height } = image;
  if (!isTiny(image) || width === null || height === null) return sizeOf(image);
  const times = Math.floor(TINY_SHOWN / Math.max(width, height));
  return { width: width * times, height: height * times };
}

/** Each response counts as a view, so an item with a limit is fetched once and in its original form. */
function sources(image: ListedImage, password: string | null) {
  const src = withQuery(here(inlineSource(image)), { password });
  const large = (image.size ?? 0) > MAX_ORIGINAL_BYTES && image.width !== null && image.width > 640;
  // Renditions of animated pictures stand still or drop frames.
  if (!large || image.animated !== false || !isDecodable(image) || image.maxViews !== null) return { src };
  const fitting = WIDTHS.filter((width) => width < (image.width ?? 0));
  const srcset = [
    ...fitting.map(
      (width) =>
        `${withQuery(here(image.urlSet.rawUrl), { width: String(width), format: 'webp', password })} ${width}w`,
    ),
    ...(isInlineImage(image) ? [`${src} ${image.width}w`] : []),
  ].join(', ');
  return { src, srcset, sizes: '(min-width: 64rem) 80vw, 100vw' };
}

/** An item in a gallery: its picture over its placeholder, its type and its name. */
export function Tile({
  image,
  pick,
  eager,
  width,
  href = itemPath('image', image.uniqueId),
}: {
  readonly image: ListedImage;
  readonly pick?: boolean;
  readonly eager?: boolean;
  /** Of its rendition, in pixels. */
  readonly width?: number | undefined;
  /** Its page; of a list, one that leads on to the next. */
  readonly href?: string;
}) {
  const name = image.originalName ?? image.description ?? image.uniqueId;
  const mediaKind = kindOf(image);
  const clear = isTransparent(image.thumbhash);
  const behind = clear ? null : placeholderOf(image);
  const source = thumbnailOf(image, width);
  return (
    <li class="tile" id={tileAnchor(image.uniqueId)}>
      {pick && (
        <span class="pick">
          <Pick id={image.uniqueId} name={name} />
        </span>
      )}
      <div class={clear ? 'picture clear' : 'picture'}>
        {/* As wide as it has to be in a row of this height. */}
        <svg viewBox={`0 0 ${shapeOf(image)} 100`} aria-hidden="true" />
        {behind && <img src={behind} alt="" />}
        {source ? (
          <img src={source} alt="" loading={eager ? undefined : 'lazy'} />
        ) : (
          !behind && <Icon name={kindIcons[mediaKind]} />
        )}
        <span class="kind">
          <AccessSigns {...image} />
          {image.durationMs ? duration(image.durationMs) : mediaKind !== 'image' && extensionOf(image)}
        </span>
      </div>
      <div class={source ? 'words' : 'words always'}>
        <a href={href} dir="auto">
          {name}
        </a>
        {image.size !== null && <span>{fileSize(image.size)}</span>}
      </div>
    </li>
  );
}

/** What people know the type of a file by: the end of its name; without one, what it is stored as. */
const extensionOf = ({ originalName, type }: ListedImage): string =>
  (/\.([a-z0-9]{1,5})$/i.exec(originalName ?? '')?.[1] ?? type).toUpperCase();

/** The width of a tile for a height of 100. What is very wide or high is cut. */
function shapeOf(image: ListedImage): number {
  const { width, height } = image;
  if (!width || !height || kindOf(image) === 'other') return 130;
  return Math.round(100 * Math.min(2.4, Math.max(0.6, width / height)));
}

/** A small rendition for galleries; null if the item has no picture, is locked for the reader, or counts its views. */
export function thumbnailOf(image: ListedImage, width = 400): string | null {
  if (image.maxViews !== null || image.size === null) return null;
  const mediaKind = kindOf(image);
  if (mediaKind === 'video' || mediaKind === 'audio')
    return image.urlSet.posterUrl === null ? null : here(image.urlSet.posterUrl);
  if (mediaKind !== 'image') return null;
  if (!isDecodable(image))
    return isInlineImage(image) && image.size < MAX_ORIGINAL_BYTES ? here(image.urlSet.rawUrl) : null;
  return isInlineImage(image) && image.size < 40_000
    ? here(image.urlSet.rawUrl)
    : withQuery(here(image.urlSet.rawUrl), { width: String(width), format: 'webp' });
}

/** Reveals nothing in advance about an item whose views are counted (contract §5). */
const placeholderOf = ({ maxViews, thumbhash }: ListedImage): string | null =>
  maxViews === null ? placeholderUrl(thumbhash) : null;
