import { t } from '../../../../routers/base/language/i18n.js';
import { here, withQuery } from '../../address.js';
import { duration, fileSize } from '../../format.js';
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
  /** It is shown in a smaller size only, and nobody is offered it for download. */
  readonly less?: boolean;
}

/** The name of an item for those who do not see it. */
export const nameOf = (image: ListedImage): string =>
  image.description ?? image.originalName ?? image.uniqueId;

/** The width and height of an item as attributes, so that its space is reserved. */
export const sizeOf = ({ width, height }: ListedImage) => ({
  width: width ?? undefined,
  height: height ?? undefined,
});

/** Whether a video is higher than wide: its player is then as wide as its picture at the height of the screen. */
const shapeOf = ({ width, height }: ListedImage) => ((height ?? 0) > (width ?? 0) ? 'tall' : undefined);

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
    'data-bytes': image.size ?? undefined,
    'aria-label': nameOf(image),
  } as const;
  if (kindOf(image) === 'audio')
    return (
      <>
        {poster ? <img class="cover" src={poster} alt="" /> : <Icon name="pulse" />}
        <p class="title">
          <strong dir="auto">{nameOf(image)}</strong>
          {image.durationMs ? <span class="hint"> {duration(image.durationMs)}</span> : null}
        </p>
        <audio {...player} />
        <Unshown {...staged} />
      </>
    );
  if (isPlayable(image))
    return (
      <>
        <video {...player} class={shapeOf(image)} poster={poster} playsInline {...sizeOf(image)} />
        <Unshown {...staged} />
      </>
    );
  return (
    <>
      {poster && <img class="shot" src={poster} alt={nameOf(image)} {...sizeOf(image)} />}
      <FileCard
        {...staged}
        why={t('Browsers cannot play {type} videos.', { type: image.type.toUpperCase() })}
      />
    </>
  );
}

/**
 * What the script of every page reveals if the browser turns out to be unable to show an item: whether it has a codec
 * is known only after it has tried. A picture that the server can decode is shown as a rendition first.
 */
export function Unshown(staged: Staged) {
  const { image, password } = staged;
  const instead =
    image.renderable && isInlineImage(image) && image.maxViews === null
      ? withQuery(here(image.urlSet.rawUrl), { format: 'webp', password })
      : undefined;
  return (
    <div data-unshown data-instead={instead} hidden>
      <FileCard
        {...staged}
        why={t(
          kindOf(image) === 'image'
            ? 'Your browser cannot show this file: it does not know the format, or the file is damaged.'
            : 'Your browser cannot play this file: it does not know the format, or the file is damaged.',
        )}
      />
    </div>
  );
}

/** An item that is only offered for download, and why. */
export function FileCard({
  image,
  password,
  beside,
  less = false,
  why,
}: Staged & { readonly why?: string | null }) {
  return (
    <div class="file">
      <Icon name="file" />
      <strong dir="auto">{nameOf(image)}</strong>
      {why && <p>{why}</p>}
      {!less && (
        <LinkButton
          href={withQuery(here(image.urlSet.rawUrl), { password, download: 'true' })}
          icon="download"
          look="primary"
          beside={beside}
        >
          {image.size === null
            ? t('Download {type}', { type: image.type.toUpperCase() })
            : t('Download {type} ({size})', {
                type: image.type.toUpperCase(),
                size: fileSize(image.size),
              })}
        </LinkButton>
      )}
    </div>
  );
}
