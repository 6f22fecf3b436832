import { readableSize } from '../../../../routers/embed.js';
import { here, withQuery } from '../../address.js';
import { isInlineImage, isPlayable, kindOf } from '../../image/media-kind.js';
import type { ListedImage } from '../../records.js';
import { LinkButton } from '../button.js';
import { Icon } from '../icon.js';

/** An item that a page shows. */
export interface Staged {
  readonly image: ListedImage;
  readonly password: string | null;
  /** The page answers a form and cannot be returned to, so links open in a new tab. */
  readonly beside: boolean;
}

/** The name of an item for those who do not see it. */
export const nameOf = (image: ListedImage): string =>
  image.description ?? image.originalName ?? image.uniqueId;

/** The width and height of an item as attributes, so that its space is reserved. */
export const sizeOf = ({ width, height }: ListedImage) => ({
  width: width ?? undefined,
  height: height ?? undefined,
});

/** A player for a video or a sound, or of a video that no browser plays its poster. */
export function Player(staged: Staged) {
  const { image, password } = staged;
  const src = withQuery(here(image.urlSet.rawUrl), { password });
  // A player fetches parts, and each one counts as a view, so it must not load anything before playback starts.
  const counted = image.maxViews !== null;
  const poster =
    image.urlSet.posterUrl && !counted ? withQuery(here(image.urlSet.posterUrl), { password }) : undefined;
  const player = {
    src,
    controls: true,
    preload: counted ? 'none' : 'metadata',
    'aria-label': nameOf(image),
  } as const;
  if (kindOf(image) === 'audio')
    return (
      <>
        <audio {...player} />
        <Unshown {...staged} />
      </>
    );
  if (isPlayable(image))
    return (
      <>
        <video {...player} poster={poster} playsInline {...sizeOf(image)} />
        <Unshown {...staged} />
      </>
    );
  return (
    <>
      {poster && <img class="shot" src={poster} alt={nameOf(image)} {...sizeOf(image)} />}
      <FileCard {...staged} why={`Browsers cannot play ${image.type.toUpperCase()} videos.`} />
    </>
  );
}

/**
 * What the script of every page reveals if the browser turns out to be unable to show an item: whether it has a codec
 * is known only after it has tried. A picture that the server can decode is shown as a rendition first.
 */
export function Unshown(staged: Staged) {
  const { image, password } = staged;
  const verb = kindOf(image) === 'image' ? 'show' : 'play';
  const instead =
    image.renderable && isInlineImage(image) && image.maxViews === null
      ? withQuery(here(image.urlSet.rawUrl), { format: 'webp', password })
      : undefined;
  return (
    <div data-unshown data-instead={instead} hidden>
      <FileCard
        {...staged}
        why={`Your browser cannot ${verb} this file: it does not know the format, or the file is damaged.`}
      />
    </div>
  );
}

/** An item that is only offered for download, and why. */
export function FileCard({ image, password, beside, why }: Staged & { readonly why?: string | null }) {
  return (
    <div class="file">
      <Icon name="file" />
      <strong dir="auto">{nameOf(image)}</strong>
      {why && <p>{why}</p>}
      <LinkButton
        href={withQuery(here(image.urlSet.rawUrl), { password, download: 'true' })}
        icon="download"
        look="primary"
        beside={beside}
      >
        Download {image.type.toUpperCase()}
        {image.size === null ? '' : ` (${readableSize(image.size)})`}
      </LinkButton>
    </div>
  );
}
